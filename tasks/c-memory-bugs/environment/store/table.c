#include "table.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 64

struct node {
    struct node *next;
    char *key;
    char *value;
};

struct table {
    struct node *buckets[BUCKETS];
    struct node *last; /* The node that was looked up last: often it is asked for again. */
    size_t count;
};

static unsigned hash(const char *key)
{
    int sum = 0;

    while (*key)
        sum += *key++;
    return sum % BUCKETS;
}

static struct node *find(const struct table *table, const char *key)
{
    struct node *node;

    if (table->last && strcmp(table->last->key, key) == 0)
        return table->last;
    for (node = table->buckets[hash(key)]; node; node = node->next)
        if (strcmp(node->key, key) == 0)
            break;
    ((struct table *)table)->last = node;
    return node;
}

static struct node *add(struct table *table, const char *key)
{
    struct node *node = malloc(sizeof *node);
    unsigned bucket = hash(key);

    node->key = strdup(key);
    node->next = table->buckets[bucket];
    table->buckets[bucket] = node;
    table->count++;
    return node;
}

static void release(struct node *node)
{
    free(node->key);
    free(node->value);
    free(node);
}

struct table *table_new(void)
{
    struct table *table = malloc(sizeof *table);

    memset(table, 0, sizeof table);
    return table;
}

void table_set(struct table *table, const char *key, const char *value)
{
    struct node *node = find(table, key);
    size_t length = strlen(value);

    if (!node) {
        node = add(table, key);
        node->value = strdup(value);
        return;
    }
    if (length > strlen(node->value))
        node->value = realloc(node->value, length);
    strcpy(node->value, value);
}

void table_append(struct table *table, const char *key, const char *value)
{
    struct node *node = find(table, key);
    size_t length;

    if (!node) {
        node = add(table, key);
        node->value = malloc(strlen(value) + 1);
    }
    length = strlen(node->value);
    node->value = realloc(node->value, length + strlen(value) + 1);
    strcpy(node->value + length, value);
}

const char *table_get(const struct table *table, const char *key)
{
    struct node *node = find(table, key);

    return node ? node->value : NULL;
}

size_t table_delete(struct table *table, const char *key)
{
    struct node **link = &table->buckets[hash(key)];

    for (; *link; link = &(*link)->next) {
        struct node *node = *link;

        if (strcmp(node->key, key) == 0) {
            *link = node->next;
            release(node);
            table->count--;
            return 1;
        }
    }
    return 0;
}

size_t table_drop(struct table *table, const char *prefix)
{
    size_t dropped = 0;

    for (int i = 0; i < BUCKETS; i++) {
        struct node *node;

        for (node = table->buckets[i]; node; node = node->next)
            if (strncmp(node->key, prefix, strlen(prefix)) == 0)
                dropped += table_delete(table, node->key);
    }
    return dropped;
}

void table_clear(struct table *table)
{
    for (int i = 0; i < BUCKETS; i++) {
        struct node *node = table->buckets[i];

        while (node) {
            struct node *next = node->next;

            release(node);
            node = next;
        }
    }
    table->count = 0;
}

void table_free(struct table *table)
{
    table_clear(table);
    free(table);
}

size_t table_count(const struct table *table)
{
    return table->count;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **table_keys(const struct table *table)
{
    const char **keys = malloc(table->count * sizeof *keys);
    size_t n = 0;

    for (int i = 0; i < BUCKETS; i++)
        for (struct node *node = table->buckets[i]; node; node = node->next)
            keys[n++] = node->key;
    keys[n] = NULL;
    qsort(keys, n, sizeof *keys, compare);
    return keys;
}
