"""A UCI engine with wrong perft counts, for the tests of `perft --against`.

It passes commands to a real engine (first argument) and changes its output. The other arguments say how:

    drop=MOVE add=MOVE:N count=MOVE:N    remove or add a move, or change its count, in the position fen=FEN
                                         (compared without its counters)
    bits=N                               print all counts modulo 2^N
    form=plain|info|dash                 print counts in another format, without a total
    form=total                           print the total only
    repeat=MOVE also=TEXT                print the line of MOVE twice, or TEXT as the move of the second line
    deepen                               count depths 1, 2, … one after the other, each with its total
    async                                answer isready at once, and count slowly in the background
    pause                                wait for 0.4 s among the counts, and before the total
    die=WORD                             exit without output at the first line that begins with WORD
    garbage                              print noise between all lines
    silent                               read everything, answer nothing
    stderr                               print counts and totals on stderr

Run by tests/program/against.rs only.
"""

import random
import subprocess
import sys
import threading
import time

engine_path, arguments = sys.argv[1], sys.argv[2:]
options = dict(a.split("=", 1) for a in arguments if "=" in a)
flags = {a for a in arguments if "=" not in a}
form = options.get("form", "stockfish")
lock = threading.Lock()
noise = random.Random(1)


def put(line, stream=sys.stdout):
    with lock:
        if "garbage" in flags:
            print("\x00\x7f" + "".join(chr(noise.randrange(32, 0x2FF)) for _ in range(50)))
        print(line, flush=True, file=stream)


engine = subprocess.Popen(
    [engine_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
)


def ask(line, last):
    """Sends a line and returns the answer up to the line that begins with `last`."""
    engine.stdin.write(line + "\n")
    engine.stdin.flush()
    lines = []
    while True:
        answer = engine.stdout.readline().strip()
        lines.append(answer)
        if answer.startswith(last):
            return lines


def divide(position, depth):
    """The correct counts of `position` (a UCI command)."""
    engine.stdin.write(position + "\n")
    lines = ask(f"go perft {depth}", "Nodes searched")
    return {m: int(n) for m, n in (x.split(": ") for x in lines if ": " in x) if m != "Nodes searched"}


def fen_of(position):
    engine.stdin.write(position + "\n")
    lines = ask("d", "Checkers")
    return next(x[5:] for x in lines if x.startswith("Fen: "))


def shape(fen):
    return " ".join(fen.split()[:4])


def falsified(position, depth):
    """The counts with the fault in every position that it applies to."""
    counts = divide(position, depth)
    if depth == 0:
        return counts
    wrong = shape(fen_of(position)) == shape(options["fen"])
    if depth > 1 and not wrong:
        for m in counts:
            behind = position + ("" if " moves " in position else " moves") + " " + m
            counts[m] = sum(falsified(behind, depth - 1).values())
    if wrong:
        if "drop" in options:
            del counts[options["drop"]]
        for name in ("add", "count"):
            if name in options:
                m, n = options[name].split(":")
                counts[m] = int(n)
    return counts


def perft(position, depth):
    stream = sys.stderr if "stderr" in flags else sys.stdout
    if "async" in flags:
        time.sleep(0.2)
    if "deepen" in flags and depth > 1:
        perft(position, depth - 1)
    counts = falsified(position, depth) if "fen" in options else divide(position, depth)
    modulus = 1 << int(options.get("bits", 128))
    counts = {m: n % modulus for m, n in counts.items()}
    lines = list(counts.items())
    if options.get("repeat") in counts and ("fen" not in options or shape(fen_of(position)) == shape(options["fen"])):
        lines.append((options.get("also", options["repeat"]), counts[options["repeat"]]))
    for i, (m, n) in enumerate(lines):
        if "async" in flags:
            time.sleep(0.02)
        if "pause" in flags and i == 10:
            time.sleep(0.4)
        if form in ("stockfish", "plain"):
            put(f"{m}: {n}", stream)
        elif form == "info":
            put(f"info string {m} {n}", stream)
        elif form == "dash":
            put(f"{m} - {n}", stream)
    if "pause" in flags:
        time.sleep(0.4)
    if form in ("stockfish", "total"):
        put(f"\nNodes searched: {sum(counts.values()) % modulus}\n", stream)


position = "position startpos"
for line in sys.stdin:
    line = line.strip()
    word = line.split(" ")[0]
    if line.startswith(options.get("die", "\n")):
        engine.kill()
        sys.exit()
    if "silent" in flags:
        continue
    if word == "uci":
        put("id name Broken")
        put("uciok")
    elif word == "isready":
        put("readyok")
    elif word == "setoption":
        engine.stdin.write(line + "\n")
    elif word == "position":
        position = line
    elif word == "go":
        depth = int(line.split()[-1])
        if "async" in flags:
            threading.Thread(target=perft, args=(position, depth), daemon=True).start()
        else:
            perft(position, depth)
    elif word == "quit":
        break
engine.kill()
