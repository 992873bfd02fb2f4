#include "CNoNetwork.h"

/*
 * libcurl's functions, all of which refuse.
 *
 * The server behind `heicbench view` comes with a handler that passes requests on, and so with Foundation's client
 * for HTTP and with libcurl. heicbench has no use for it and asks nothing of any other machine. Where Foundation is
 * linked statically, these stand in for libcurl, so that no such library has to be installed to build or to run;
 * scripts/build gives the linker an empty libcurl to find. A function that Foundation comes to call besides is an
 * error of the linker, which names it.
 */
#if defined(__linux__)

/* A CURLcode, CURLMcode or CURLUcode other than zero: not initialised. */
#define HB_REFUSES(name) \
  int name(void); \
  int name(void) { return 2; }
#define HB_GIVES_NOTHING(name) \
  void *name(void); \
  void *name(void) { return 0; }

HB_REFUSES(curl_easy_getinfo)
HB_REFUSES(curl_easy_pause)
HB_REFUSES(curl_easy_setopt)
HB_REFUSES(curl_global_init)
HB_REFUSES(curl_multi_add_handle)
HB_REFUSES(curl_multi_assign)
HB_REFUSES(curl_multi_cleanup)
HB_REFUSES(curl_multi_remove_handle)
HB_REFUSES(curl_multi_setopt)
HB_REFUSES(curl_multi_socket_action)
HB_REFUSES(curl_url_get)
HB_REFUSES(curl_url_set)

HB_GIVES_NOTHING(curl_easy_cleanup)
HB_GIVES_NOTHING(curl_easy_init)
HB_GIVES_NOTHING(curl_easy_strerror)
HB_GIVES_NOTHING(curl_free)
HB_GIVES_NOTHING(curl_multi_info_read)
HB_GIVES_NOTHING(curl_multi_init)
HB_GIVES_NOTHING(curl_slist_append)
HB_GIVES_NOTHING(curl_slist_free_all)
HB_GIVES_NOTHING(curl_url)
HB_GIVES_NOTHING(curl_version)
HB_GIVES_NOTHING(curl_version_info)

#endif
