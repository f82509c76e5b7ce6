#ifndef PARSE_H
#define PARSE_H

enum line_kind { LINE_ENTRY, LINE_SKIP, LINE_BAD };

/* Splits a line in place; *name points into it. */
enum line_kind parse_line(char *line, char **name, long *amount);

#endif
