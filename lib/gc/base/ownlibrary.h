/* ownlibrary.h: the variables of the library, where it is a shared one.

   Boehm takes those of every shared library for roots.  Ours are types and
   tables, for the most part: a mark of a small heap would spend half of its
   time on them, and a word could keep what is garbage.  So Boehm leaves them
   out, but for those that are the host's words.  Where the library is a part
   of the program its variables are not told apart, and Boehm scans them. */

#ifndef PYBOEHM_BUILD
#error "internal header"
#endif
#ifndef PYB_GC_BASE_OWNLIBRARY_H
#define PYB_GC_BASE_OWNLIBRARY_H

/* PYB_HOST_WORDS: before the definition of a variable in which the host may
   have the only pointer to a block of Boehm's. */
#ifdef HAVE_LINK_H
#define PYB_HOST_WORDS __attribute__((section("pyb_host_words")))
#else
#define PYB_HOST_WORDS
#endif

/* pyb_ownlibrary_each: calls the function for each part of memory where
   variables lie that are not the host's words; for none if they are not told
   apart. */
void pyb_ownlibrary_each(void (*part)(void *begin, void *end));

#endif /* PYB_GC_BASE_OWNLIBRARY_H */
