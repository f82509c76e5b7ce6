#include "zones.h"

#include <string.h>

int zone_offset(const char *name)
{
    if (strcmp(name, "east") == 0)
        return 90;
    if (strcmp(name, "west") == 0)
        return -300;
    return DEFAULT_OFFSET;
}
