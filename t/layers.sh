#!/bin/sh
# layers.sh: a layer includes private headers only of its own and of lower
# layers (gc < object < types < watch), and only boehm.c includes Boehm's headers.
set -u

: "${srcdir=.}"
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

# includes REGEXP DIRECTORY: the #include lines there whose name matches.
includes() {
    grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$1" \
        "$srcdir/$2" --include='*.[ch]'
}

boehm='(gc(_[a-z]+)?\.h|gc/gc)'
clean 'only lib/gc/boehm.c includes Boehm'\''s headers' \
    "$(includes "$boehm" lib | grep -v 'lib/gc/boehm\.c:')"
clean 'public headers do without them' "$(includes "$boehm" include)"
clean 'public headers include no private one' \
    "$(includes '(gc|object|types|watch)/' include)"
clean 'lib/gc includes nothing from above' \
    "$(includes '(object|types|watch)/' lib/gc)"
clean 'lib/object includes nothing from above' \
    "$(includes '(types|watch)/' lib/object)"
clean 'lib/types includes nothing from above' \
    "$(includes 'watch/' lib/types)"
clean 'only lib/gc/environment.c reads the environment' \
    "$(grep -rnwE '(secure_)?getenv' "$srcdir/lib" --include='*.[ch]' |
        grep -v 'lib/gc/environment\.c:')"
clean 'private headers are named with their directory' \
    "$(for path in "$srcdir"/lib/*/*.h; do
        name=${path##*/}
        test -e "$srcdir/include/$name" || includes "${name}[\">]" lib
    done)"
clean 'private headers refuse to be used outside' \
    "$(grep -L '^#error "internal header"' "$srcdir"/lib/*/*.h)"
exit $status
