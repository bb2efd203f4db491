/* mod_noentry.c: a shared object that is no module, for check_import.c. */

extern int mod_noentry_nothing;
int mod_noentry_nothing;
