#!/bin/sh
# bugs.sh: each mistake of t/watch/bugs/bugs.c is named by the tools that
# t/watch/bugs/bugs.txt says, and a program without one by none of them; names
# of variables that are misspelt are reported, and PYBOEHM_HELP=1 lists them.
set -u

: "${srcdir=.}" "${builddir=.}" "${VALGRIND=valgrind}"
here=$srcdir/t/watch/bugs
program=$builddir/t/watch/bugs/bugs
said=$(mktemp) || exit
trap 'rm -f "$said" "$said.rows" "$said.asan" "$said.plain"' EXIT
failed=0
ulimit -c 0
unset PYBOEHM_CHECK PYBOEHM_AUDIT PYBOEHM_LEAKS PYBOEHM_TRACE PYBOEHM_MALLOC

# report NAME OK: one line for the driver; what was said if it is not ok.
report() {
    if test "$2" = yes; then
        echo "ok - bugs: $1"
    else
        echo "not ok - bugs: $1"
        cat "$said"
        failed=1
    fi
}

case ${functions-HAVE_PROCESS_VM_READV HAVE_BACKTRACE HAVE_LINK_H} in
*HAVE_BACKTRACE*HAVE_LINK_H* | *HAVE_LINK_H*HAVE_BACKTRACE*) ;;
*)
    echo '# left out: this system has no backtrace, or no link.h'
    exit 77
    ;;
esac

lines=
case " ${CFLAGS-} $(ldconfig -p 2>/dev/null | tr '\n\t' '  ')" in
*' -g '*' libdw.so.1 '*) lines=yes ;;
*) echo '# no -g, or no libdw: lines are not told' ;;
esac
command -v "$VALGRIND" >/dev/null || VALGRIND=
case "${CC-} ${CFLAGS-}" in
*-fsanitize*) VALGRIND= ;;
esac
# Those of clang are newer than valgrind 3.19 can read.
case ${CC-} in
*clang*) VALGRIND= ;;
esac
test -n "$VALGRIND" || echo '# left out: no valgrind, or none that can be used'

# The programs under AddressSanitizer, with the library as it is.
asan=
case "${CC-} ${CFLAGS-}" in
*-fsanitize* | *-static*) ;;
*)
    asan=$said.asan
    ${CC-cc} -g -O1 -fsanitize=address -I"$srcdir/include" "$here/bugs.c" \
        -o "$asan" "$builddir/.libs/libpyboehm.so" >"$said" 2>&1 &&
        LD_LIBRARY_PATH=$builddir/.libs ASAN_OPTIONS=detect_leaks=0 \
            "$asan" nothing_wrong >"$said" 2>&1 || asan=
    ;;
esac
test -n "$asan" || echo '# left out: no AddressSanitizer that can be used'

# run TOOL PROGRAM
run() {
    if test "$1" = valgrind; then
        PYBOEHM_MALLOC=plain "$builddir/libtool" --mode=execute "$VALGRIND" \
            --quiet --suppressions="$srcdir/tools/pyboehm.supp" \
            --num-callers=30 "$program" "$2"
    elif test "$1" = asan; then
        LD_LIBRARY_PATH=$builddir/.libs PYBOEHM_MALLOC=plain \
            ASAN_OPTIONS=detect_leaks=0:fast_unwind_on_malloc=0 "$asan" "$2"
    else
        (eval "export $1"; exec "$program" "$2")
    fi >"$said" 2>&1
}

sed -n 's/ *| */|/g; /^[a-z]/p' "$here/bugs.txt" >"$said.rows"
last=
while IFS='|' read -r name _ tool expected; do
    test "$tool" = valgrind && test -z "$VALGRIND" && continue
    test "$tool" = asan && test -z "$asan" && continue
    case $expected in
    *LINE*)
        test -n "$lines" || continue
        line=$(awk -v "name=$name" '
            index($0, name "(void)") == 1 { inside = 1 }
            inside && /MISTAKE/ { print NR; exit }' "$here/bugs.c")
        expected=$(echo "$expected" | sed "s/LINE/$line/")
        ;;
    esac
    # Which blocks there are only glibc's malloc shows; and a sanitizer handles
    # SIGSEGV itself.
    case "${CC-} ${CFLAGS-}-$name-$tool" in
    *-fsanitize*-no_have_gc-* | *-fsanitize*-leaked_in_plain-*) continue ;;
    *-fsanitize*-decref_large-*) continue ;; # it keeps what was freed
    *-fsanitize*-follow_freed_node-PYBOEHM_CHECK*) continue ;;
    *-fsanitize*-crash-*) continue ;;
    esac
    # The check of a checked build ends the program before the audit.
    case "${checks-}-$name-$tool" in
    *-DPYBOEHM_CHECKS*-crash-* | \
        *-DPYBOEHM_CHECKS*-visits_*-PYBOEHM_AUDIT* | \
        *-DPYBOEHM_CHECKS*-no_clear_weakrefs-PYBOEHM_AUDIT* | \
        *-DPYBOEHM_CHECKS*-collects_in_dealloc-PYBOEHM_AUDIT* | \
        *-DPYBOEHM_CHECKS*-decref_adopted-PYBOEHM_AUDIT* | \
        *-DPYBOEHM_CHECKS*-size_8_short-PYBOEHM_AUDIT*) continue ;;
    esac
    test "$tool $name" = "$last" || run "$tool" "$name"
    last="$tool $name"
    ok=no
    grep -qE "^ *$expected" "$said" ||
        grep -qE "^    .*$expected" "$said" && ok=yes
    report "$name, $tool: $expected" $ok
done <"$said.rows"

# Of an object that is misused it is said where it was made, freed and used, by
# functions of the program alone.
run PYBOEHM_CHECK=1 decref_str
ok=no
awk '
    / here:$/ { part = $1; next }
    part != "" && /^    / { lines[part] += / \(bugs\+0x/; others += /\(libpyboehm/ }
    END {
        exit lines["made"] == 0 || lines["freed"] == 0 || lines["used"] == 0 ||
            others > 0
    }' "$said" && ok=yes
report 'decref_str, PYBOEHM_CHECK=1: made, freed and used here' $ok

# What is found when an object is freed is not said to be freed there, and of
# its count there is nothing to tell.
run PYBOEHM_CHECK=1 plain_8_short
ok=no
grep -q '^  made here:' "$said" && grep -q '^  used here:' "$said" &&
    ! grep -q 'freed here:\|pyboehm-count' "$said" && ok=yes
report 'plain_8_short, PYBOEHM_CHECK=1: made and used here' $ok

# So it is where Py_DECREF is not inlined, which is none of the program's.
case "${CC-} ${CFLAGS-} $lines" in
*-fsanitize* | *-static* | *' ') ;;
*)
    ${CC-cc} -g -O0 -I"$srcdir/include" "$here/bugs.c" -o "$said.plain" \
        "$builddir/.libs/libpyboehm.so" >"$said" 2>&1 &&
        LD_LIBRARY_PATH=$builddir/.libs PYBOEHM_CHECK=1 \
            "$said.plain" decref_str >"$said" 2>&1
    ok=no
    grep -A 1 '  freed here:' "$said" | grep -q '^    decref_str+' &&
        grep -q '^    node_dealloc+' "$said" &&
        ! grep -q '^    Py_X*DECREF+' "$said" && ok=yes
    report 'decref_str, PYBOEHM_CHECK=1, -O0: freed here' $ok
    ;;
esac

# clean TOOL EXPECTED: what is said of a program that is right.
clean() {
    run "$1" nothing_wrong
    ok=no
    sed 's/[0-9][0-9]* types, [0-9][0-9]* objects/N/' "$said" >"$said.rows"
    test "$(cat "$said.rows")" = "$2" && ok=yes
    report "nothing_wrong, $1" $ok
}
clean PYBOEHM_CHECK=1 ''
clean PYBOEHM_AUDIT=1 'pyboehm audit: N, 0 findings'
clean 'PYBOEHM_LEAKS=1 PYBOEHM_TRACE=4' 'pyboehm: no leaks'
test -z "$VALGRIND" || clean valgrind ''
test -z "$asan" || clean asan ''

# On a terminal headlines are bold, unless that is not wanted.
on_terminal() {
    TERM=$1 NO_COLOR=$2 PYBOEHM_AUDIT=1 PYBOEHM_LEAKS=1 "$builddir/libtool" \
        --mode=execute script -qec "$program forgotten_visit" /dev/null
}
if command -v script >/dev/null; then
    bold=$(printf '\033[1m')
    on_terminal xterm '' </dev/null >"$said" 2>&1
    ok=no
    grep -qF "pyboehm audit: ${bold}bugs.Node+" "$said" &&
        ! on_terminal xterm 1 </dev/null 2>&1 | grep -qF "$bold" &&
        ! on_terminal dumb '' </dev/null 2>&1 | grep -qF "$bold" && ok=yes
    report 'headlines on a terminal are bold' $ok
fi

# Without Py_Finalize the reports are written at exit.
PYBOEHM_LEAKS=error PYBOEHM_GRAPH="$said.json" "$program" leaked_container \
    exit >"$said" 2>&1
status=$?
ok=no
grep -q '^pyboehm: objects alive at exit, where Py_Finalize was not called' \
    "$said" && grep -qE '^ +[0-9]+ +[0-9]+ +20 +[0-9]+ +0 +0  list' "$said" &&
    ! grep -q "sys" "$said" && test $status = 0 &&
    grep -q '"pyboehm_graph": 1' "$said.json" && ok=yes
rm -f "$said.json"
report 'leaked_container, no Py_Finalize' $ok
clean PYBOEHM_CHEKC=1 \
    'pyboehm: there is no variable PYBOEHM_CHEKC; is PYBOEHM_CHECK meant?
  PYBOEHM_HELP=1 lists them'
clean PYBOEHM_CHECK=yes 'pyboehm: PYBOEHM_CHECK=yes: give it 0 or 1'
clean PYBOEHM_AUDIT=yes 'pyboehm: PYBOEHM_AUDIT=yes: give it 0, 1 or error'
test -n "$checks" || clean PYBOEHM_QUARANTINE=9 \
    'pyboehm: PYBOEHM_QUARANTINE does nothing without PYBOEHM_CHECK=1'
test -n "$checks" || clean PYBOEHM_TRACE=4 \
    'pyboehm: PYBOEHM_TRACE: nothing has asked for what was recorded: '\
'PYBOEHM_LEAKS=1 or PYBOEHM_REPORT=heap.html beside it does'
clean PYBOEHM_TRACE=deep 'pyboehm: PYBOEHM_TRACE=deep: give it a number'
clean PYBOEHM_CFLAGS=-g ''
clean PYBOEHM_check=1 \
    'pyboehm: there is no variable PYBOEHM_check; is PYBOEHM_CHECK meant?
  PYBOEHM_HELP=1 lists them'
clean PYBOEHM_SNAPSHOTS=yes \
    'pyboehm: PYBOEHM_SNAPSHOTS=yes: give it a number'
clean PYBOEHM_FOO=1 'pyboehm: there is no variable PYBOEHM_FOO
  PYBOEHM_HELP=1 lists them'
clean PYBOEHM_ELEPHANTS=1 'pyboehm: there is no variable PYBOEHM_ELEPHANTS
  PYBOEHM_HELP=1 lists them'

# Each variable that the library reads is in the list, and in the manual page.
run PYBOEHM_HELP=1 nothing_wrong
mv "$said" "$said.rows"
find "$srcdir/lib" -name '*.c' -exec \
    sed -n 's/.*pyb_environment("\(PYBOEHM_[A-Z_]*\)").*/\1/p' {} + | sort -u |
    while read -r name; do
        grep -q "^  $name " "$said.rows" || echo "$name: not in PYBOEHM_HELP"
        grep -q "^.B $name\$" "$srcdir/man/pyboehm.7" ||
            echo "$name: not in pyboehm(7)"
    done >"$said"
ok=no
test -s "$said" || ok=yes
report 'PYBOEHM_HELP=1 and pyboehm(7) have all variables' $ok
exit $failed
