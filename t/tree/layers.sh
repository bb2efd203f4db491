#!/bin/sh
# layers.sh: no layer needs one above it:
#
#     gc < runtime < object, types < watch, library < the files of lib itself
#
# What the objects ask the linker for is looked at, symbol by symbol, and what
# the sources include.  lib/gc needs nothing at all from above.  The API is for
# all others, but that of lib/watch; private names of object are for types,
# too, not the other way.  lib/watch and lib/library do without each other.
# Only lib/gc/boehm includes Boehm's headers.
set -u

: "${srcdir=.}" "${builddir=.}" "${NM=nm}"
status=0

# clean WHAT LINES: LINES are the offences; there should be none.
clean() {
    if test -z "$2"; then
        echo "ok - $1"
    else
        printf 'not ok - %s\n%s\n' "$1" "$2"
        status=1
    fi
}

# ----------------------------------------------------------------------
# Symbols

# objects: what was compiled from each source in lib.
objects() {
    (cd "$srcdir" && find lib -name '*.c') |
        sed 's,\(.*\)/\(.*\)\.c$,\1/.libs/libcore_la-\2.o,' |
        while read -r object; do
            test -f "$builddir/$object" || object=$(echo "$object" |
                sed 's,\.libs/,,')
            echo "$builddir/$object"
        done
}

# $symbols: "PATH SYMBOL TYPE" for each symbol of the sources in lib.
symbols=$(objects | xargs $NM -A 2>&1 | awk -v builddir="$builddir" '
    {
        source = substr($1, length(builddir) + 2)
        sub(/\.o:.*/, ".c", source)
        sub(/(\.libs\/)?libcore_la-/, "", source)
        print source, $NF, $(NF - 1)
    }')

# upward: the references of private names, or of any name if lib/gc makes them
# or lib/watch has it, to what stands above; and "defined" with the number of
# symbols that were seen.
upward() {
    echo "$symbols" | awk -v instancedict="$instancedict" '
        BEGIN {
            split("gc runtime object watch", name)
            for (i in name)
                place[name[i]] = i
            place["types"] = place["object"]
            place["library"] = place["watch"]
        }
        # The place of a file in the order of the layers; 0: none.
        function layer(path,    part) {
            split(path, part, "/")
            return part[3] == "" ? 5 : place[part[2]] + 0
        }
        # From object to types, or between watch and library: peers.
        function is_sideways(from, to) {
            return from ~ /^lib\/object\// && to ~ /^lib\/types\// || \
                from ~ /^lib\/watch\// && to ~ /^lib\/library\// || \
                from ~ /^lib\/library\// && to ~ /^lib\/watch\//
        }
        $3 == "U" { asks[++n] = $1 " " $2; next }
        $3 ~ /^[A-TV-Z]$/ { home[$2] = $1; defined++ }
        END {
            for (i = 1; i <= n; i++) {
                split(asks[i], ask)
                if (!(ask[2] in home))
                    continue
                from = layer(ask[1])
                to = layer(home[ask[2]])
                private = ask[2] ~ /^pyb_/ && ask[2] !~ "^" instancedict "$"
                if (from == 0 || to == 0 || \
                    to > from && (private || from == 1 || to == 4) || \
                    private && is_sideways(ask[1], home[ask[2]]))
                    print ask[1] ": " ask[2] " of " home[ask[2]]
            }
            print "defined", defined + 0
        }'
}

# circles: the files of lib/gc that need one another, in a circle; what ends the
# process stands apart, for it may ask anything.
circles() {
    echo "$symbols" | awk '
        $1 !~ /^lib\/gc\// || $2 ~ /^(pyb_fatal_|_Py_FatalError)/ { next }
        $3 == "U" { asks[++n] = $1 " " $2; next }
        $3 ~ /^[A-TV-Z]$/ { home[$2] = $1 }
        END {
            for (i = 1; i <= n; i++) {
                split(asks[i], ask)
                if (ask[2] in home && home[ask[2]] != ask[1])
                    print ask[1], home[ask[2]]
            }
        }' | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: //'
}

# below: the functions of the rest of lib/gc that lib/gc/base calls.
below() {
    echo "$symbols" | awk '
        $1 !~ /^lib\/gc\// { next }
        $3 == "U" && $1 ~ /\/base\// && $1 !~ /fatal\.c$/ { from[$2] = $1 }
        $3 == "T" && $1 !~ /\/base\// { home[$2] = $1 }
        END {
            for (name in from)
                if (name in home)
                    print from[name] ": " name " of " home[name]
        }'
}

# The dictionary of an instance is an attribute of its object, and a dict.
instancedict='pyb_instancedict_(new|add|show|visit|peek|replace)'

found=$(upward)
clean 'no layer needs a symbol of one above it' \
    "$(echo "$found" | grep -v '^defined ')"
clean 'the symbols were there to be looked at' \
    "$(echo "$found" | awk '$1 == "defined" && $2 < 1000'
    objects | xargs ls 2>&1 >/dev/null)"

clean 'no files of lib/gc need one another in a circle' "$(circles)"

# ----------------------------------------------------------------------
# Headers

# includes REGEXP DIRECTORY: the #include lines there whose name matches.
includes() {
    grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1" \
        "$srcdir/$2" --include='*.[ch]'
}

boehm='(gc/)?(gc(_[a-z]+)?\.h)'
clean 'only lib/gc/boehm includes Boehm'\''s headers' \
    "$(includes "$boehm" lib | grep -v '/lib/gc/boehm/')"
clean 'public headers do without them' "$(includes "$boehm" include)"
clean 'public headers include no private one' \
    "$(includes '(gc|runtime|object|types|watch|library)/' include)"
clean 'lib/gc/base calls nothing of the rest of lib/gc' "$(below)"
clean 'lib/gc includes nothing from above' \
    "$(includes '(runtime|object|types|watch|library)/' lib/gc)"
clean 'lib/runtime includes nothing from above' \
    "$(includes '(object|types|watch|library)/' lib/runtime)"
clean 'lib/object includes nothing from above' \
    "$(includes '(types|watch|library)/' lib/object)"
clean 'lib/types includes nothing from above' \
    "$(includes '(watch|library)/' lib/types)"
clean 'only lib/gc/base/environment.c reads the environment' \
    "$(grep -rnwE '(secure_)?getenv' "$srcdir/lib" --include='*.[ch]' |
        grep -v 'lib/gc/base/environment\.c:')"
clean 'only lib/watch/help.c lists it' \
    "$(grep -rnw environ "$srcdir/lib" --include='*.[ch]' |
        grep -v 'lib/watch/help\.c:')"
headers=$(cd "$srcdir" && find lib -name '*.h')
clean 'private headers are named with their directory' \
    "$(for path in $headers; do
        name=${path##*/}
        test -e "$srcdir/include/$name" || test "${path%/*}" = lib ||
            includes "${name}[\">]" lib
    done)"
clean 'private headers refuse to be used outside' \
    "$(cd "$srcdir" && grep -L '^#error "internal header"' $headers)"
# include has CPython's headers, which stand side by side.
clean 'no folder has more than 40 files' \
    "$(cd "$srcdir" && find lib t bench examples -name '*.[ch]' -o \
        -name '*.sh' | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40')"
exit $status
