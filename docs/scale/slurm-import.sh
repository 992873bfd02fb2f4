#!/usr/bin/env bash
# Imports files from other encoders into the merged results; submit it to run after slurm-merge.sh. See docs/scale.md.
#
#   CORPUS=/data/images RESULTS=/data/results IMPORTS="phone=/data/phone" \
#     sbatch --dependency=afterok:MERGE --kill-on-invalid-dep=yes --cpus-per-task=8 slurm-import.sh
#
# Nothing is encoded, so one node is enough even for a corpus that needed many nodes to sweep.
#
#SBATCH --job-name=heicbench-import
#SBATCH --cpus-per-task=1
#SBATCH --output=heicbench-import-%j.log
set -euo pipefail

: "${CORPUS:?must name the folder of the originals, as for the sweep}"
: "${RESULTS:?must name the folder that holds “merged”}"
: "${IMPORTS:?must name the files: NAME=FOLDER, or several separated by spaces}"
read -ra imports <<<"$IMPORTS"

# As for slurm-merge.sh: the store needs a local disk (SCRATCH) if RESULTS is on a network file system.
merged=$RESULTS/merged
if [ -n "${SCRATCH:-}" ]; then
  mkdir -p "$SCRATCH"
  scratch=$(mktemp -d "$SCRATCH/heicbench.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  cp -R "$merged" "$scratch/"
  merged=$scratch/merged
fi

status=0
"${HEICBENCH:-heicbench}" import --reference "$CORPUS" "${imports[@]}" --output "$merged" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" || status=$?

# 3 means that some files were refused. The results list them with their reasons.
[ "$status" -ne 3 ] || status=0
if [ "$status" -eq 0 ] && [ -n "${SCRATCH:-}" ]; then
  # An interrupted copy must not pass for the results.
  rm -rf "$RESULTS/merged.new"
  cp -R "$merged" "$RESULTS/merged.new"
  rm -rf "$RESULTS/merged"
  mv "$RESULTS/merged.new" "$RESULTS/merged"
fi
exit "$status"
