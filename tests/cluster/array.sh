#!/bin/sh
# One task of a Slurm job array: counts its share of the work units of a file.
#
#   sbatch --array=0-99 array.sh FILE FOLDER [OPTION...]
#
# Task N of M counts the N-th of M equal shares of FILE (from `tabiya perft DEPTH --split PLIES`) and appends the
# results to FOLDER/N.tsv. OPTIONs are those of `tabiya perft --units`. A task that is restarted, by Slurm or by
# hand, counts its share again; `--merge` accepts torn lines and units that were counted twice.
#SBATCH --job-name=perft --requeue --output=/dev/null --open-mode=append
set -eu
file=$1 folder=$2
shift 2
units=$(head -n 1 "$file" | tr '\t' '\n' | sed -n 's/^units=//p')
task=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))
tasks=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1))
from=$((units * task / tasks)) to=$((units * (task + 1) / tasks))
[ "$from" -lt "$to" ] || exit 0
exec tabiya perft --units "$file" --range "$from..$to" "$@" >>"$folder/$SLURM_ARRAY_TASK_ID.tsv"
