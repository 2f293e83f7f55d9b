#!/usr/bin/env python3
"""Plays and analyses through programs that people use, each by itself and within bounded time.

    python3 tests/programs.py target/release/tabiya [NAME...]

`polyglot` and `uci2wb` are spoken to as XBoard does, through pipes. What is not installed is SKIPPED, and fails
where CI is set.
Needs `pip install chess`.
Ends with status 0 if everything went well; otherwise says what did not and ends with status 1.
"""

import os
import pathlib
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import chess

os.environ["PATH"] += os.pathsep + "/usr/games"
PATIENCE = 60


class Skipped(Exception):
    pass


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Skipped(f"{program} is missing")


class Talk:
    """A program at the end of two pipes."""

    def __init__(self, command, cwd=None):
        self.process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, bufsize=0)
        self.lines, self.record = queue.Queue(), []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode(errors="replace").strip())

    def send(self, *lines):
        self.record += [f"> {line}" for line in lines]
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    def until(self, pattern, what):
        """Waits for a line that matches."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {what}; last: {self.record[-12:]}") from None
            self.record.append(f"< {line}")
            if re.search(pattern, line):
                return line

    def close(self):
        try:
            self.send("quit")
            self.process.wait(10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            raise AssertionError("still there after quit") from None
        finally:
            self.process.kill()


def polyglot_ini(folder, engine, ponder):
    path = pathlib.Path(folder) / f"polyglot{int(ponder)}.ini"
    path.write_text(f"[PolyGlot]\nEngineDir = .\nEngineCommand = {engine}\nLog = false\nBook = false\n"
                    f"Resign = false\n[Engine]\nPonder = {str(ponder).lower()}\nHash = 4\n")
    return str(path)


def batches(engine):
    """What GUIs send in one piece: 200 quick stops and 50 ponder misses."""
    talk = Talk([engine])
    talk.send("uci")
    talk.until("^uciok", "uciok")
    talk.send("position startpos", "go infinite")
    moves = ["e2e4", "d2d4", "c2c4", "g1f3"]
    for i in range(200):
        talk.send("stop", f"position startpos moves {moves[i % 4]}", "go infinite")
        talk.until("^bestmove", f"answer to search {i}")
    talk.send("stop")
    talk.until("^bestmove", "last answer")
    for i in range(50):
        talk.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
        talk.send("stop", f"position startpos moves {moves[i % 4]}", "go movetime 5")
        talk.until("^bestmove", "answer to the ponder search")
        answer = talk.until("^bestmove", "answer after the miss")
        # A reply of Black, not another move of White.
        assert answer.split()[1][1] in "78", answer
    talk.close()


def polyglot(engine):
    """A game with pondering in which every move is a miss, and an analysis that is changed 50 times."""
    need("polyglot")
    with tempfile.TemporaryDirectory() as folder:
        talk = Talk(["polyglot", polyglot_ini(folder, engine, True)], cwd=folder)
        talk.send("xboard", "protover 2")
        talk.until("feature.*done=1", "features")
        talk.send("new", "level 40 1 0", "hard", "post", "time 6000", "otim 6000")
        board, dice = chess.Board(), random.Random(1)
        while not board.is_game_over() and board.ply() < 60:
            # Any move at all: hardly what it expects.
            move = dice.choice(list(board.legal_moves))
            board.push(move)
            talk.send(move.uci())
            if board.is_game_over():
                break
            board.push_uci(talk.until(r"^move \S+", f"an answer to {move}").split()[1])
        print(f"    {board.ply()} plies, every move of ours a surprise")
        talk.send("force", "new", "post", "analyze")
        shown = r"^\s*\d+\s+[-+]?\d+\s+\d+\s+\d+\s+\S"
        talk.until(shown, "analysis")
        for i in range(50):
            talk.send("e2e4" if i % 2 == 0 else "undo")
            talk.until(shown, f"analysis after change {i}")
        talk.send("exit")
        talk.close()


def uci2wb(engine):
    """Xiangqi as XBoard plays it: `uci2wb -x` translates UCCI."""
    need("uci2wb")
    talk = Talk(["uci2wb", "-x", engine])
    talk.send("xboard", "protover 2")
    talk.until("feature.*done=1", "features")
    talk.send("new", "variant xiangqi", "level 40 1 0", "easy", "time 6000", "otim 6000")
    talk.send("usermove h2e2")
    for i in range(10):
        move = talk.until(r"^move \S+", f"move {i}")
        assert re.match(r"^move [a-i]\d[a-i]\d", move), move
        talk.send("time 6000", "otim 6000", "force", "go") if i % 2 else talk.send("go")
    talk.close()


def main():
    engine = os.path.abspath(sys.argv[1])
    tests = {"batches": batches, "polyglot": polyglot, "uci2wb": uci2wb}
    failures = 0
    for name in sys.argv[2:] or tests:
        print(name, flush=True)
        begin = time.monotonic()
        try:
            tests[name](engine)
            print(f"    passed in {time.monotonic() - begin:.1f} s", flush=True)
        except Skipped as reason:
            failures += bool(os.environ.get("CI"))
            print(f"    SKIPPED: {reason}")
        except Exception as error:  # a failed test must not hide the others
            failures += 1
            print(f"    FAILED: {type(error).__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
