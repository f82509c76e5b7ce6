/* A strict allocator: every block ends at a page that can't be touched, and a released block is never used again, so that
 * each wrong access ends the program at once. New blocks hold rubbish. Exit code 99: a block was still in use at the end;
 * 98: something was released that is no block. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX 30000

void __real_free(void *block);
void *__real_realloc(void *block, size_t size);

static struct block {
    char *start;
    size_t size;
    char *pages;
    size_t length;
    int used;
} blocks[MAX];
static size_t count;

static void stop(int code, const char *why)
{
    dprintf(2, "guard: %s\n", why);
    _exit(code);
}

void *__wrap_malloc(size_t size)
{
    size_t page = sysconf(_SC_PAGESIZE);
    size_t length = (size + page - 1) / page * page + page;
    struct block *block = &blocks[count++];

    if (count >= MAX)
        stop(97, "too many blocks");
    block->pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->pages == MAP_FAILED)
        stop(97, "no memory");
    memset(block->pages, 0xA5, length - page);
    mprotect(block->pages + length - page, page, PROT_NONE);
    block->length = length;
    block->size = size;
    block->start = block->pages + length - page - size;
    block->used = 1;
    return block->start;
}

static struct block *find(void *start)
{
    for (size_t i = count; i-- > 0;)
        if (blocks[i].start == start)
            return &blocks[i];
    return NULL;
}

void __wrap_free(void *start)
{
    struct block *block;

    if (!start)
        return;
    block = find(start);
    if (!block) {
        /* From inside of the C library, as the line of getline. */
        __real_free(start);
        return;
    }
    if (!block->used)
        stop(98, "a block was released twice");
    for (char *at = block->pages; at < block->start; at++)
        if ((unsigned char)*at != 0xA5)
            stop(98, "something was written before the beginning of a block");
    block->used = 0;
    mprotect(block->pages, block->length, PROT_NONE);
}

void *__wrap_calloc(size_t number, size_t size)
{
    void *start;

    if (size && number > SIZE_MAX / 2 / size)
        return NULL;
    start = __wrap_malloc(number * size);
    return memset(start, 0, number * size);
}

void *__wrap_realloc(void *old, size_t size)
{
    struct block *block;
    void *start;

    if (!old)
        return __wrap_malloc(size);
    block = find(old);
    if (!block)
        return __real_realloc(old, size);
    if (!block->used)
        stop(98, "realloc of a released block");
    start = __wrap_malloc(size);
    memcpy(start, old, block->size < size ? block->size : size);
    __wrap_free(old);
    return start;
}

char *__wrap_strdup(const char *text)
{
    return strcpy(__wrap_malloc(strlen(text) + 1), text);
}

char *__wrap_strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = memcpy(__wrap_malloc(length + 1), text, length);

    copy[length] = '\0';
    return copy;
}

__attribute__((destructor)) static void finish(void)
{
    fflush(stdout);
    for (size_t i = 0; i < count; i++)
        if (blocks[i].used)
            stop(99, "a block was still in use at the end");
}
