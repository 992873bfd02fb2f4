// libjpeg-turbo's libjpeg API. jpeglib.h needs stdio's FILE to be known first.
#include <stdio.h>
#include <jpeglib.h>
