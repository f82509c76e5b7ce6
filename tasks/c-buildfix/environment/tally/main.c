#include <stdio.h>
#include <stdlib.h>

#include "parse.h"
#include "table.h"

static void print_entry(const char *name, long total, void *unused)
{
    (void)unused;
    printf("%s %ld\n", name, total);
}

int main(void)
{
    struct table *totals = table_new();
    char line[1024];
    unsigned long number = 0;

    while (fgets(line, sizeof line, stdin)) {
        char *name;
        long amount;

        number++;
        switch (parse_line(line, &name, &amount)) {
        case LINE_ENTRY:
            table_add(totals, name, amount);
            break;
        case LINE_SKIP:
            break;
        case LINE_BAD:
            fprintf(stderr, "tally: line %lu: not a name and a number\n", number);
            table_free(totals);
            return EXIT_FAILURE;
        }
    }
    table_each(totals, print_entry, NULL);
    table_free(totals);
    return EXIT_SUCCESS;
}
