#!/usr/bin/env bash
# One shard of a sweep for each task of a Slurm array; see docs/scale.md.
#
#   CORPUS=/data/images RESULTS=/data/results sbatch --parsable --array=1-16 slurm-sweep.sh
#
# COMMAND is what is measured, with its options: a sweep unless it says “decode --codec heic --sizes 320,full”.
#
#SBATCH --job-name=heicbench
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=heicbench-%A_%a.log
set -euo pipefail

: "${CORPUS:?has to name the folder of the images, at the same path on every node}"
: "${RESULTS:?has to name the folder that gets one folder for each shard}"
: "${SLURM_ARRAY_TASK_ID:?is set for the tasks of an array: submit this with sbatch}"
read -ra command <<<"${COMMAND:-sweep --images none}"
# Set SCRATCH to a disk of the node's own where RESULTS is on a network file system.
shard="${SCRATCH:-$RESULTS}/shard-$SLURM_ARRAY_TASK_ID"

status=0
"${HEICBENCH:-heicbench}" "${command[@]}" "$CORPUS" --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --output "$shard" || status=$?

# 3 means that some points failed. They are in the results with their reasons, which is no reason not to merge.
[ "$status" -ne 3 ] || status=0

if [ -n "${SCRATCH:-}" ] && [ -d "$shard" ]; then
  mkdir -p "$RESULTS"
  cp -R "$shard" "$RESULTS/"
fi
exit "$status"
