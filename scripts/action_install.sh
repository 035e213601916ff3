#!/usr/bin/env bash
# action.yml's second step: pagereel in an environment of its own, $ENVIRONMENT, which a cache may have brought back.
# $REDACTION off needs no models; $VERSION is what pip takes behind the name, empty for the newest; $PACKAGE is another package than the released one.
set -euo pipefail
python=$(command -v python3 || command -v python)
bin=$ENVIRONMENT/bin
[ "${RUNNER_OS:-}" = Windows ] && bin=$ENVIRONMENT/Scripts
extra='[redaction]'
[ "$REDACTION" = off ] && extra=
install() {
  "$bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "${PACKAGE:-pagereel}$extra${VERSION:-}"
}
if ! "$bin/pagereel" --version >/dev/null 2>&1; then
  "$python" -m venv --clear "$ENVIRONMENT"
  install
elif [ -z "${VERSION:-}" ]; then
  install || echo "The newest pagereel could not be installed; the cached one is taken." >&2
fi
"$bin/pagereel" --version
# The models, by hash. A browser is not needed here, so that a machine without one is no failure.
[ "$REDACTION" = off ] || "$bin/pagereel" setup || "$bin/pagereel" doctor
