#!/usr/bin/env bash
# Merges the results of sweep-part.sh; submit it to run after the array. See docs/scale.md.
#
#   RESULTS=/data/results sbatch --dependency=afterok:ARRAY --kill-on-invalid-dep=yes slurm-merge.sh
#
#SBATCH --job-name=heicbench-merge
#SBATCH --cpus-per-task=1
#SBATCH --output=heicbench-merge-%j.log
set -euo pipefail

: "${RESULTS:?must name the folder with one folder for each shard}"

# Set SCRATCH to a local disk of the node if RESULTS is on a network file system.
if [ -z "${SCRATCH:-}" ]; then
  exec "${HEICBENCH:-heicbench}" merge "$RESULTS/merged" "$RESULTS"/shard-*
fi
mkdir -p "$SCRATCH"
scratch=$(mktemp -d "$SCRATCH/heicbench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cp -R "$RESULTS"/shard-* "$scratch/"
# Earlier merges and imports stay.
[ ! -e "$RESULTS/merged" ] || cp -R "$RESULTS/merged" "$scratch/"
"${HEICBENCH:-heicbench}" merge "$scratch/merged" "$scratch"/shard-*
# An interrupted copy must not pass for the results.
rm -rf "$RESULTS/merged.new"
cp -R "$scratch/merged" "$RESULTS/merged.new"
rm -rf "$RESULTS/merged"
mv "$RESULTS/merged.new" "$RESULTS/merged"
