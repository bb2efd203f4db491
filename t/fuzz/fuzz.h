/* fuzz.h: what the fuzzers have in common.

   A fuzzer is a program with LLVMFuzzerTestOneInput and libFuzzer's main.  It
   reads its input as a stream: numbers, texts and objects as it wants them;
   where the input ends, all is zero.  Whatever comes, the library must not
   crash, and must keep what each fuzzer promises with fuzz_check. */

#ifndef T_FUZZ_FUZZ_H
#define T_FUZZ_FUZZ_H

#include <Python.h>
#include <stdint.h>

struct fuzz_input {
    const uint8_t *p, *end;
};

/* LLVMFuzzerTestOneInput: the fuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_begin, fuzz_end: around each input; the library is initialized once.
   The latter drops a pending exception and collects now and then. */
struct fuzz_input fuzz_begin(const uint8_t *data, size_t size);
void fuzz_end(void);

/* fuzz_check: ends the run if the condition does not hold. */
#define fuzz_check(condition)                                                 \
    ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

/* fuzz_below: a number from 0 to n - 1, n at most 256.  fuzz_word: one of
   eight bytes, mostly small. */
unsigned fuzz_below(struct fuzz_input *in, unsigned n);
uint64_t fuzz_word(struct fuzz_input *in);

/* fuzz_text: the bytes up to the next null or end of line, as many as fit into
   room with a null behind them; returns their number. */
size_t fuzz_text(struct fuzz_input *in, char *text, size_t room);

/* fuzz_str: a str of such a text in UTF-8, what is not UTF-8 replaced.
   fuzz_object: a new reference to an object of a built-in type. */
PyObject *fuzz_str(struct fuzz_input *in);
PyObject *fuzz_object(struct fuzz_input *in);

/* fuzz_limit_numbers: ends the format where a number has more than three
   digits: what would be so wide takes no less time than memory. */
void fuzz_limit_numbers(char *format);

/* fuzz_raised: checks that an exception is pending exactly if failed; drops
   it. */
void fuzz_raised(int failed);

#endif /* T_FUZZ_FUZZ_H */
