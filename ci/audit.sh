#!/usr/bin/env bash
# Run `vestige audit`, then `vestige compare` if there is a base result. The exit code goes to OUT/exit-code, so that
# the reports can still be collected; finish.sh ends the job with it.
#   INPUT_AUDIT             an audit of vestige.toml, or a source of vectors; may be empty
#   INPUT_ARGUMENTS         further arguments of the audit, one per line
#   INPUT_CONFIG            the configuration file; empty for the nearest vestige.toml
#   INPUT_PRESET            quick, standard or thorough; empty for what the file says
#   INPUT_FAIL_ON           gates of the audit, one per line
#   INPUT_BASE              a report.json to compare with, or its folder; empty for no comparison
#   INPUT_COMPARE_FAIL_ON   gates of the comparison, one per line
#   INPUT_OUT               the folder for the results
set -euo pipefail

out="${INPUT_OUT:-vestige-audit}"
arguments=()
code=0

refuse() {
  printf 'error: %s\n' "$1" >&2
  exit 2
}

# add_each OPTION LINES: the option with each line as its value. If OPTION is empty, each line is an argument.
add_each() {
  local line
  while IFS= read -r line; do
    line="${line%$'\r'}"
    if [ -n "$line" ]; then
      arguments+=(${1:+"$1"} "$line")
    fi
  done <<< "$2"
}

# run_vestige FILE: with the arguments collected so far. The exit code of the job is the highest one, and at least 2 if
# the command did not write FILE: a gate that was not judged must not pass.
run_vestige() {
  local ended=0
  vestige "${arguments[@]}" || ended=$?
  if [ "$ended" -lt 2 ] && [ ! -f "$1" ]; then
    ended=2
  fi
  if [ "$ended" -gt "$code" ]; then
    code="$ended"
  fi
}

# Copy the base result, which may be where the audit writes. A missing one is refused later.
keep_base() {
  local given="$INPUT_BASE"
  if [ -d "$given" ]; then
    given="$given/report.json"
  fi
  kept="$(mktemp -d)"
  trap 'rm -rf "$kept"' EXIT
  mkdir "$kept/base" # The comparison calls it by the name of its folder.
  if [ -f "$given" ]; then
    cp "$given" "$kept/base/report.json"
  fi
}

run_audit() {
  arguments=(audit)
  add_each "" "${INPUT_AUDIT:-}"
  add_each "" "${INPUT_ARGUMENTS:-}"
  if [ -n "${INPUT_CONFIG:-}" ]; then arguments+=(--config "$INPUT_CONFIG"); fi
  if [ -n "${INPUT_PRESET:-}" ]; then arguments+=(--preset "$INPUT_PRESET"); fi
  add_each --fail-on "${INPUT_FAIL_ON:-}"
  arguments+=(--out "$out" --sarif "$out/audit.sarif" --junit "$out/audit.xml")
  run_vestige "$out/report.json"
}

run_compare() {
  arguments=(compare "$kept/base/report.json" "$out/report.json")
  if [ -n "${INPUT_CONFIG:-}" ]; then arguments+=(--config "$INPUT_CONFIG"); fi
  add_each --fail-on "${INPUT_COMPARE_FAIL_ON:-}"
  arguments+=(--out "$out" --sarif "$out/compare.sarif" --junit "$out/compare.xml")
  run_vestige "$out/compare.json"
}

if [ -n "${INPUT_BASE:-}" ]; then
  keep_base
fi
# Results of an earlier run go first: whatever ends this one, they must not be published as its own.
mkdir -p "$out"
rm -f "$out"/{report,compare}.{html,json,md} "$out"/{audit,compare}.{sarif,xml} "$out/exit-code"
if grep -q -e '^--show-text' <<< "${INPUT_ARGUMENTS:-}"; then
  refuse "--show-text is not allowed in CI: reports, comments and logs outlive the job; remove it"
fi
if [ -n "${INPUT_BASE:-}" ] && [ ! -f "$kept/base/report.json" ]; then
  refuse "there is no base result at '$INPUT_BASE'; store the report.json of an audit there, or leave 'base' empty"
fi

run_audit
if [ -n "${INPUT_BASE:-}" ] && [ "$code" -le 1 ]; then
  run_compare
fi
printf '%s\n' "$code" > "$out/exit-code"
