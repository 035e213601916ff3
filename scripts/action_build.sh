#!/usr/bin/env bash
# action.yml's third step: the replays of $RESULTS in $OUTPUT, the job's summary, and the step's outputs.
set -euo pipefail
bin=$ENVIRONMENT/bin
[ "${RUNNER_OS:-}" = Windows ] && bin=$ENVIRONMENT/Scripts
"$bin/python" "$(dirname "$0")/replays_of.py" "$RESULTS" --output "$OUTPUT" --redaction "$REDACTION" \
  --summary "$GITHUB_STEP_SUMMARY" --command "$bin/pagereel" >>"$GITHUB_OUTPUT"
