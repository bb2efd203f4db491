/* words.c: a program that uses Boehm's collector, of the kind that its users
   write, and that has never heard of pyboehm: an interning table with weak
   entries (intern.c), ropes (rope.c), finalizers of all kinds.

   words [-d] FILE reads a text into books of chapters and says what is in
   them; then it drops one book after another, and says what Boehm made of
   that.  With -d finalizers run on demand, without at any allocation.  The
   output is the same whenever Boehm collects in between, and in whatever
   process: t/hosts/same.sh compares it. */

#include "intern.h"
#include "rope.h"

#include <gc/gc.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAPTER = 15, BOOK = 4, BOOKS = 100 }; /* lines, chapters, books */

/* A chapter refers to the one after it: ordered finalizers close the chapters
   of a book in their order, one in each collection. */
struct chapter {
    int number;
    const struct rope *text;
    const char **words;
    size_t count, room;
    struct chapter *next;
    struct note *note;
};

/* A note and its author refer to one another: only finalizers without an order
   run there. */
struct note {
    struct note *author;
    struct chapter *about;
};

/* A place in a text; it refers to itself as well, which its finalizer is told
   to ignore. */
struct place {
    struct place *self;
    const struct rope *text;
};

static struct chapter *books[BOOKS];
static struct place *places[BOOKS];

/* Of functions that handle what is dropped later: their frames are gone when
   Boehm looks for references, not part of main's. */
#define APART __attribute__((noinline))

/* What finalizers did since the last report; they allocate, too. */
static struct {
    const struct rope *closed;
    int notes, places;
} done;

/* ------------------------------------------------------------------ */
/* Finalizers                                                          */

static void GC_CALLBACK
close_chapter(void *object, void *data)
{
    struct chapter *chapter = object;
    char line[80];
    int length =
        snprintf(line, sizeof line, " %d (%zu words, then %d)",
                 chapter->number, chapter->count,
                 chapter->next != NULL ? chapter->next->number : 0);

    (void)data;
    done.closed = rope_join(done.closed, rope_text(line, (size_t)length));
}

static void GC_CALLBACK
count_one(void *object, void *data)
{
    (void)object;
    ++*(int *)data;
}

/* ------------------------------------------------------------------ */
/* Reading                                                             */

static void *
new_block(size_t size)
{
    void *block = GC_MALLOC(size);

    if (block == NULL)
        abort();
    return block;
}

static struct note *
new_note(struct chapter *about, struct note *author)
{
    struct note *note = new_block(sizeof *note);

    *note = (struct note){author, about};
    GC_REGISTER_FINALIZER_NO_ORDER(note, count_one, &done.notes, NULL, NULL);
    return note;
}

static struct chapter *
new_chapter(int number)
{
    struct chapter *chapter = new_block(sizeof *chapter);

    chapter->number = number;
    GC_REGISTER_FINALIZER(chapter, close_chapter, NULL, NULL, NULL);
    /* The author is not to keep the chapter, or it would never be closed. */
    chapter->note = new_note(NULL, NULL);
    chapter->note->author = new_note(NULL, chapter->note);
    return chapter;
}

static struct place *
new_place(const struct rope *text)
{
    struct place *place = new_block(sizeof *place);

    *place = (struct place){place, text};
    GC_REGISTER_FINALIZER_IGNORE_SELF(place, count_one, &done.places, NULL,
                                      NULL);
    return place;
}

static void
add_word(struct chapter *chapter, const char *text, size_t length)
{
    if (chapter->count == chapter->room) {
        chapter->room = 2 * chapter->room + 8;
        chapter->words = GC_REALLOC(chapter->words,
                                    chapter->room * sizeof *chapter->words);
        if (chapter->words == NULL)
            abort();
    }
    chapter->words[chapter->count++] = intern(text, length);
}

static void
add_line(struct chapter *chapter, char *line)
{
    chapter->text =
        rope_join(chapter->text, rope_text(line, strlen(line)));
    for (char *end = line; *end != '\0'; line = end) {
        while (*line != '\0' && !isalnum((unsigned char)*line))
            line++;
        for (end = line; isalnum((unsigned char)*end); end++)
            *end = (char)tolower((unsigned char)*end);
        if (end > line)
            add_word(chapter, line, (size_t)(end - line));
    }
}

/* The next lines of the file; NULL if there are none. */
static struct chapter *
read_chapter(FILE *file, int number)
{
    struct chapter *chapter = NULL;
    char line[1000];

    for (int i = 0; i < CHAPTER && fgets(line, sizeof line, file); i++) {
        if (chapter == NULL)
            chapter = new_chapter(number);
        add_line(chapter, line);
    }
    return chapter;
}

static struct chapter *
read_book(FILE *file)
{
    struct chapter *first = NULL, **link = &first;

    for (int number = 1; number <= BOOK; number++) {
        *link = read_chapter(file, number);
        if (*link == NULL)
            break;
        link = &(*link)->next;
    }
    return first;
}

static APART int
read_books(const char *path)
{
    FILE *file = fopen(path, "r");
    int n = 0;

    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    while (n < BOOKS && (books[n] = read_book(file)) != NULL) {
        places[n] = new_place(books[n]->text);
        n++;
    }
    fclose(file);
    return n;
}

/* ------------------------------------------------------------------ */
/* Saying what there is                                                */

static int
by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Equal words are the same word: a pointer says so. */
static void
print_most_frequent(const struct chapter *chapter)
{
    size_t size = chapter->count * sizeof *chapter->words, most = 0;
    const char **words = new_block(size + 1), *word = "";

    if (size > 0)
        memcpy(words, chapter->words, size);
    qsort(words, chapter->count, sizeof *words, by_text);
    for (size_t i = 0, first = 0; i < chapter->count; i++) {
        if (words[i] != words[first])
            first = i;
        if (i - first + 1 > most) {
            most = i - first + 1;
            word = words[i];
        }
    }
    printf("%s %zu times", word, most);
}

static void
add_up(const char *text, size_t length, void *sum)
{
    for (size_t i = 0; i < length; i++)
        *(unsigned *)sum = 31 * *(unsigned *)sum + (unsigned char)text[i];
}

static void
print_text(const char *text, size_t length, void *arg)
{
    (void)arg;
    fwrite(text, 1, length, stdout);
}

static APART void
print_book(int number)
{
    printf("book %d\n", number);
    for (struct chapter *c = books[number]; c != NULL; c = c->next) {
        unsigned sum = 0;

        rope_each(c->text, add_up, &sum);
        printf("  chapter %d: %zu bytes, sum %08x, %zu words, ", c->number,
               rope_length(c->text), sum, c->count);
        print_most_frequent(c);
        putchar('\n');
    }
}

static APART void
print_place(int number)
{
    const struct place *place = places[number];

    printf("place %d: a text of %zu bytes\n", number,
           rope_length(place->self->text));
}

/* ------------------------------------------------------------------ */
/* Dropping                                                            */

/* Where stale pointers might stand that Boehm would take for references. */
static APART void
wipe(void)
{
    char stack[1 << 15];

    memset(stack, 0, sizeof stack);
    __asm__ volatile("" ::"r"(stack) : "memory");
}

static int
finalizers_ran(void)
{
    return (int)rope_length(done.closed) + done.notes + done.places;
}

/* Has Boehm collect until no finalizer comes of it: one chapter's makes the
   next chapter ready.  Boehm calls them by itself, or when it is asked to. */
static void
settle(void)
{
    int before;

    do {
        before = finalizers_ran();
        wipe();
        GC_gcollect();
        wipe();
        if (GC_get_finalize_on_demand())
            GC_invoke_finalizers();
    } while (finalizers_ran() != before);
}

static APART void
report(const char *what, int number)
{
    settle();
    printf("%s %d: closed", what, number);
    rope_each(done.closed, print_text, NULL);
    printf("; %d notes, %d places; %zu words\n", done.notes, done.places,
           intern_count());
    memset(&done, 0, sizeof done);
}

int
main(int argc, char **argv)
{
    int on_demand = argc > 1 && strcmp(argv[1], "-d") == 0;

    if (argc != 2 + on_demand) {
        fprintf(stderr, "usage: words [-d] FILE\n");
        return 2;
    }
    GC_INIT();
    GC_set_finalize_on_demand(on_demand);
    int n = read_books(argv[1 + on_demand]);
    for (int i = 0; i < n; i++)
        print_book(i);
    wipe();
    report("kept", n);
    for (int i = 0; i < n; i++) {
        books[i] = NULL;
        wipe();
        report("dropped book", i);
        print_place(i);
        places[i] = NULL;
        wipe();
        report("dropped place", i);
    }
    return 0;
}
