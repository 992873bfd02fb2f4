#!/usr/bin/env bash
# Imports files of other encoders into what slurm-merge.sh joined; submit it to run after the merge. See docs/scale.md.
#
#   CORPUS=/data/images RESULTS=/data/results IMPORTS="phone=/data/phone" \
#     sbatch --dependency=afterok:MERGE --kill-on-invalid-dep=yes --cpus-per-task=8 slurm-import.sh
#
# Nothing is encoded, so that one node does it for a corpus that took many to sweep.
#
#SBATCH --job-name=heicbench-import
#SBATCH --cpus-per-task=1
#SBATCH --output=heicbench-import-%j.log
set -euo pipefail

: "${CORPUS:?has to name the folder of the originals, as for the sweep}"
: "${RESULTS:?has to name the folder that holds “merged”}"
: "${IMPORTS:?has to name the files: NAME=FOLDER, several with spaces between}"
read -ra imports <<<"$IMPORTS"

status=0
"${HEICBENCH:-heicbench}" import --reference "$CORPUS" "${imports[@]}" --output "$RESULTS/merged" \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" || status=$?

# 3 means that some files were refused. They are in the results with their reasons.
[ "$status" -ne 3 ] || status=0
exit "$status"
