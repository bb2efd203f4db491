#!/bin/sh
# run.sh: changes lib/gc in one small place at a time and looks whether the
# tests notice.
#
#     run.sh times        builds a copy that is not changed, and notes how
#                         long each test takes with it
#     run.sh known        builds a copy and tries the mutants of killed.txt,
#                         each with the one test that is known to notice it
#     run.sh [PART...]    tries the mutants; a PART is FILE or FILE:LINE or
#                         FILE:LINE-LINE
#
# Called by make, from the top of the build tree, with what it exports; see
# local.mk.  All is done in the directory $MUTATION, in copies:
#
#     lib/gc/         the sources, one of them changed
#     good/, bad/     objects: of the sources as they are; of what is changed
#     libpyboehm.so.0, and the tests that are linked with its objects, as
#     they are needed
#     times           milliseconds, test program and, for what is slow, the
#                     one case in it; the quickest first
#     verdicts        file, verdict, the test that found it, key; by tabs
#
# SAMPLE=N tries N mutants, evenly spread, and in such an order that those of
# an unfinished run are spread, too; LONGEST=N with the tests that take at most
# so many milliseconds.  A mutant whose key is in
# survivors.txt is not tried, unless ALL=1.  One that compiles to the same
# code as the original is none.
set -u

here=$srcdir/t/mutation
tab=$(printf '\t')
core_sources=$(printf '%s.c ' $CORE_TESTS)
# What some of them share.
helpers='t/support/leaks.c t/support/watched.c t/support/why.c'
world='run 1 300'
directories=$(cd "$srcdir" && find lib t -type d)
for kind in . good bad; do
    (mkdir -p "$MUTATION/$kind" && cd "$MUTATION/$kind" &&
        mkdir -p $directories) || exit
done

ulimit -c 0
unset PYBOEHM_CHECK PYBOEHM_PATH
export LD_LIBRARY_PATH="$MUTATION${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export CK_VERBOSITY=silent

# ----------------------------------------------------------------------
# Compiling and linking

# compile SOURCE OBJECT [FLAG...]: a source in lib or t; lib/gc is the copy, and
# what was made stands in the build tree.
compile() {
    case $1 in
    lib/gc/*) from=$MUTATION/$1 ;;
    *)
        from=$srcdir/$1
        test -f "$from" || from=$1
        ;;
    esac
    to=$2
    shift 2
    eval "$CC -I'$MUTATION/lib' $COMPILE_FLAGS -fPIC -w -g0 -O1" \
        '"$@" -c "$from" -o "$to"'
}

# compile_lane N KIND SOURCE...: the sources of the Nth of so many lanes, into
# good or bad.
compile_lane() {
    lane=$1
    kind=$2
    shift 2
    for source; do
        test $lane -ne 0 ||
            compile "$source" "$MUTATION/$kind/${source%.c}.o" -MMD ||
            exit
        lane=$(((lane + 1) % lanes))
    done
}
lanes=$(nproc)

# compile_all KIND SOURCE...: as many at a time as there are processors.
compile_all() {
    jobs=
    for lane in $(seq 0 $((lanes - 1))); do
        compile_lane $lane "$@" &
        jobs="$jobs $!"
    done
    compiled=0
    for job in $jobs; do
        wait $job || compiled=1
    done
    return $compiled
}

# objects SOURCE...: sets objects to theirs, the changed ones if there are.
objects() {
    objects=
    for source; do
        object=${source%.c}.o
        test -f "$MUTATION/bad/$object" && object=bad/$object ||
            object=good/$object
        objects="$objects $MUTATION/$object"
    done
}

# link: the library.  The tests that look behind it are not there yet.
link() {
    for test in $CORE_TESTS; do
        rm -f "$MUTATION/$test"
    done
    objects $affected
    $CC -shared -Wl,-soname,libpyboehm.so.0 \
        -o "$MUTATION/libpyboehm.so.0" $objects "$MUTATION/rest.o" $LIBS
}

# helpers_of TEST: the sources that it shares with others.
helpers_of() {
    for helper in $helpers; do
        name=${helper##*/}
        grep -q "/${name%.c}.h\"" "$srcdir/$1.c" && echo "$helper"
    done
}

# link_test TEST: one of the tests that look behind the library.
link_test() {
    case $1 in
    t/faults/*)
        objects "$1.c" t/faults/faults.c $affected
        flags=$FAULTS_LDFLAGS
        ;;
    t/runtime/check_attach)
        objects "$1.c" $affected
        flags=$ATTACH_LDFLAGS
        ;;
    t/gc/check_gc_condemned)
        objects "$1.c" $affected
        flags=$CONDEMNED_LDFLAGS
        ;;
    t/watch/check_watch_leaks)
        objects "$1.c" $(helpers_of "$1") $affected
        flags="-rdynamic $LEAKS_LDFLAGS"
        ;;
    *)
        objects "$1.c" $(helpers_of "$1") $affected
        flags=-rdynamic
        ;;
    esac
    $CC $flags -o "$MUTATION/$1" $objects "$MUTATION/rest.o" \
        t/support/.libs/libsuite.a $LIBS 2>/dev/null
}

# users FILE: the sources to compile anew when it changes.
users() {
    case $1 in
    *.c) echo "lib/gc/$1" ;;
    *) for source in $affected $core_sources; do
        grep -q "gc/$1" "$MUTATION/good/${source%.c}.d" && echo "$source"
    done ;;
    esac
}

# core_files: the sources of lib/gc, below that.
core_files() {
    (cd "$srcdir/lib/gc" && find . -name '*.[ch]' | sed 's|^./||' | sort)
}

# unchanged: forgets what is made of a change.
unchanged() {
    find "$MUTATION/bad" -name '*.o' -exec rm -f {} +
}

# prepare: the copy, unchanged; rest.o is all that no change in lib/gc
# touches.
prepare() {
    for file in $(core_files); do
        cp "$srcdir/lib/gc/$file" "$MUTATION/lib/gc/$file" || exit
    done
    unchanged
    affected=
    rest=
    for source in $SOURCES; do
        case $source in *.h) continue ;; esac
        name=libcore_la-${source##*/}
        if grep -q 'lib/gc/' "${source%/*}/.deps/${name%.c}.Plo"; then
            affected="$affected $source"
        else
            rest="$rest ${source%/*}/.libs/${name%.c}.o"
        fi
    done
}

# build_good: all objects, and which headers each one includes.
build_good() {
    ld -r -o "$MUTATION/rest.o" $rest || exit
    compile_all good $affected $core_sources $helpers t/faults/faults.c || exit
    link || exit
    for program in t/hostile/hostile t/world/world; do
        mkdir -p "$MUTATION/${program%/*}" &&
            ln -sf "$PWD/${program%/*}/.libs/${program##*/}" \
                "$MUTATION/$program" || exit
    done
}

# ----------------------------------------------------------------------
# The tests

# run_test SECONDS NAME [CASE]: status 0 if it passes.  A child that loops is
# ended before the whole program is.
run_test() {
    seconds=$1
    shift
    case " $CORE_TESTS " in
    *" $1 "*)
        program=$MUTATION/$1
        test -x "$program" || link_test "$1" || return
        ;;
    *) program=${1%/*}/.libs/${1##*/} ;;
    esac
    test -n "${2-}" && CK_RUN_CASE=$2 && export CK_RUN_CASE
    case $1 in
    t/hostile/*)
        set -- env builddir="$MUTATION" "$SHELL" "$srcdir/$1"
        ;;
    t/world/*) set -- env $2 "$MUTATION/t/world/world" $world ;;
    *) set -- "$program" ;;
    esac
    (
        ulimit -t "$seconds"
        ulimit -v 16000000
        exec timeout -k 1 $((seconds * 4)) "$@" 2>&1
    )
    status=$?
    unset CK_RUN_CASE
    return $status
}

now() {
    echo $(($(date +%s%N) / 1000000))
}

# cases FILE: milliseconds and name of each case, from Check's log in XML.
cases() {
    awk -F '[<>]' '
        $2 == "id" { name = $3 }
        $2 == "duration" && name != "" {
            time[name] += 1000 * $3
            name = ""
        }
        END { for (name in time) printf "%d %s\n", time[name], name }' "$1"
}

# programs: the tests that use the library: libtool has put them into .libs.
# The scripts are those that run such a program, the random world without and
# with checks.
programs() {
    for test in $TESTS; do
        case " $CORE_TESTS " in
        *" $test "*) continue ;;
        esac
        test -x "${test%/*}/.libs/${test##*/}" && echo "$test"
    done
    echo t/hostile/hostile.sh
    echo t/world/world PYBOEHM_CHECK=
    echo t/world/world PYBOEHM_CHECK=1
    printf '%s\n' $CORE_TESTS
}

# measure: a program that takes more than a second is listed case by case.
measure() {
    CK_XML_LOG_FILE_NAME=$MUTATION/log.xml
    export CK_XML_LOG_FILE_NAME
    programs | while read -r test; do
        rm -f "$MUTATION/log.xml"
        start=$(now)
        run_test 100 $test >/dev/null || {
            echo "not ok - $test fails with nothing changed" >&2
            exit 1
        }
        spent=$(($(now) - start))
        if test $spent -lt 1000 || ! test -f "$MUTATION/log.xml"; then
            echo "$spent $test"
        else
            cases "$MUTATION/log.xml" | sed "s| | $test |"
        fi
    done >"$MUTATION/times.new" || exit
    sort -n "$MUTATION/times.new" >"$MUTATION/times"
}

# try: sets killer to the test that notices what is changed, "" if none does.
# That one is asked first the next time.
try() {
    killer=
    while read -r time test; do
        run_test $((3 + time / 400)) $test >/dev/null && continue
        killer=$test
        break
    done <"$MUTATION/order"
    test -n "$killer" || return
    {
        grep " $killer\$" "$MUTATION/order"
        grep -v " $killer\$" "$MUTATION/order"
    } >"$MUTATION/order.new"
    mv "$MUTATION/order.new" "$MUTATION/order"
}

# ----------------------------------------------------------------------
# The mutants

# list FILE...: the mutants of the files, with the file as first column.
list() {
    for file; do
        awk -f "$here/mutants.awk" "$srcdir/lib/gc/$file" |
            sed "s|^|$file$tab|"
    done
}

# select_parts: of the mutants on standard input those that are asked for.
select_parts() {
    awk -F "$tab" -v parts="$*" '
        BEGIN { n = split(parts, part, " ") }
        {
            for (i = 1; i <= n; i++) {
                split(part[i], at, /[:-]/)
                if ($1 == at[1] && (at[2] == "" || $2 >= at[2] + 0) &&
                    (at[2] == "" || $2 <= (at[3] == "" ? at[2] : at[3]) + 0))
                    break
            }
            if (n == 0 || i <= n)
                print
        }'
}

# sample: N lines of standard input, evenly spread, by steps of the golden
# section.
sample() {
    awk -v wish="$1" '
        { line[NR] = $0 }
        END {
            if (wish == 0 || wish > NR)
                wish = NR
            step = wish < NR ? int(0.618 * wish) : 1
            while (divisor(step, wish) > 1)
                step++
            for (i = 0; i < wish; i++)
                print line[int((i * step % wish + 0.5) * NR / wish) + 1]
        }
        function divisor(a, b) { return b == 0 ? a : divisor(b, a % b) }'
}

# change FILE LINE COLUMN LENGTH '<NEW>': makes the copy of the file a mutant.
change() {
    awk -v line="$2" -v column="$3" -v len="$4" -v new="$5" '
        NR == line {
            $0 = substr($0, 1, column - 1) \
                substr(new, 2, length(new) - 2) \
                substr($0, column + len)
        }
        { print }' "$srcdir/lib/gc/$1" >"$MUTATION/lib/gc/$1"
}

# restore FILE: the copy as it was.
restore() {
    cp "$srcdir/lib/gc/$1" "$MUTATION/lib/gc/$1"
    unchanged
}

# judge FILE: sets verdict and killer for the changed file.
judge() {
    verdict=same
    killer=
    changed=$(users "$1")
    compile_all bad $changed 2>/dev/null || { verdict='not compiled'; return; }
    for source in $changed; do
        name=${source%.c}.o
        if cmp -s "$MUTATION/good/$name" "$MUTATION/bad/$name"; then
            rm "$MUTATION/bad/$name"
        else
            verdict=changed
        fi
    done
    test $verdict = same && return
    link 2>/dev/null || { verdict='not compiled'; return; }
    try
    test -n "$killer" && verdict=killed || verdict=survived
}

run_mutants() {
    awk -v longest="${LONGEST:-0}" '!longest || $1 <= longest' \
        "$MUTATION/times" >"$MUTATION/order"
    : >"$MUTATION/verdicts"
    while IFS=$tab read -r file line column len new function text; do
        key="$file $function: $text"
        killer=
        if test "${ALL:-0}" = 0 && grep -Fqx "$key" "$here/survivors.txt"
        then
            verdict=listed
        else
            change "$file" "$line" "$column" "$len" "$new"
            judge "$file"
            restore "$file"
        fi
        echo "$file$tab$verdict$tab$killer$tab$line$tab$key" \
            >>"$MUTATION/verdicts"
        test "$verdict" = survived && echo "survived: $file:$line: $key"
    done <"$MUTATION/mutants"
}

# list_all: the mutants of all files.
list_all() {
    list $(core_files | sed '/^check\/validate\.c$/d')
}

# stale NAME: keys in this file that are no mutant's; t/tree/mutants.sh says
# that of both files, in each make check.
stale() {
    list_all | awk -F "$tab" -v name="$1" '
        NR == FNR { key[$1 " " $6 ": " $7]; next }
        /^[a-z_\/]+\.[ch] / && !($0 in key) {
            print "not ok - " name " has no mutant: " $0
        }' - "$here/$1"
}

# known: the mutants of killed.txt, each preceded by the test named after it.
known() {
    list_all | awk -F "$tab" -v OFS="$tab" '
        NR == FNR { mutant[$1 " " $6 ": " $7] = $0; next }
        /^[a-z_\/]+\.[ch] / { key = $0 }
        /^    / && key in mutant { print substr($0, 5), mutant[key] }
        ' - "$here/killed.txt"
}

# run_known: "ok" for each that its test notices.
run_known() {
    while IFS=$tab read -r test file line column len new function text; do
        echo "0 $test" >"$MUTATION/order"
        change "$file" "$line" "$column" "$len" "$new"
        judge "$file"
        restore "$file"
        test "$verdict" = killed && verdict=ok || verdict="not ok - $verdict"
        echo "$verdict - $file $function: $text"
    done
}

# run_unchanged: what is not changed passes the same tests.
run_unchanged() {
    cut -f1 "$MUTATION/known" | sort -u | while read -r test; do
        run_test 10 $test >/dev/null && echo "ok - $test" ||
            echo "not ok - $test fails with nothing changed"
    done
}

prepare
case ${1-} in
times)
    build_good
    measure
    exit
    ;;
known)
    build_good
    known >"$MUTATION/known"
    {
        run_unchanged
        run_known <"$MUTATION/known"
    } | tee "$MUTATION/log"
    test -s "$MUTATION/known" && ! grep -q '^not ok' "$MUTATION/log"
    exit
    ;;
esac
list_all | select_parts "$@" | sample "${SAMPLE:-0}" >"$MUTATION/mutants"
run_mutants
stale survivors.txt | tee "$MUTATION/stale"
awk -F "$tab" -f "$here/report.awk" "$MUTATION/verdicts" "$MUTATION/stale"
