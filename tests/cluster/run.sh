#!/usr/bin/env bash
# Runs the commands of `src/guide/deep_perft.md` on real schedulers, also with failures.
#
#   run.sh TABIYA      the program to try
#
# GNU parallel distributes work through ssh to two hosts, Slurm to two nodes; all of them are this machine. The
# commands are taken from that page. Then workers are killed, a node goes down and comes back, and a disk fills
# up. A run must end with the correct total or with none. Needs parallel, openssh-server, slurm-wlm, munge and
# root; takes about two minutes. Every process that is started here is also ended here.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/tests/cluster
tabiya=$(realpath "$1")
folder=$(mktemp -d /tmp/tabiya-cluster.XXXXXX)
chmod 755 "$folder"

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
die() { say "FAILED: $*" >&2; exit 1; }
cleanup() {
  "$here/slurm.sh" stop "$folder/slurm" || true
  [ -s "$folder/sshd.pid" ] && kill "$(cat "$folder/sshd.pid")" || true
  mountpoint -q "$folder/small" && umount "$folder/small" || true
  rm -rf "$folder"
}
trap cleanup EXIT

# The page's commands run `tabiya` and use `tests/cluster`, so both get links.
mkdir "$folder/bin" "$folder/work"
ln -s "$tabiya" "$folder/bin/tabiya"
export PATH="$folder/bin:$PATH"
cd "$folder/work"
ln -s "$here" tests-cluster

# Two ssh hosts: this machine, with a separate sshd and temporary keys.
start_ssh() {
  local port=$((30000 + RANDOM % 10000))
  ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
  ssh-keygen -q -t ed25519 -N '' -f "$folder/user"
  cat >"$folder/sshd_config" <<CONFIG
ListenAddress 127.0.0.1
Port $port
HostKey $folder/host
PidFile $folder/sshd.pid
AuthorizedKeysFile $folder/user.pub
PasswordAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
MaxStartups 100
SetEnv PATH=$PATH
CONFIG
  cat >"$folder/ssh_config" <<CONFIG
Host host1 host2
  HostName 127.0.0.1
  Port $port
  IdentityFile $folder/user
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile $folder/known_hosts
  LogLevel ERROR
CONFIG
  mkdir -p /run/sshd
  /usr/sbin/sshd -f "$folder/sshd_config"
  export PARALLEL_SSH="ssh -F $folder/ssh_config"
  for _ in $(seq 20); do
    $PARALLEL_SSH host1 tabiya --version && return 0
    sleep 0.5
  done
  die "no ssh to this machine"
}

# The commands of a block of the page: those between ```sh and ``` after the given text.
block() {
  awk -v from="$1" '
    index($0, from) { found = 1 }
    found && /^```$/ && inside { exit }
    inside { print }
    found && /^```sh$/ { inside = 1 }' "$here/../../src/guide/deep_perft.md" >"$folder/block"
  [ -s "$folder/block" ] || die "the page has no commands after: $1"
  sed 's/^/    /' "$folder/block"
}

# Runs such a block with other arguments in place of `8 --split 4`, and expects a total.
try() {
  local run=$1 total=$2 out
  sed -i "s/perft 8 --split 4/perft $run/; s|tests/cluster/|tests-cluster/|" "$folder/block"
  out=$(timeout 300 bash -euo pipefail "$folder/block" 2>"$folder/err") || { cat "$folder/err" >&2; die "the block failed: $out"; }
  [ "$(tail -n 1 <<<"$out")" = "Nodes searched: $total" ] || die "expected $total, got: $out"
  say "perft $run: $total"
  rm -rf results* units.tsv log
}

start_ssh
export SLURM_CONF=$folder/slurm/slurm.conf
"$here/slurm.sh" start "$folder/slurm"
say "ssh and slurm are up"

start8=84998978956 kiwipete6=8031647685
block '**GNU parallel** distributes'
try '8 --split 4' $start8
block '**GNU parallel** distributes'
try '6 --split 3 --fen kiwipete' $kiwipete6
block 'through stdin'
try '8 --split 4' $start8
block 'Slurm job array'
try '8 --split 4' $start8
block 'Slurm job array'
try '6 --split 3 --fen kiwipete' $kiwipete6

# Columns: perft 6 of the start position, as published by The Grand Chess Tree.
tabiya perft 6 --split 3 --divide >units.tsv
mkdir results
sbatch --quiet --wait --array=0-3 "$here/array.sh" units.tsv results --stats
tabiya perft --merge units.tsv results/*.tsv --stats --json >stats
for column in nodes:119060324 captures:2812008 enpassants:5248 castles:0 promotions:0 direct_checks:797896 \
  single_discovered_checks:329 direct_discovered_checks:46 total_checks:798271 total_mates:10828; do
  grep -q "\"${column%:*}\":${column#*:}[,}]" stats || die "$column is not in $(cat stats)"
done
tabiya perft --merge units.tsv results/*.tsv --divide >divided
tabiya perft 6 --divide 2>/dev/null | cmp - divided || die "divide through Slurm differs"
say "columns and divide through Slurm agree"
rm -rf results units.tsv

# Completes a run with the commands that --merge prints, in up to three rounds; prints the total.
complete() {
  local round code
  for round in 1 2 3; do
    code=0
    tabiya perft --merge units.tsv results/*.tsv >total 2>told || code=$?
    [ $code = 0 ] && break
    [ $code = 1 ] || die "--merge ends with $code: $(cat told)"
    grep '^  tabiya perft --units ' told | sed 's|MORE_RESULTS|results/more.tsv|' >commands
    [ -s commands ] || die "--merge prints no command: $(cat told)"
    say "$(grep -c 'left out' told || true) lines left out; $(grep lack told | sed 's/;.*//')"
    bash -eu commands 2>/dev/null
  done
  tail -n 1 total
}
expect() { [ "$(complete | tee >(cat >&2) | tail -n 1)" = "Nodes searched: $1" ] || die "$2"; }

# Twenty workers of GNU parallel killed at random moments, some in the middle of a line.
mkdir results
tabiya perft 6 --split 3 --fen kiwipete >units.tsv
RANDOM=20 kills=0
while [ $kills -lt 20 ]; do
  seq 0 8000 57547 | parallel -S 2/host1,2/host2 --joblog log --resume-failed --workdir "$PWD" --line-buffer \
    'tabiya perft --units units.tsv --range {}..$(({} + 8000)) --kernel scalar --threads 1' \
    >>results/killed.tsv 2>/dev/null &
  workers=$!
  for _ in 1 2 3 4; do
    sleep 0.$((RANDOM % 9))
    # By process id, and only workers that run in this folder.
    for pid in $(pgrep -x tabiya | shuf --random-source=<(yes $RANDOM)); do
      [ "$(readlink "/proc/$pid/cwd" || true)" = "$PWD" ] || continue
      if kill -KILL "$pid" 2>/dev/null; then kills=$((kills + 1)) && break; fi
    done
  done
  kill -TERM $workers 2>/dev/null || true
  kill -TERM $workers 2>/dev/null || true
  # If all units are done, start again, so that there are workers to kill; the merge must accept the duplicates.
  wait $workers 2>/dev/null && rm -f log || true
  # Truncate the file, as a kill in the middle of a write does.
  truncate --size=-$((RANDOM % 30)) results/killed.tsv 2>/dev/null || true
done
say "$kills workers killed"
expect $kiwipete6 "20 kills"
# The same with the results split at random into files that are torn at both ends.
split --bytes=$((50000 + RANDOM)) results/killed.tsv results/part.
mv results/part.ab results/part.tsv && rm -f results/part.a? results/killed.tsv
expect $kiwipete6 "torn files"
rm -rf results units.tsv log

# A node goes down while it works, and comes back.
mkdir results
tabiya perft 6 --split 3 --fen kiwipete >units.tsv
job=$(sbatch --parsable --array=0-5 "$here/array.sh" units.tsv results --kernel scalar --threads 1)
for _ in $(seq 40); do
  [ "$(squeue --noheader --states=running --jobs="$job" | wc -l)" -ge 1 ] && break
  sleep 0.25
done
sleep 1
# A node that has re-registered in between needs no resume, and then scontrol fails.
scontrol update nodename=n1 state=down reason=test
sleep 1
scontrol update nodename=n1 state=resume 2>/dev/null || true
scontrol update nodename=n2 state=drain reason=test
sleep 1
scontrol update nodename=n2 state=resume 2>/dev/null || true
[ -z "$(sinfo --noheader --states=down,drain,fail --format=%N)" ] || die "the nodes stay away: $(sinfo)"
for _ in $(seq 240); do
  [ -z "$(squeue --noheader --jobs="$job" 2>/dev/null)" ] && break
  # Slurm delays a task that lost its node by two minutes.
  scontrol update jobid="$job" starttime=now 2>/dev/null || true
  sleep 0.5
done
[ -z "$(squeue --noheader --jobs="$job" 2>/dev/null)" ] || die "the array does not end: $(squeue)"
expect $kiwipete6 "a node taken away"
say "a node was down, another drained; the array ended"

# The same units once more with another seed: the total is the same, and now all units are verified.
sbatch --quiet --wait --array=10-12 "$here/array.sh" units.tsv results --seed 7 --hash 16
tabiya perft --merge units.tsv results/*.tsv --verified 2>told | grep -qx "Nodes searched: $kiwipete6" ||
  die "units done twice: $(cat told)"
say "all units counted twice, with two seeds"
rm -rf results

# A disk that fills up while units are written, and while results are.
mkdir results "$folder/small"
mount -t tmpfs -o size=64k tmpfs "$folder/small" || die "a small tmpfs is needed to fill it"
code=0
tabiya perft 6 --split 3 --fen kiwipete >"$folder/small/units.tsv" 2>told || code=$?
[ $code = 2 ] && grep -q 'cannot write the output' told || die "full disk: exit $code, $(cat told)"
code=0
tabiya perft --units "$folder/small/units.tsv" >/dev/null 2>told || code=$?
[ $code = 2 ] || die "half a file of units is taken"
rm "$folder/small/units.tsv"
code=0
tabiya perft --units units.tsv --kernel scalar >"$folder/small/results.tsv" 2>told || code=$?
[ $code = 2 ] && grep -q 'cannot write the output' told || die "full disk: exit $code, $(cat told)"
cp "$folder/small/results.tsv" results/
expect $kiwipete6 "a full disk"
say "full disks are errors, and what they hold is of use"
