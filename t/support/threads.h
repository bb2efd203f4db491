/* threads.h: for tests with threads.

   Check's assertions are for one thread at a time: the attached one.  What
   others find they leave to it. */

#ifndef T_THREADS_H
#define T_THREADS_H

#include <Python.h>
#include <pthread.h>

/* threads_start: a thread that runs function(arg).  threads_join: waits for
   its end, detached.  threads_elsewhere: both. */
pthread_t threads_start(void *(*function)(void *), void *arg);
void threads_join(pthread_t thread);
void threads_elsewhere(void *(*function)(void *), void *arg);

/* threads_beside: a thread of Boehm's runs function(NULL) to its end, while
   this one stays as it is, attached or not. */
void threads_beside(void *(*function)(void *));

/* threads_found: notes what a thread has found, under a number below eight. */
void threads_found(int i, int finding);
extern int threads_findings[8];

/* Gates, for threads that go on by turns: each is closed until a thread opens
   it, and lets one through.  threads_make_gates: closes all eight.
   threads_pass_gate: waits for it, detached. */
void threads_make_gates(void);
void threads_open_gate(int i);
void threads_pass_gate(int i);
extern PyThread_type_lock threads_gates[8];

#endif /* T_THREADS_H */
