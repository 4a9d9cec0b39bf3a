#!/usr/bin/env bash
# Execute one run as an array of jobs:  sbatch --array 0-3 deploy/slurm.sh KIND ID
#
# KIND and ID are those of `manage.py run --queue-only KIND`. Each job has one process of
# `manage.py shard`; the array's size is their number. A job that is killed or requeued goes on with
# what is left. The environment needs DATABASE_URL and ARTIFACTS_URL (or a VAR_DIR that all nodes
# share), SECRET_KEY, and PYTHON if the platform's Python is not `.venv/bin/python`.
#SBATCH --job-name=winoplatform
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --output=%x-%A-%a.log
set -euo pipefail

if [ $# -ne 2 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "Usage: sbatch --array 0-3 $0 KIND ID" >&2
  exit 2
fi
if [ "$SLURM_ARRAY_TASK_MIN" -ne 0 ] || [ "${SLURM_ARRAY_TASK_STEP:-1}" -ne 1 ]; then
  echo "The array has to begin at 0 and have no gaps, such as --array 0-3." >&2
  exit 2
fi

# Slurm runs a copy of this file, so it cannot be found by its own path.
cd "${SLURM_SUBMIT_DIR:?}"
# The number of threads decides how sums are rounded: the same for all jobs of a run.
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-$SLURM_CPUS_PER_TASK}"
# What only this node needs: logs, and the cache of the bucket.
export VAR_DIR="${VAR_DIR:-${TMPDIR:-/tmp}/winoplatform-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID}"
mkdir -p "$VAR_DIR"

exec "${PYTHON:-.venv/bin/python}" manage.py shard "$1" "$2" \
  --index "$SLURM_ARRAY_TASK_ID" --of "$SLURM_ARRAY_TASK_COUNT"
