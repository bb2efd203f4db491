# pyb_cflags.m4: which flags does this compiler know?

# PYB_TRY_FLAGS(FLAGS, ACTION-IF-TAKEN, ACTION-IF-NOT): links a program with
# the flags; a compiler that only warns about them does not know them.
AC_DEFUN([PYB_TRY_FLAGS],
[AC_MSG_CHECKING([whether $CC takes $1])
pyb_save_cflags=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
  [pyb_taken=yes], [pyb_taken=no])
CFLAGS=$pyb_save_cflags
AC_MSG_RESULT([$pyb_taken])
AS_IF([test $pyb_taken = yes], [$2], [$3])])

# PYB_PROBE_CFLAGS(VARIABLE, FLAGS): appends those of the flags to the variable
# that the compiler knows.
AC_DEFUN([PYB_PROBE_CFLAGS],
[for pyb_flag in $2
do
  PYB_TRY_FLAGS([$pyb_flag], [AS_VAR_APPEND([$1], [" $pyb_flag"])])
done])

# PYB_NEED_CFLAGS(VARIABLE, FLAGS): appends the flags to the variable; an error
# if the compiler does not know them.
AC_DEFUN([PYB_NEED_CFLAGS],
[pyb_flags="m4_normalize([$2])"
PYB_TRY_FLAGS([$pyb_flags], [AS_VAR_APPEND([$1], [" $pyb_flags"])],
  [AC_MSG_ERROR([$CC cannot build a program with $pyb_flags])])])
