#ifndef FORMAT_H
#define FORMAT_H

#include "style.h"

void print_time(int minutes);

#endif
