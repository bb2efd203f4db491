/* ownlibrary.h: the variables of the library, where it is a shared one.

   Boehm takes those of every shared library for roots.  Ours are types and
   tables, for the most part: a mark of a small heap would spend half of its
   time on them, and a word could keep what is garbage.  So Boehm leaves them
   out, but for pyb_host_words.  Where the library is a part of the program its
   variables are not told apart, and Boehm scans them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_OWNLIBRARY_H
#define PYB_GC_BASE_OWNLIBRARY_H

enum { PYB_PENDING_MAX = 300 };

/* Arguments of functions of the host's: it may have no other pointer to a
   block of Boehm's. */
extern struct pyb_host_words {
    void *pending[PYB_PENDING_MAX]; /* of pending calls, by their places */
    void *warning_hook;
    void *unraisable_hook;
    void *open_code_hook;
} pyb_host_words;

/* pyb_ownlibrary_each: calls the function for each part of memory where other
   variables lie; for none if they are not told apart. */
void pyb_ownlibrary_each(void (*part)(void *begin, void *end));

#endif /* PYB_GC_BASE_OWNLIBRARY_H */
