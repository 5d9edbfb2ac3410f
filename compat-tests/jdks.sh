#!/bin/bash
# Fetches JDKs of Debian's unstable suite, each with the C library that it needs, for tests on other JDKs:
#
#     compat-tests/jdks.sh DIR 26 27
#
# Needs root, overlayfs, and the apt and keyring of a Debian on x86-64. Afterwards DIR/26/bin/java runs a program on
# JDK 26, and so does any other program of DIR/26/bin. It runs in a mount namespace of its own, in which the newer C
# library lies over that of this machine; the mounts end with the program. Nothing is installed, and nothing outside DIR
# is written. Fetches what is missing.
set -euo pipefail

MIRROR=${MIRROR:-http://deb.debian.org/debian}
SUITE=${SUITE:-sid}
LIBS=/usr/lib/x86_64-linux-gnu

fail() {
    echo "jdks.sh: $*" >&2
    exit 1
}

[ $# -ge 2 ] || fail "usage: jdks.sh DIR VERSION..."
[ "$(id -u)" = 0 ] || fail "needs root, for mount namespaces"
[ "$(dpkg --print-architecture)" = amd64 ] || fail "knows x86-64 only"
mkdir -p "$1"
dir=$(cd "$1" && pwd)
[[ $dir =~ ^[A-Za-z0-9/._-]+$ ]] || fail "the path $dir has characters that mount options do not take"
shift

# apt with lists and a cache of its own. It checks the suite's signature and the packages' checksums.
fetch() {
    local apt=$dir/apt
    mkdir -p "$apt"/lists/partial "$apt"/archives/partial "$apt"/etc
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $MIRROR $SUITE main" > "$apt"/etc/sources.list
    touch "$apt"/status
    local options=(-q -y -o Dir::Etc="$apt"/etc -o Dir::Etc::sourcelist="$apt"/etc/sources.list
        -o Dir::Etc::sourceparts=- -o Dir::State="$apt" -o Dir::State::status="$apt"/status
        -o Dir::Cache="$apt" -o APT::Sandbox::User=root -o Acquire::Languages=none)
    apt-get "${options[@]}" update --error-on=any > "$apt"/update.log 2>&1 || fail "apt-get update failed: $apt/update.log"
    (cd "$1" && apt-get "${options[@]}" download "${@:2}" > "$apt"/download.log 2>&1) \
        || fail "apt-get download failed: $apt/download.log"
}

# A directory that looks like a JDK, whose programs begin with the mounts.
wrap() {
    local root=$1 home=$2 program
    mkdir -p "$root"/bin
    for program in "$home"/bin/*; do
        program=$(basename "$program")
        printf '#!/bin/bash\nexec %s/run %s "$@"\n' "$root" "$program" > "$root"/bin/"$program"
        chmod +x "$root"/bin/"$program"
    done
    ln -sfn "$home"/release "$root"/release
    cat > "$root"/run.new <<END
#!/bin/bash
# Runs a program of this JDK: run NAME ARGUMENT...
exec unshare --mount --propagation slave bash -c '
    mount -t overlay overlay -o lowerdir=$root/root$LIBS:$LIBS $LIBS &&
    mount -t overlay overlay -o lowerdir=$root/root/etc:/etc /etc &&
    exec "\$@"' bash "$home/bin/\$1" "\${@:2}"
END
    chmod +x "$root"/run.new
    # Last: it says that the JDK is complete.
    mv "$root"/run.new "$root"/run
}

for version in "$@"; do
    [[ $version =~ ^[1-9][0-9]$ ]] || fail "'$version' is not the version of a JDK"
    [ -x "$dir/$version/run" ] && continue
    rm -rf "${dir:?}/$version"
    mkdir -p "$dir/$version"/packages "$dir/$version"/root
    fetch "$dir/$version"/packages "openjdk-$version-jdk-headless" "openjdk-$version-jre-headless" \
        libc6 libgcc-s1 libstdc++6 zlib1g
    for package in "$dir/$version"/packages/*.deb; do
        dpkg -x "$package" "$dir/$version"/root
    done
    rm -r "$dir/$version"/packages
    home=$dir/$version/root/usr/lib/jvm/java-$version-openjdk-amd64
    [ -x "$home"/bin/java ] || fail "the packages of version $version have no $home/bin/java"
    wrap "$dir/$version" "$home"
    "$dir/$version"/bin/java -version 2>&1 | head -1
done
