#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

struct table;

struct table *table_new(void);
void table_free(struct table *table);

void table_set(struct table *table, const char *key, const char *value);
void table_append(struct table *table, const char *key, const char *value);

/* NULL if the key is not there. */
const char *table_get(const struct table *table, const char *key);

/* How many keys were forgotten. */
size_t table_delete(struct table *table, const char *key);
size_t table_drop(struct table *table, const char *prefix);
void table_clear(struct table *table);

size_t table_count(const struct table *table);

/* All keys in byte order. The array is the caller's, the keys are the table's. */
const char **table_keys(const struct table *table);

#endif
