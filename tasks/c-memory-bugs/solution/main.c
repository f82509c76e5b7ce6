#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a line of any length without its newline. NULL at the end of the input. */
static char *read_line(FILE *in)
{
    size_t size = 64, length = 0;
    char *line = malloc(size);
    int c;

    while ((c = getc(in)) != EOF && c != '\n') {
        if (length + 1 == size) {
            size *= 2;
            line = realloc(line, size);
        }
        line[length++] = c;
    }
    if (c == EOF && length == 0) {
        free(line);
        return NULL;
    }
    line[length] = '\0';
    return line;
}

/* Cuts the first word off; what comes after it is empty if there is nothing. */
static char *cut(char *text)
{
    char *blank = strchr(text, ' ');

    if (!blank)
        return text + strlen(text);
    *blank = '\0';
    return blank + 1;
}

static void run(struct table *table, char *line)
{
    char *key = cut(line);
    char *value = cut(key);
    const char *found;

    if (strcmp(line, "count") == 0 && !*key) {
        printf("%zu\n", table_count(table));
    } else if (strcmp(line, "list") == 0 && !*key) {
        const char **keys = table_keys(table);

        for (size_t i = 0; keys[i]; i++)
            puts(keys[i]);
        free(keys);
    } else if (strcmp(line, "clear") == 0 && !*key) {
        table_clear(table);
    } else if (!*key) {
        puts("?");
    } else if (strcmp(line, "set") == 0) {
        table_set(table, key, value);
    } else if (strcmp(line, "append") == 0) {
        table_append(table, key, value);
    } else if (*value) {
        puts("?");
    } else if (strcmp(line, "get") == 0) {
        found = table_get(table, key);
        puts(found ? found : "(none)");
    } else if (strcmp(line, "del") == 0) {
        printf("%zu\n", table_delete(table, key));
    } else if (strcmp(line, "drop") == 0) {
        printf("%zu\n", table_drop(table, key));
    } else {
        puts("?");
    }
}

int main(void)
{
    struct table *table = table_new();
    char *line;

    while ((line = read_line(stdin))) {
        if (*line)
            run(table, line);
        free(line);
    }
    table_free(table);
    return 0;
}
