#include "format.h"
#include "version.h"
#include "zones.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clock --version | clock ZONE MINUTES */
int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("clock %s\n", VERSION);
        return 0;
    }
    if (argc != 3)
        return 2;
    print_time(atoi(argv[2]) + zone_offset(argv[1]));
    return 0;
}
