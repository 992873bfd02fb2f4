#include "CProcessShim.h"
