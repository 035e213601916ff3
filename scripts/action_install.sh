#!/usr/bin/env bash
# action.yml's first step: pagereel in an environment of its own, $ENVIRONMENT, which a cache may have brought back.
# $REDACTION off needs no models; $VERSION is what pip takes behind the name; $PACKAGE is another package than the released one.
set -euo pipefail
python=$(command -v python3 || command -v python)
bin=$ENVIRONMENT/bin
[ "${RUNNER_OS:-}" = Windows ] && bin=$ENVIRONMENT/Scripts
if ! "$bin/pagereel" --version 2>/dev/null; then
  "$python" -m venv --clear "$ENVIRONMENT"
  extra='[redaction]'
  [ "$REDACTION" = off ] && extra=
  "$bin/python" -m pip install --quiet --disable-pip-version-check "${PACKAGE:-pagereel}$extra${VERSION:-}"
  "$bin/pagereel" --version
fi
# The models, by hash. A browser is not needed here, so that a machine without one is no failure.
[ "$REDACTION" = off ] || "$bin/pagereel" setup || "$bin/pagereel" doctor
