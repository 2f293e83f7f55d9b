#!/usr/bin/env bash
# A Slurm cluster of two nodes, one CPU each, on this machine and without systemd, for `run.sh`.
#
#   slurm.sh start FOLDER    configures and starts everything below FOLDER
#   slurm.sh stop FOLDER     ends the processes that `start` started, by their pid files
#
# With SLURM_CONF=FOLDER/slurm.conf, sbatch, squeue and scontrol use this cluster. Needs root and the packages
# slurm-wlm and munge.
set -euo pipefail
folder=$2
config=$folder/slurm.conf
export SLURM_CONF=$config

start() {
  mkdir -p "$folder"/{state,n1,n2,munge}
  # A separate key and socket, independent of any munged that already runs.
  chmod 755 "$folder" && chmod 700 "$folder/munge"
  (umask 077 && dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none)
  munged --force --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge.pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
  local host port=$((20000 + RANDOM % 10000))
  host=$(hostname -s)
  cat >"$config" <<CONFIG
ClusterName=tabiya
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MinJobAge=60
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONFIG
  slurmctld
  slurmd -N n1
  slurmd -N n2
  for _ in $(seq 60); do
    [ "$(sinfo --noheader --states=idle --format=%D 2>/dev/null)" = 2 ] && return 0
    sleep 0.5
  done
  echo "slurm.sh: the nodes do not become idle" >&2
  tail -n 5 "$folder"/*.log >&2
  return 1
}

stop() {
  local name pids=()
  for name in slurmd.n1 slurmd.n2 slurmctld munge; do
    [ ! -s "$folder/$name.pid" ] || pids+=("$(cat "$folder/$name.pid")")
  done
  [ ${#pids[@]} -gt 0 ] || return 0
  kill "${pids[@]}" 2>/dev/null || true
  # Wait for them, because they write to the folder until they exit.
  for _ in $(seq 100); do
    kill -0 "${pids[@]}" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "${pids[@]}" 2>/dev/null || true
}

case $1 in
start) start ;;
stop) stop ;;
*) echo "slurm.sh: expected start or stop" >&2 && exit 2 ;;
esac
