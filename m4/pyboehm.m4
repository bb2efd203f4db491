# pyboehm.m4: for the configure.ac of programs and modules that use pyboehm.

# PYBOEHM_CHECK([MINIMUM-VERSION], [ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# Looks for pyboehm with pkg-config, of the version given or newer, and
# substitutes
#
#   PYBOEHM_CFLAGS   for the compiler: where <Python.h> is
#   PYBOEHM_LIBS     for the linker
#
# A shared module that a program imports needs PYBOEHM_CFLAGS only.  Without an
# ACTION-IF-NOT-FOUND, configure ends with an error that says what to do.
AC_DEFUN([PYBOEHM_CHECK],
[PKG_CHECK_MODULES([PYBOEHM],
  [pyboehm]m4_ifval([$1], [[ >= $1]]),
  [m4_default([$2], [:])],
  [m4_default([$3],
    [AC_MSG_ERROR([pyboehm]m4_ifval([$1], [[ $1]])[ was not found.
Set PKG_CONFIG_PATH to the directory that holds its pyboehm.pc:
$PYBOEHM_PKG_ERRORS])])])])
