#!/bin/sh
# probes.sh: the static probes: the library's notes name those of
# doc/statistics.md, each is a nop while no tool watches, and gdb sees all of
# them, with their arguments, when t/gdb/probes collects.
set -u

: "${srcdir=.}" "${builddir=.}" "${DTRACE=no}"
library=$(ls "$builddir"/.libs/libpyboehm.so.? 2>/dev/null)

skip() {
    echo "# skipped: $1"
    exit 77
}

test "$DTRACE" = yes || skip 'this build has no probes'
test -n "$library" || skip 'there is no shared library'
command -v readelf >/dev/null || skip 'there is no readelf'
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

# same WHAT FILE FILE: the two are the same.
same() {
    if diff "$2" "$3" >"$work/diff"; then
        echo "ok - $1"
    else
        echo "not ok - $1"
        cat "$work/diff"
        status=1
    fi
}

# The notes: place, name, how many arguments.
LC_ALL=C readelf -n "$library" | awk '
    / Provider: / { ours = $NF == "pyboehm" }
    $1 == "Name:" { name = $2 }
    $1 == "Location:" { sub(",", "", $2); place = $2 }
    $1 == "Arguments:" && ours { print place, name, NF - 1 }' >"$work/notes"

awk '{ print $2, $3 }' "$work/notes" | sort -u >"$work/there"
awk -F '`' '/^\| `[a-z_]+\(.*\)` \|/ {
        split($2, part, "[()]")
        print part[1], split(part[2], arguments, ",")
    }' "$srcdir/doc/statistics.md" | sort -u >"$work/documented"
same 'the probes are those of doc/statistics.md' "$work/documented" \
    "$work/there"

if command -v objdump >/dev/null; then
    while read -r place name arguments; do
        objdump -d --start-address="$place" \
            --stop-address="$((place + 1))" "$library" |
            grep -q '[[:space:]]nop$' || echo "$place $name"
    done <"$work/notes" >"$work/dear"
    same 'each is a nop' /dev/null "$work/dear"
fi

# watch PROBE FORMAT: for gdb: says the probe's name and its first argument.
watch() {
    echo "break -probe-stap pyboehm:$1"
    printf 'commands\nsilent\nprintf "saw %s%s\\n"%s\ncontinue\nend\n' \
        "$1" "${2+ $2}" "${2+, \$_probe_arg0}"
}

# script: what gdb does.  Boehm wants the signals.
script() {
    echo 'set pagination off'
    echo 'handle SIGSEGV SIGBUS SIGPWR SIGXCPU nostop noprint pass'
    echo 'break probes_ready'
    echo 'run'
    watch gc__start %d
    watch gc__done %d
    watch gc__teardown__start %d
    watch gc__teardown__done %d
    watch object__adopt '%#lx'
    watch object__disown '%#lx'
    watch boehm__start
    watch boehm__done
    echo 'continue'
}

command -v gdb >/dev/null || {
    echo '# gdb is not there: nothing is watched'
    exit $status
}
script >"$work/script"
gdb() {
    "$builddir/libtool" --quiet --mode=execute gdb -nx -batch \
        -iex 'set debuginfod enabled off' "$@" "$builddir/t/gdb/probes" 2>&1
}
if ! gdb -ex 'break main' -ex run | grep -q '^Breakpoint 1, '; then
    echo '# gdb cannot run a program here: nothing is watched'
    exit $status
fi
gdb -x "$work/script" >"$work/said"
sed -n 's/^expect //p' "$work/said" >"$work/expected"
sed -n 's/^saw //p' "$work/said" >"$work/seen"
test -s "$work/expected" || echo 'the program says nothing' >>"$work/expected"
same 'gdb sees each of them' "$work/expected" "$work/seen"
exit $status
