#!/usr/bin/env bash
# Install Vestige from the tree that holds this script. torch comes first and alone, so that no other package pulls in
# a larger build.
#   INPUT_EXTRAS        extras, separated by commas, such as demo,chroma
#   INPUT_TORCH_INDEX   the package index that has the CPU build of torch; empty for the index of pip
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
install=(python -m pip --disable-pip-version-check --quiet install --constraint "$root/constraints.txt")
torch=(torch)
if [ -n "${INPUT_TORCH_INDEX:-}" ]; then
  torch+=(--index-url "$INPUT_TORCH_INDEX")
fi

"${install[@]}" "${torch[@]}"
"${install[@]}" "$root${INPUT_EXTRAS:+[$INPUT_EXTRAS]}"
