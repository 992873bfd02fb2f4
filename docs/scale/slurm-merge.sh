#!/usr/bin/env bash
# Merges what slurm-sweep.sh measured; submit it to run after the array. See docs/scale.md.
#
#   RESULTS=/data/results sbatch --dependency=afterok:ARRAY --kill-on-invalid-dep=yes slurm-merge.sh
#
#SBATCH --job-name=heicbench-merge
#SBATCH --cpus-per-task=1
#SBATCH --output=heicbench-merge-%j.log
set -euo pipefail

: "${RESULTS:?has to name the folder with one folder for each shard}"

"${HEICBENCH:-heicbench}" merge "$RESULTS/merged" "$RESULTS"/shard-*
