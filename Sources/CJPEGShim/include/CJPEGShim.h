#ifndef CJPEGSHIM_H
#define CJPEGSHIM_H
// libjpeg reports errors by leaving through longjmp, which Swift frames cannot survive. Every call that may
// fail is therefore made here, and comes back as a status.
#endif
