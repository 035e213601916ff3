#!/usr/bin/env bash
# action.yml's first step: the key of the cached environment, by what is installed into it: $VERSION, the action itself ($REF and its
# pyproject.toml, which hashFiles does not reach outside of the workspace), with or without models ($REDACTION), and the week, so that none stays for ever.
set -euo pipefail
python=$(command -v python3 || command -v python)
models=masking
[ "$REDACTION" = off ] && models=plain
{
  printf '%s\n' "${VERSION:-}" "${REF:-}" "${WEEK:-$(date -u +%G-%V)}"
  cat "$(dirname "$0")/../pyproject.toml"
} | "$python" -c "import hashlib, sys; print('key=$models-' + hashlib.sha256(sys.stdin.buffer.read()).hexdigest()[:16])"
