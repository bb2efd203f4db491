/* hashsecret.c: the secret for hashes of str and bytes.  See hashsecret.h.
   Manual: "PYTHONHASHSEED"; getrandom(2), urandom(4). */

#include "Python.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_GETRANDOM
#include <sys/random.h>
#endif

#include "gc/base/environment.h"
#include "gc/base/fatal.h"
#include "types/hash/hashsecret.h"

enum { BYTES = sizeof(struct pyb_hashsecret) };

struct pyb_hashsecret pyb_hashsecret_made;
int pyb_hashsecret_is_made;

/* ------------------------------------------------------------------ */
/* Sources of the bytes                                                */

/* Bytes of a linear congruential generator, CPython's. */
static void
from_seed(uint32_t seed, unsigned char bytes[BYTES])
{
    for (int i = 0; i < BYTES; i++) {
        seed = seed * 214013 + 2531011;
        bytes[i] = (unsigned char)(seed >> 16);
    }
}

/* Returns 0, or -1 if the system has no getrandom, or no bytes yet. */
static int
from_getrandom(unsigned char bytes[BYTES])
{
#ifdef HAVE_GETRANDOM
    return getrandom(bytes, BYTES, GRND_NONBLOCK) == BYTES ? 0 : -1;
#else
    (void)bytes;
    return -1;
#endif
}

static int
from_device(unsigned char bytes[BYTES])
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, bytes, BYTES);

    if (fd >= 0)
        close(fd);
    if (got >= 0)
        errno = EIO; /* for the message, where there were too few */
    return got == BYTES ? 0 : -1;
}

static void
from_system(unsigned char bytes[BYTES])
{
    if (from_getrandom(bytes) < 0 && from_device(bytes) < 0)
        pyb_fatal_format("Py_HashBuffer",
                         "the system has no random numbers (%s); "
                         "PYBOEHM_HASHSEED=NUMBER does without",
                         strerror(errno));
}

/* ------------------------------------------------------------------ */
/* The secret                                                          */

/* The value of a text as a number; ends the process if it is not one. */
static uint32_t
parse_seed(const char *text)
{
    char *rest;
    unsigned long seed;

    errno = 0;
    seed = strtoul(text, &rest, 10);
    if (!Py_ISDIGIT(*text) || *rest != '\0' || errno != 0 || seed > UINT32_MAX)
        pyb_fatal_format("PYBOEHM_HASHSEED",
                         "must be \"random\" or an integer in range "
                         "[0; 4294967295], not \"%s\"",
                         text);
    return (uint32_t)seed;
}

/* Little-endian, as CPython's. */
static uint64_t
word_of(const unsigned char bytes[8])
{
    uint64_t word = 0;

    for (int i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

static void
make(void)
{
    const char *text = pyb_environment("PYBOEHM_HASHSEED");
    unsigned char bytes[BYTES] = {0};

    if (text == NULL || strcmp(text, "random") == 0) {
        from_system(bytes);
    } else {
        uint32_t seed = parse_seed(text);

        if (seed != 0)
            from_seed(seed, bytes);
    }
    _Static_assert(BYTES == 2 * sizeof(uint64_t), "the secret is two words");
    pyb_hashsecret_made =
        (struct pyb_hashsecret){word_of(bytes), word_of(bytes + 8)};
    __atomic_store_n(&pyb_hashsecret_is_made, 1, __ATOMIC_RELEASE);
}

void
pyb_hashsecret_make(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int error = errno;

    pthread_once(&once, make);
    errno = error;
}
