// libjpeg-turbo's libjpeg API. jpeglib.h needs the declaration of stdio's FILE first.
#include <stdio.h>
#include <jpeglib.h>
