#include "format.h"

#include <stdio.h>

void print_time(int minutes)
{
    minutes = (minutes % 1440 + 1440) % 1440;
    printf("%02d" SEPARATOR "%02d\n", minutes / 60, minutes % 60);
}
