#include "parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

enum line_kind parse_line(char *line, char **name, long *amount)
{
    char *rest, *end;
    char *number;

    if (line[0] == '#')
        return LINE_SKIP;
    *name = strtok_r(line, BLANKS, &rest);
    if (!*name)
        return LINE_SKIP;
    number = strtok_r(NULL, BLANKS, &rest);
    if (!number || strtok_r(NULL, BLANKS, &rest))
        return LINE_BAD;

    errno = 0;
    *amount = strtol(number, &end, 10);
    if (errno || *end != '\0')
        return LINE_BAD;
    return LINE_ENTRY;
}
