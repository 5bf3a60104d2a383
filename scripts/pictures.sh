#!/bin/bash
# Draws the pictures of README.md and the manual with Carom itself: pictures.sh CAROM [FOLDER]. Needs chromium.
set -euo pipefail
carom=$(realpath "$1") out=$(realpath "${2:-docs/pictures}")
cd "$(dirname "$0")/.."
scenes=$PWD/scenes
mkdir -p "$out"
runs=$(mktemp -d)
trap 'rm -r "$runs"' EXIT
cd "$runs"

for law in newton plus lzb; do
  "$carom" run "$scenes/ball_row.yaml" --law "$law" --out "$law.h5" --quiet --no-report
done
"$carom" view newton.h5 plus.h5 lzb.h5 --time 0.3 --size 1200x400 --azimuth -90 --elevation 25 --png "$out/ball_row.png"

"$carom" run "$scenes/robots/quadruped_drop.yaml" --out quadruped.h5 --quiet --no-report
"$carom" view quadruped.h5 --time 0.35 --size 1200x460 --azimuth 35 --elevation 15 --distance 1.5 --png "$out/quadruped.png"
