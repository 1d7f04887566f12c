#!/usr/bin/env bash
# Makes recordings/bookshop.db anew: six users of recordings/personas on an empty bundled bookshop, seed 7.
set -euo pipefail
cd "$(dirname "$0")/.."

# The recording is always the same one: settings of the caller do not reach it, and its key is nobody's.
for name in ${!SIM_@}; do
    [ "$name" = SIM_BROWSER ] || unset "$name"
done
export SIM_KEY=the-committed-recording-has-no-secret-to-keep
export PATH="$PWD/.venv/bin:$PATH"

rm -rf .sim/recording
mkdir -p .sim/recording
cp sim.toml .sim/recording/
cp -r recordings/personas .sim/recording/
cd .sim/recording
sim personas run --count 6 --seed 7 --concurrency 2 --screenshots none --db runs.db
sim runs promote --db runs.db --to bookshop.db $(sim runs list --db runs.db --json | python -c '
import json, sys
print(*(run["id"] for run in json.load(sys.stdin)))')
sim runs verify --db bookshop.db
mv bookshop.db ../../recordings/
