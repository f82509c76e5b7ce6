#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 16

struct entry {
    char *name; /* NULL: the slot is free */
    long total;
};

struct table {
    struct entry *slots;
    size_t size; /* a power of two */
    size_t used;
};

static void *need(void *memory)
{
    if (!memory) {
        fputs("tally: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static size_t hash(const char *name)
{
    size_t h = 5381;

    while (*name)
        h = h * 33 + (unsigned char)*name++;
    return h;
}

/* The slot that holds the name, or the free one where it belongs. */
static struct entry *find(struct entry *slots, size_t size, const char *name)
{
    size_t i = hash(name) & (size - 1);

    while (slots[i].name && strcmp(slots[i].name, name) != 0)
        i = (i + 1) & (size - 1);
    return &slots[i];
}

static void grow(struct table *table)
{
    size_t size = table->size * 2;
    struct entry *slots = need(calloc(size, sizeof *slots));

    for (size_t i = 0; i < table->size; i++)
        slots[i] = table->slots[i];
    free(table->slots);
    table->slots = slots;
    table->size = size;
}

struct table *table_new(void)
{
    struct table *table = need(malloc(sizeof *table));

    table->size = FIRST_SIZE;
    table->used = 0;
    table->slots = need(calloc(table->size, sizeof *table->slots));
    return table;
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->size; i++)
        free(table->slots[i].name);
    free(table->slots);
    free(table);
}

void table_add(struct table *table, const char *name, long amount)
{
    struct entry *entry = find(table->slots, table->size, name);

    if (!entry->name) {
        entry->name = need(strdup(name));
        entry->total = 0;
        table->used++;
    }
    entry->total += amount;
    /* Kept at most three quarters full, so that a search always meets a free slot. */
    if (table->used * 4 > table->size * 3)
        grow(table);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

void table_each(const struct table *table, void (*visit)(const char *name, long total, void *data),
                void *data)
{
    struct entry *sorted = need(calloc(table->used + 1, sizeof *sorted));
    size_t count = 0;

    for (size_t i = 0; i < table->size; i++)
        if (table->slots[i].name)
            sorted[count++] = table->slots[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0; i < count; i++)
        visit(sorted[i].name, sorted[i].total, data);
    free(sorted);
}
