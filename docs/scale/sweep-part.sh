#!/usr/bin/env bash
# One part of a sweep: a task of a Slurm array, or an index of a Kubernetes job. See docs/scale.md.
#
#   mkdir -p /data/results/checkpoints
#   CORPUS=/data/images RESULTS=/data/results sbatch --parsable --array=1-16 sweep-part.sh
#
# It measures on a local disk (SCRATCH) and copies its store to RESULTS/checkpoints every EVERY seconds. If the part is
# handed out again, on any machine, it continues from there. A finished part is copied to RESULTS/shard-NUMBER.
# COMMAND is the heicbench command with its options: a sweep, or for example “decode --codec heic --size 320,full”.
#
#SBATCH --job-name=heicbench
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=heicbench-%A_%a.log
set -euo pipefail

: "${CORPUS:?must name the folder of the images, at the same path on every node}"
: "${RESULTS:?must name the folder of all parts, at the same path on every node}"
part=${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:?is set by the engine: submit this script to Slurm or Kubernetes}}
read -ra command <<<"${COMMAND:-sweep --images none}"
heicbench=${HEICBENCH:-heicbench}
finished=$RESULTS/shard-$part/heicbench.sqlite
checkpoint=$RESULTS/checkpoints/shard-$part.sqlite
# Kubernetes does not start a pod whose volume is missing, so the folder can be made here.
[ -z "${JOB_COMPLETION_INDEX:-}" ] || mkdir -p "$RESULTS/checkpoints"
mkdir -p "${SCRATCH:=${TMPDIR:-/tmp}}"
scratch=$(mktemp -d "$SCRATCH/heicbench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# Copies the results so far; the target is either complete or unchanged.
save() {
  # Merging can read a store that is being written; before the first encode there is nothing to merge.
  "$heicbench" merge --quiet "$scratch/copy" "$scratch/shard" || return 75
  # Whoever submits the job makes this folder. Without it, the disk is not mounted, and nothing may be written there.
  if new=$(mktemp "$RESULTS/checkpoints/new.XXXXXX"); then
    cp "$scratch/copy/heicbench.sqlite" "$new" && sync "$new" && mkdir -p "${1%/*}" && mv "$new" "$1" && return 0
    rm -f "$new"
  fi
  echo "part $part cannot be saved as “$1”: the results since the last copy are lost" >&2
  return 74
}

mkdir "$scratch/shard"
for saved in "$finished" "$checkpoint"; do
  [ -e "$saved" ] || continue
  cp "$saved" "$scratch/shard/heicbench.sqlite"
  break
done

"$heicbench" "${command[@]}" "$CORPUS" --shard auto --jobs "${JOBS:-${SLURM_CPUS_PER_TASK:-1}}" --quiet \
  --output "$scratch/shard" &
process=$!
# A task that is told to end has a few seconds left to save its results.
trap 'kill "$process" || true' TERM INT
next=$((SECONDS + ${EVERY:=300}))
while kill -0 "$process" 2>/dev/null; do
  sleep 0.2 || true
  [ "$SECONDS" -ge "$next" ] || continue
  failure=0
  save "$checkpoint" || failure=$?
  # There is no point in measuring what cannot be saved.
  [ "$failure" -ne 74 ] || { kill "$process" || true; wait "$process" || exit 74; }
  next=$((SECONDS + EVERY))
done
status=0
wait "$process" || status=$?

# 3 means that some encodes failed. The results list them with their reasons and can be merged.
if [ "$status" -eq 0 ] || [ "$status" -eq 3 ]; then
  save "$finished" || exit 74
  rm -f "$checkpoint"
else
  save "$checkpoint" || true
  exit "$status"
fi
