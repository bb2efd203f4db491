#!/bin/sh
# packages.sh RELEASE [yes]: Debian's packages, built from the release, a
# tarball that make dist made, with the debian/ of this checkout.  With yes they
# are installed on this machine, tried by debian/tests, and purged.
#
# The suite is not run on what is built; DEB_BUILD_OPTIONS= runs it.
set -u

: "${srcdir=.}" "${DEB_BUILD_OPTIONS=nocheck parallel=$(nproc)}"
release=$1
installed=${2-no}
name=$(basename "$release" .tar.gz)
orig=$(echo "$name" | sed 's/-/_/').orig.tar.gz
export DEB_BUILD_OPTIONS DEBIAN_FRONTEND=noninteractive
unset MAKEFLAGS MAKELEVEL DESTDIR

if ! test -e "$srcdir/debian/control"; then
    echo '# a release is without debian/: nothing to build'
    exit 77
fi
for command in dpkg-buildpackage dh lintian; do
    command -v $command >/dev/null || {
        echo "not ok - $command is missing; on Debian:" \
            'apt-get install dpkg-dev debhelper lintian'
        exit 1
    }
done
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

# try WHAT COMMAND...: the command succeeds, in a shell of its own; otherwise
# shows what it said, the end of it.
try() {
    what=$1
    shift
    if ("$@") >"$work/output" 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        tail -n 100 "$work/output"
        status=1
        false
    fi
}

unpack() {
    cp "$release" "$work/$orig" && tar -xzf "$release" -C "$work" &&
        ! test -e "$work/$name/debian" &&
        cp -R "$srcdir/debian" "$work/$name/debian"
}

# What the build tools put into a release is under terms of its own, which
# debian/copyright has.
names_other_terms() {
    set -f # patterns are for case
    patterns=$(sed -n '/^Files:/,/^Copyright:/{/^Copyright:/d;s/^Files://;p}' \
        "$srcdir/debian/copyright" | grep -v '^ \*$')
    cd "$work/$name" &&
        grep -rl --exclude-dir=debian 'Free Softwar[e] Foundation\|X Consorti[u]m' . |
        sed 's,^\./,,' |
        while read -r file; do
            for pattern in $patterns; do
                case $file in $pattern) continue 2 ;; esac
            done
            echo "$file"
        done | { ! grep .; }
}

build() {
    cd "$work/$name" && dpkg-buildpackage -us -uc
}

lint() {
    lintian --fail-on error,warning "$work"/*.changes
}

# Users are promised that the library needs Boehm's only.
needs_two_libraries() {
    dpkg-deb -f "$work"/libpyboehm0_*.deb Depends | tee "$work/depends"
    test "$(sed 's/ ([^)]*)//g' "$work/depends")" = 'libc6, libgc1, libgmp10'
}

# The packages' names, without the debugging symbols'.
packages() {
    for deb in "$work"/*.deb; do
        dpkg-deb -f "$deb" Package
    done
}

# What dpkg knows of them; purging would take away what this machine had.
none_known() {
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(packages) |
        { ! grep -v 'not-installed$'; }
}

# A library in /usr/local would be tried in place of ours.
none_installed() {
    none_known && ! ldconfig -p | grep libpyboehm
}

install_all() {
    apt-get install -y -qq --no-install-recommends "$work"/*.deb &&
        dpkg -L $(packages) | sort -u >"$work/installed"
}

# debian/tests as autopkgtest runs them: in the unpacked source; 77 is for what
# cannot be tried here.
run_test() {
    AUTOPKGTEST_TMP=$work/$1
    export AUTOPKGTEST_TMP
    mkdir "$AUTOPKGTEST_TMP" && cd "$work/source" || exit
    "debian/tests/$1" || test $? = 77
}

purge_all() {
    apt-get purge -y -qq $(packages)
}

# Directories that other packages have, too, stay.
leaves_nothing() {
    none_known && while read -r path; do
        case $path in
        *pyboehm*) ;;
        *) test ! -d "$path" || continue ;;
        esac
        test ! -e "$path" || echo "$path"
    done <"$work/installed" | { ! grep .; }
}

try_installed() {
    try 'none of them is installed yet' none_installed || return
    try 'they can be installed' install_all
    try 'their source can be unpacked' \
        dpkg-source -x "$work"/*.dsc "$work/source"
    for test in $(sed -n 's/^Tests: //p' "$srcdir/debian/tests/control"); do
        try "debian/tests/$test" run_test "$test"
    done
    try 'they can be purged' purge_all
    try 'that leaves nothing' leaves_nothing
}

try 'a release is without debian/, and gets it' unpack
try 'debian/copyright names what is under other terms' names_other_terms
try 'the packages are built' build || exit
try 'lintian has nothing to say' lint
try 'the library needs libgc and libgmp alone' needs_two_libraries
test "$installed" != yes || try_installed
exit $status
