#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define BEGIN(name) const char *name(void) { static const char text[] = {
#define END }; return text; }

BEGIN(hb_curves_js)
#embed "../Reports/Resources/curves.js" suffix(, 0)
END

BEGIN(hb_page_js)
#embed "../Reports/Resources/page.js" suffix(, 0)
END

BEGIN(hb_plain_html)
#embed "../Reports/Resources/plain.html" suffix(, 0)
END

BEGIN(hb_report_css)
#embed "../Reports/Resources/report.css" suffix(, 0)
END

BEGIN(hb_report_html)
#embed "../Reports/Resources/report.html" suffix(, 0)
END

BEGIN(hb_stage_js)
#embed "../Reports/Resources/stage.js" suffix(, 0)
END

BEGIN(hb_strip_js)
#embed "../Reports/Resources/strip.js" suffix(, 0)
END

BEGIN(hb_viewer_html)
#embed "../Reports/Resources/viewer.html" suffix(, 0)
END

BEGIN(hb_viewer_js)
#embed "../Reports/Resources/viewer.js" suffix(, 0)
END

BEGIN(hb_tiles_css)
#embed "../HeicBenchKit/TileSets/Page/tiles.css" suffix(, 0)
END

BEGIN(hb_tiles_html)
#embed "../HeicBenchKit/TileSets/Page/tiles.html" suffix(, 0)
END

BEGIN(hb_tiles_js)
#embed "../HeicBenchKit/TileSets/Page/tiles.js" suffix(, 0)
END

BEGIN(hb_blind_css)
#embed "../View/Resources/blind.css" suffix(, 0)
END

BEGIN(hb_blind_html)
#embed "../View/Resources/blind.html" suffix(, 0)
END

BEGIN(hb_blind_js)
#embed "../View/Resources/blind.js" suffix(, 0)
END

BEGIN(hb_gallery_js)
#embed "../View/Resources/gallery.js" suffix(, 0)
END

BEGIN(hb_tried_js)
#embed "../View/Resources/tried.js" suffix(, 0)
END

BEGIN(hb_view_css)
#embed "../View/Resources/view.css" suffix(, 0)
END

BEGIN(hb_view_html)
#embed "../View/Resources/view.html" suffix(, 0)
END

BEGIN(hb_view_js)
#embed "../View/Resources/view.js" suffix(, 0)
END
