#!/bin/sh
# Resolves requirements.lock anew: the development set with hashes, for every Python that pagereel supports.
# No index is named in it, so that pip asks whichever index the machine is set up for.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-uv}
command -v "$uv" >/dev/null || { echo "lock: uv is not here; run 'pip install uv', or name it with UV=…" >&2; exit 2; }
{
  echo "# Made by scripts/lock.sh from pyproject.toml (extra: dev). Not edited by hand."
  "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
    --no-annotate --extra dev "$@" pyproject.toml
} > requirements.lock.new
mv requirements.lock.new requirements.lock
