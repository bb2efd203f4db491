#!/bin/sh
# cross.sh HOST PROGRAM...: the test programs on another machine, which qemu
# emulates, in a build of their own in the directory check-cross-HOST; HOST is
# the machine's name in that of Debian's compiler, aarch64-linux-gnu for
# instance.
#
# The libraries are unpacked there, of packages that apt finds with lists of its
# own: nothing is installed, and that takes no root.
#
# cross.txt names the programs that are left out, and the tests that are to fail
# under qemu, each with its reason.  A line "ok" or "not ok" for each program; a
# test may take ten times as long as elsewhere.  The threads of
# check_threads_stress do not fork: what another thread of qemu's has locked
# then, the child waits for.
set -u

: "${srcdir=.}" "${MAKE=make}"
source=$(cd "$srcdir" && pwd)
table=$source/t/tools/cross.txt

# one PROGRAM: runs it, in the build; the rest comes in the environment.
one() {
    log=$1.cross
    ./libtool --mode=execute $qemu "$1" >"$log" 2>&1
    wrong=$(awk -v "program=${1##*/}" -f "$source/t/stress/judge.awk" \
        "$table" "$log")
    if test -z "$wrong"; then
        echo "ok - $host: $1"
    else
        echo "not ok - $host: $1:$wrong"
        grep -aE ":[0-9]+:[^P]:[A-Za-z0-9_]+:[A-Za-z0-9_]+:[0-9]+: " "$log"
        echo "# again: make check-cross HOST=$host CROSS_TESTS=$1"
        false
    fi
}

if test "${1-}" = --one; then
    one "$2"
    exit
fi
host=${1-}
shift

fail() {
    echo "not ok - $*"
    exit 1
}

case $host in
aarch64-linux-gnu) machine=arm64 ;;
powerpc64le-linux-gnu) machine=ppc64el ;;
riscv64-linux-gnu | s390x-linux-gnu) machine=${host%%-*} ;;
*) fail "HOST=$host: no machine that cross.sh knows" ;;
esac
qemu=qemu-$(echo "${host%%-*}" | sed 's/powerpc/ppc/')
for command in "$host-gcc" "$qemu"; do
    command -v "$command" >/dev/null ||
        fail "$command is missing; on Debian:" \
            "apt-get install gcc-$host qemu-user"
done
mkdir -p "check-cross-$host" && cd "check-cross-$host" || exit
root=$PWD/root

# What programs for that machine need to be linked, and to run.
packages='libgc-dev libgc1 libgmp-dev libgmp10 libatomic-ops-dev check
    libsubunit-dev libsubunit0 libc6 libc-bin libgcc-s1'

# unpack: these, as Debian has them now, into root.
unpack() {
    mkdir -p apt/state/lists/partial apt/cache/archives/partial debs &&
        : >apt/status || return
    native=$(dpkg --print-architecture)
    cat >apt/conf <<END
APT::Architecture "$native";
APT::Architectures { "$native"; "$machine"; };
APT::Sandbox::User "";
Dir::State "$PWD/apt/state";
Dir::State::status "$PWD/apt/status";
Dir::Cache "$PWD/apt/cache";
END
    (
        export APT_CONFIG="$PWD/apt/conf"
        apt-get update -qq && cd debs &&
            apt-get download -qq $(printf "%s:$machine\n" $packages)
    ) || return
    for deb in debs/*.deb; do
        dpkg -x "$deb" unpacked || return
    done
    mv unpacked root
}

test -d root || unpack >unpack.log 2>&1 || {
    cat unpack.log
    fail "unpacking packages for $machine"
}
PKG_CONFIG_LIBDIR=$root/usr/lib/$host/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$root
PKG_CONFIG=$(command -v pkg-config)
export PKG_CONFIG PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
unset CC CXX CPP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS # they are this machine's
test -e Makefile ||
    sh "$source/configure" --quiet --host="$host" --enable-werror \
        --without-dtrace CFLAGS=-O2 \
        CPPFLAGS="-isystem $root/usr/include -isystem $root/usr/include/$host" \
        LDFLAGS="-L$root/usr/lib/$host -Wl,-rpath-link,$root/usr/lib/$host" || fail "configure --host=$host"

left_out=$(sed -n 's/ .*//; /^[a-z_]*$/s,.*,/&$,p' "$table")
programs=$(printf '%s\n' "$@" | grep -v "$left_out")
unset MAKELEVEL
$MAKE --no-print-directory all >make.log 2>&1 &&
    $MAKE --no-print-directory check TESTS= \
        check_PROGRAMS="$(echo $programs)" >>make.log 2>&1 || {
    tail -n 20 make.log
    fail "building for $host"
}
qemu="$qemu -L $root"
srcdir=$source
CK_VERBOSITY=verbose CK_TIMEOUT_MULTIPLIER=10
PYBOEHM_TEST_MODULES=$PWD/t/modules/.libs PYBOEHM_TEST_FORKS=0
export host qemu srcdir CK_VERBOSITY CK_TIMEOUT_MULTIPLIER PYBOEHM_TEST_MODULES
export PYBOEHM_TEST_FORKS
printf '%s\n' $programs |
    xargs -P "$(nproc)" -n 1 sh "$source/t/tools/cross.sh" --one
