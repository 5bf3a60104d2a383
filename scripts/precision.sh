#!/bin/bash
# precision.sh PROGRAM FOLDER: runs bench_precision and draws its curves, FOLDER/FAMILY.svg, by gnuplot.
set -euo pipefail

program=$1 folder=$2
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
mkdir -p "$folder"
OPENBLAS_NUM_THREADS=1 "$program" "$data"
for file in "$data"/*.dat; do
  family=$(basename "$file" .dat)
  curves=$(grep -c '^"' "$file")
  gnuplot <<END
set terminal svg size 640,420 font "sans-serif,12" background "white"
set output "$folder/$family.svg"
set logscale xy
set format y "10^{%L}"
set format x "%g"
set xlabel "processor time of a problem, ms (median)"
set ylabel "natural map reached (median)"
set yrange [1e-17:1]
set key outside right noenhanced
set grid
plot for [i=0:$((curves - 1))] "$file" index i using 1:2 with linespoints pointsize 0.6 title columnheader(1)
END
done
