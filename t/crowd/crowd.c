/* crowd.c: which thread is attached, and what else all threads need; see
   crowd.h. */

#include "crowd.h"

#include <sys/wait.h>

struct life *crowd_attached;
int crowd_forks;
int crowd_traversing;
PyObject *crowd_pool[POOL];
PyObject *crowd_weak[SLOTS];
void **crowd_slots;

void
crowd_broken(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    abort();
}

unsigned
life_chance(struct life *life, unsigned n)
{
    life->random ^= life->random << 13;
    life->random ^= life->random >> 7;
    life->random ^= life->random << 17;
    return (unsigned)(life->random >> 11) % n;
}

void
life_wait_for_child(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    must(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void
life_come_in(struct life *life)
{
    must(PyGILState_Check());
    must(crowd_attached == NULL);
    must(__atomic_load_n(&crowd_traversing, __ATOMIC_ACQUIRE) == 0);
    crowd_attached = life;
}

void
life_go_out(struct life *life)
{
    must(crowd_attached == life);
    crowd_attached = NULL;
}

void
life_let_others_in(void)
{
    struct life *life = crowd_attached;

    life_go_out(life);
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
    life_come_in(life);
}
