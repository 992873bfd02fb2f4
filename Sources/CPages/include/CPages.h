#ifndef CPAGES_H
#define CPAGES_H

// The pages' own files, compiled into the program so that it finds them wherever it is installed, each as
// zero-terminated UTF-8. SwiftPM would embed them as Swift arrays, which take the compiler 15 seconds.

// The report.
const char *hb_curves_js(void);
const char *hb_page_js(void);
const char *hb_plain_html(void);
const char *hb_report_css(void);
const char *hb_report_html(void);
const char *hb_stage_js(void);
const char *hb_strip_js(void);
const char *hb_viewer_html(void);
const char *hb_viewer_js(void);

// Tile sets.
const char *hb_tiles_css(void);
const char *hb_tiles_html(void);
const char *hb_tiles_js(void);

// `heicbench view`.
const char *hb_blind_css(void);
const char *hb_blind_html(void);
const char *hb_blind_js(void);
const char *hb_gallery_js(void);
const char *hb_tried_js(void);
const char *hb_view_css(void);
const char *hb_view_html(void);
const char *hb_view_js(void);

#endif
