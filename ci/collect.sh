#!/usr/bin/env bash
# Collect what may leave the job: the reports and a short summary, never the cache, which holds vectors.
#   INPUT_OUT      the folder with the results of audit.sh
#   INPUT_REPORT   the folder to fill
# The summary is also added to GITHUB_STEP_SUMMARY, and the paths to GITHUB_OUTPUT, if these are set.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
out="${INPUT_OUT:-vestige-audit}"
report="${INPUT_REPORT:-vestige-report}"
files=({report,compare}.{html,json,md} {audit,compare}.{sarif,xml})

summary="$(python "$here/summarize.py" "$out")" # Ends the script if the report shows text.
mkdir -p "$report"
printf '%s\n' "$summary" > "$report/summary.md"
for file in "${files[@]}"; do
  rm -f "$report/$file"
  if [ -f "$out/$file" ]; then
    cp "$out/$file" "$report/$file"
  fi
done

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  cat "$report/summary.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'report=%s\n' "$report" >> "$GITHUB_OUTPUT"
  for run in audit compare; do
    if [ -f "$report/$run.sarif" ]; then
      printf '%s-sarif=%s\n' "$run" "$report/$run.sarif" >> "$GITHUB_OUTPUT"
    fi
  done
fi
