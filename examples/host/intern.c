/* intern.c: a hash table that does not keep what it holds.

   An entry has its word's address hidden from Boehm, which writes 0 there when
   nothing else leads to the word: a disappearing link.  An empty entry leaves
   its chain when the chain is searched or moved. */

#include "intern.h"

#include <gc/gc.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    GC_hidden_pointer word;
    size_t hash;
};

static struct {
    struct entry **chains;
    size_t size, entries; /* the size is a power of 2 */
} table;

static size_t
hash_of(const char *text, size_t length)
{
    size_t hash = 5381;

    for (size_t i = 0; i < length; i++)
        hash = 33 * hash + (unsigned char)text[i];
    return hash ^ hash >> 17;
}

/* The lock keeps Boehm from emptying the entry between the look at it and the
   moment when the stack has the word. */
static void *GC_CALLBACK
reveal(void *data)
{
    struct entry *entry = data;

    return entry->word != 0 ? GC_REVEAL_POINTER(entry->word) : NULL;
}

/* The entry's word, or NULL if it is no more. */
static char *
word_of(struct entry *entry)
{
    return GC_call_with_alloc_lock(reveal, entry);
}

static struct entry **
chain_of(size_t hash)
{
    return &table.chains[hash & (table.size - 1)];
}

static void
move_chain(struct entry *entry)
{
    while (entry != NULL) {
        struct entry *next = entry->next;

        if (word_of(entry) == NULL) {
            table.entries--;
        } else {
            struct entry **chain = chain_of(entry->hash);

            entry->next = *chain;
            *chain = entry;
        }
        entry = next;
    }
}

static void
grow(void)
{
    struct entry **old = table.chains;
    size_t size = table.size;

    table.size = size > 0 ? 2 * size : 64;
    table.chains = GC_MALLOC(table.size * sizeof *table.chains);
    if (table.chains == NULL)
        abort();
    for (size_t i = 0; i < size; i++)
        move_chain(old[i]);
}

static char *
find(struct entry **link, const char *text, size_t length, size_t hash)
{
    while (*link != NULL) {
        char *word = word_of(*link);

        if (word == NULL) {
            *link = (*link)->next;
            table.entries--;
            continue;
        }
        if ((*link)->hash == hash && strncmp(word, text, length) == 0 &&
            word[length] == '\0')
            return word;
        link = &(*link)->next;
    }
    return NULL;
}

static char *
add(struct entry **chain, const char *text, size_t length, size_t hash)
{
    char *word = GC_MALLOC_ATOMIC(length + 1);
    struct entry *entry = GC_MALLOC(sizeof *entry);

    if (word == NULL || entry == NULL)
        abort();
    memcpy(word, text, length);
    word[length] = '\0';
    *entry = (struct entry){*chain, GC_HIDE_POINTER(word), hash};
    if (GC_GENERAL_REGISTER_DISAPPEARING_LINK((void **)&entry->word, word) !=
        GC_SUCCESS)
        abort();
    *chain = entry;
    table.entries++;
    return word;
}

const char *
intern(const char *text, size_t length)
{
    size_t hash = hash_of(text, length);

    if (table.entries >= table.size)
        grow();
    struct entry **chain = chain_of(hash);
    char *word = find(chain, text, length, hash);
    return word != NULL ? word : add(chain, text, length, hash);
}

size_t
intern_count(void)
{
    size_t n = 0;

    for (size_t i = 0; i < table.size; i++)
        for (struct entry *e = table.chains[i]; e != NULL; e = e->next)
            n += word_of(e) != NULL;
    return n;
}
