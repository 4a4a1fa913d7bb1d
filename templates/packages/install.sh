#!/bin/sh
# Installs mem from a release into ~/.local/bin, and changes nothing else. It needs no root.
#
#   sh install.sh            MEM_INSTALL_DIR names another directory
#
# MEM_RELEASE_URL names the folder of the release: https://, or file:// for one that was downloaded. The archive is
# installed only where its sum is the one in SHA256SUMS of the same folder.
set -eu

fail() {
    printf 'error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
    exit 1
}

# Downloads a file of the release: `fetch NAME INTO`.
fetch() {
    case $url in
        file://*) cp "${url#file://}/$1" "$2" 2>/dev/null ;;
        *)
            if command -v curl >/dev/null 2>&1; then
                curl --proto '=https,http' --proto-redir '=https' -fsSL "$url/$1" -o "$2"
            elif command -v wget >/dev/null 2>&1; then
                # It cannot be told which schemes a redirect may lead to: all but https goes to a proxy that is not there.
                http_proxy=http://127.0.0.1:1 ftp_proxy=http://127.0.0.1:1 no_proxy=127.0.0.1,localhost \
                    wget -q "$url/$1" -O "$2"
            else
                fail "neither curl nor wget is installed"
            fi
            ;;
    esac || fail "cannot get \`$url/$1\`" "check the address and the network; nothing was installed"
}

# Prints the sha256 of a file.
sum_of() {
    if command -v sha256sum >/dev/null 2>&1; then
        sum=$(sha256sum <"$1")
    elif command -v shasum >/dev/null 2>&1; then
        sum=$(shasum -a 256 <"$1")
    elif command -v openssl >/dev/null 2>&1; then
        sum=$(openssl dgst -sha256 -r <"$1")
    else
        fail "no program computes a sha256" "install sha256sum, shasum or openssl"
    fi
    printf '%s\n' "${sum%% *}"
}

# The whole script is read before anything runs: one that was cut off does nothing.
main() {
    version='@VERSION@'
    url=${MEM_RELEASE_URL:-'@RELEASE_URL@'}
    url=${url%/}
    case $url in
        https://* | file:///* | http://127.0.0.1[:/]* | http://localhost[:/]*) ;;
        http://*) fail "the release is at \`$url\`, which anybody on the way can change" "use https://" ;;
        *) fail "no release is named" "set MEM_RELEASE_URL to the folder of a release" ;;
    esac
    directory=${MEM_INSTALL_DIR:-${HOME:?}/.local/bin}
    case $(uname -s) in
        Linux) system=unknown-linux-gnu ;;
        Darwin) system=apple-darwin ;;
        *) fail "there is no archive for $(uname -s)" "build mem with cargo" ;;
    esac
    case $(uname -m) in
        x86_64 | amd64) machine=x86_64 ;;
        aarch64 | arm64) machine=aarch64 ;;
        *) fail "there is no archive for $(uname -m)" "build mem with cargo" ;;
    esac
    name="mem-$version-$machine-$system"
    work=$(mktemp -d)
    new="$directory/.mem-new.$$"
    trap 'rm -rf "$work" "$new"' EXIT
    trap 'exit 1' HUP INT TERM

    fetch SHA256SUMS "$work/SHA256SUMS"
    wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
    [ -n "$wanted" ] || fail "the release has no \`$name.tar.gz\`" "build mem with cargo"
    fetch "$name.tar.gz" "$work/archive.tar.gz"
    found=$(sum_of "$work/archive.tar.gz")
    [ "$found" = "$wanted" ] ||
        fail "the sum of \`$name.tar.gz\` is $found, expected $wanted; nothing was installed" "download it again"

    tar -xzf "$work/archive.tar.gz" -C "$work" "$name/mem"
    mkdir -p "$directory"
    cp "$work/$name/mem" "$new"
    chmod 755 "$new"
    # From where it is to run: a temporary folder may be mounted so that nothing runs in it.
    "$new" --version >/dev/null 2>&1 ||
        fail "this mem does not run here; nothing was installed" "it needs glibc 2.17 or later: build mem with cargo"
    # Moved in one step: a mem that runs meanwhile is replaced whole.
    mv -f "$new" "$directory/mem"
    printf 'installed %s\n' "$directory/mem"
    case ":$PATH:" in
        *":$directory:"*) printf 'next: mem init, in a repository\n' ;;
        *) printf 'next: add %s to PATH, then mem init in a repository\n' "$directory" ;;
    esac
}

main
