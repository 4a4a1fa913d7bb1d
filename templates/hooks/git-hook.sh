#!/bin/sh
# mem-git-hook 1 (@NAME@), written by `mem hook install`.
# `mem hook uninstall` puts back what was here before.
mem=@MEM@
before=@BEFORE@
strict=@STRICT@
[ -x "$mem" ] || mem=$(command -v mem) || mem=
code=0
@READ@
if [ -n "$mem" ]; then
  @GIVE@"$mem" hook @NAME@ @FLAGS@"$@"
  code=$?
  case $code in
    0 | 3) ;;
    *) echo "mem: the scan ended with code $code; nothing was scanned" >&2 ;;
  esac
else
  echo "mem: the program is gone, so nothing is scanned; install it, or remove this hook: $0" >&2
  code=127
fi
if [ "$code" -eq 3 ] || { [ "$strict" = yes ] && [ "$code" -ne 0 ]; }; then
  exit 1
fi
[ -x "$before" ] || exit 0
@CHAIN@
