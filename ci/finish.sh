#!/usr/bin/env bash
# End the job with the exit code that audit.sh recorded.
#   INPUT_OUT   the folder with the results of audit.sh
set -euo pipefail

recorded="${INPUT_OUT:-vestige-audit}/exit-code"
if [ ! -f "$recorded" ]; then
  printf 'error: the audit did not run\n' >&2
  exit 2
fi
code="$(cat "$recorded")"
case "$code" in
  0) ;;
  1) printf '::error::a gate failed: the vectors leak more than allowed\n' ;;
  *) printf '::error::vestige ended with exit code %s; its message is in the log\n' "$code" ;;
esac
exit "$code"
