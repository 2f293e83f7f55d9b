#!/usr/bin/env bash
# Runs the commands of `src/guide/deep_perft.md` on real schedulers, also with failures.
#
#   run.sh TABIYA      the program to try
#
# GNU parallel distributes work through ssh to two hosts, Slurm to two nodes; all of them are this machine. The
# commands are taken from that page. Then workers are killed, a node goes down and comes back, and the same commands
# complete the run. It must end with the correct total or with none. Needs parallel, openssh-server, slurm-wlm, munge
# and root; takes about a minute. Every process that is started here is also ended here.
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

# The page's commands run `tabiya`.
mkdir "$folder/bin" "$folder/work"
ln -s "$tabiya" "$folder/bin/tabiya"
export PATH="$folder/bin:$PATH"
cd "$folder/work"

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

# Runs such a block with other arguments in place of `8`, and with OPTIONS for the parts; prints the last line.
try() {
  local run=$1 options=${2:-}
  sed "s/perft 8 --hash 256/perft $run $options/; s/perft 8/perft ${run%% *}/" "$folder/block" >"$folder/tried"
  timeout 300 bash -euo pipefail "$folder/tried" 2>"$folder/err" | tail -n 1
}

# Runs the block after the text $1 as often as needed, and expects the total $2 of the run $3.
expect() {
  local text=$1 total=$2 out
  shift 2
  block "$text"
  out=$(try "$@") || { cat "$folder/err" >&2; die "the block failed: $out"; }
  [ "$out" = "Nodes searched: $total" ] || die "expected $total, got: $out"
  say "perft $*: $total"
}

start_ssh
export SLURM_CONF=$folder/slurm/slurm.conf
"$here/slurm.sh" start "$folder/slurm"
say "ssh and slurm are up"

gnu='**GNU parallel** distributes' slurm='Slurm job array'
start8=84998978956 kiwipete6=8031647685
expect "$gnu" $start8 8 '--hash 256'
# Finished parts are not counted again.
before=$(cksum parts/*)
(expect "$slurm" $start8 8 '--hash 256') 2>/dev/null && die "ten parts of Slurm took the files of twenty"
[ "$(cksum parts/*)" = "$before" ] || die "the files of another run were changed"
expect "$gnu" $start8 8 '--hash 256'
rm -rf parts
expect "$slurm" $start8 8 '--hash 256'
rm -rf parts

# Columns: perft 6 of the start position, as published by The Grand Chess Tree.
block "$slurm"
try 6 '--stats --divide' >/dev/null || true
tabiya perft 6 --merge parts/* --stats --json >stats
for column in nodes:119060324 captures:2812008 enpassants:5248 castles:0 promotions:0 direct_checks:797896 \
  single_discovered_checks:329 direct_discovered_checks:46 total_checks:798271 total_mates:10828; do
  grep -q "\"${column%:*}\":${column#*:}[,}]" stats || die "$column is not in $(cat stats)"
done
say "columns through Slurm agree"
rm -rf parts

# Workers of GNU parallel killed at random moments; the same command completes the run.
RANDOM=20 kills=0
block "$gnu"
slow='--fen kiwipete --hash 16 --kernel scalar --threads 1'
while [ $kills -lt 12 ]; do
  try 6 "$slow" >/dev/null &
  workers=$!
  for _ in 1 2 3 4; do
    sleep 0.$((RANDOM % 9))
    # By process id, and only workers that run in this folder.
    for pid in $(pgrep -x tabiya | shuf --random-source=<(yes $RANDOM)); do
      [ "$(readlink "/proc/$pid/cwd" || true)" = "$PWD" ] || continue
      if kill -KILL "$pid" 2>/dev/null; then kills=$((kills + 1)) && break; fi
    done
  done
  wait $workers || true
  # If all is done, start anew, so that there are workers to kill.
  tabiya perft 6 --merge parts/* >total 2>/dev/null && rm -rf parts || true
done
say "$kills workers killed; $(cat total)"
expect "$gnu" $kiwipete6 6 "$slow"
rm -rf parts

# A node goes down while it works, and comes back; Slurm starts its task again, which resumes.
block "$slurm"
try 6 "$slow" >total & array=$!
for _ in $(seq 40); do
  [ "$(squeue --noheader --states=running | wc -l)" -ge 1 ] && break
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
  kill -0 $array 2>/dev/null || break
  # Slurm delays a task that lost its node by two minutes.
  for job in $(squeue --noheader --states=pending --format=%A 2>/dev/null); do
    scontrol update jobid="$job" starttime=now 2>/dev/null || true
  done
  sleep 0.5
done
wait $array || die "the array failed: $(cat "$folder/err")"
[ "$(cat total)" = "Nodes searched: $kiwipete6" ] || die "a node taken away: $(cat total)"
say "a node was down, another drained; the array ended"
rm -rf parts

# A disk that fills up: the run counts on and warns, and what the file holds is of use.
mkdir "$folder/small"
mount -t tmpfs -o size=4k tmpfs "$folder/small" || die "a small tmpfs is needed to fill it"
head -c 3900 /dev/zero >"$folder/small/filler"
code=0
tabiya perft 6 --fen kiwipete --checkpoint "$folder/small/run" >total 2>told || code=$?
[ $code = 2 ] || grep -qx "Nodes searched: $kiwipete6" total || die "full disk: exit $code, $(cat told)"
rm "$folder/small/filler"
tabiya perft 6 --fen kiwipete --checkpoint "$folder/small/run" 2>told | grep -x "Nodes searched: $kiwipete6" >/dev/null ||
  die "after a full disk: $(cat told)"
say "a full disk is said, and what it holds is of use"
