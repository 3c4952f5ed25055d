#!/usr/bin/env bash
# Put the summary into one comment of the pull request: create it, or update the one with the same hidden marker.
# A token without write access, as in a pull request from a fork, is no failure.
#   INPUT_REPORT        the folder that collect.sh filled
#   INPUT_NAME          tells several uses in one pull request apart
#   PULL_REQUEST        the number of the pull request; empty if there is none
#   GITHUB_REPOSITORY   owner/name;  GH_TOKEN   the token that gh uses
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
name="${INPUT_NAME:-vestige}"
summary="${INPUT_REPORT:-vestige-report}/summary.md"

skip() {
  printf '::notice::no comment: %s\n' "$1"
  exit 0
}

if [[ ! "$name" =~ ^[A-Za-z0-9_.-]+$ ]]; then
  printf "error: the name is '%s'; use letters, digits, '.', '_' and '-'\n" "$name" >&2
  exit 2
fi
if [[ ! "${PULL_REQUEST:-}" =~ ^[0-9]+$ ]]; then skip "this is no pull request"; fi
if [ ! -f "$summary" ]; then skip "there is no summary"; fi

marker="<!-- vestige: $name -->"
body="$(mktemp)"
trap 'rm -f "$body"' EXIT
{ printf '%s\n' "$marker"; cat "$summary"; } > "$body"

issues="repos/$GITHUB_REPOSITORY/issues"
if ! comments="$(gh api --paginate "$issues/$PULL_REQUEST/comments?per_page=100")"; then
  skip "the token may not read comments"
fi
id="$(python "$here/find_comment.py" "$marker" <<< "$comments")"
if [ -n "$id" ]; then
  request=(--method PATCH "$issues/comments/$id")
else
  request=(--method POST "$issues/$PULL_REQUEST/comments")
fi
if gh api --silent "${request[@]}" --field "body=@$body"; then
  exit 0
fi
# Somebody else may have written the comment with the marker: then it cannot be updated, but ours can be added.
if [ -z "$id" ] || ! gh api --silent --method POST "$issues/$PULL_REQUEST/comments" --field "body=@$body"; then
  skip "the token may not write comments; grant 'pull-requests: write'"
fi
