#!/bin/sh
# mem-git-hook 1 (delegate), written by `mem hook install --global`.
# A global core.hooksPath replaces every repository's own hooks; this runs the repository's.
before="$(git rev-parse --path-format=absolute --git-common-dir)/hooks/$(basename "$0")"
[ -x "$before" ] || exit 0
exec "$before" "$@"
