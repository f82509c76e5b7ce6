#ifndef TABLE_H
#define TABLE_H

/* Totals by name: a hash table with open addressing. */
struct table;

struct table *table_new(void);
void table_free(struct table *table);

/* Adds to a name's total, which starts at 0. */
void table_add(struct table *table, const char *name, long amount);

/* Calls `visit` for every name, in byte order. */
void table_each(const struct table *table, void (*visit)(const char *name, long total, void *data),
                void *data);

#endif
