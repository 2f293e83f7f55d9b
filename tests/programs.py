#!/usr/bin/env python3
"""Plays and analyses through programs that people use. Each runs by itself and in bounded time.

    python3 tests/programs.py target/release/tabiya [NAME...]

`polyglot` and `uci2wb` are driven through pipes, as XBoard drives them. `xboard`, `xboard-xiangqi` and `xboard-restart`
are whole games in XBoard itself on a virtual display (Xvfb); they run only if named. A test whose program is not installed is SKIPPED, and
fails if the variable CI is set. Needs `pip install chess`. Exit code 1 if a test fails.
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
    """A program that is driven through pipes, with a record of the dialogue."""

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
        """Waits for a line that matches `pattern`; `what` names it in the error."""
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
    """Batches that GUIs send in one write: 200 quick stops and 50 ponder misses."""
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
    """A game in which every move is a ponder miss, and an analysis whose position changes 50 times."""
    need("polyglot")
    with tempfile.TemporaryDirectory() as folder:
        talk = Talk(["polyglot", polyglot_ini(folder, engine, True)], cwd=folder)
        talk.send("xboard", "protover 2")
        talk.until("feature.*done=1", "features")
        talk.send("new", "level 40 1 0", "hard", "post", "time 6000", "otim 6000")
        board, rng = chess.Board(), random.Random(1)
        while not board.is_game_over() and board.ply() < 60:
            # A random move, which is hardly ever the expected one.
            move = rng.choice(list(board.legal_moves))
            board.push(move)
            talk.send(move.uci())
            if board.is_game_over():
                break
            board.push_uci(talk.until(r"^move \S+", f"an answer to {move}").split()[1])
        print(f"    {board.ply()} plies, random moves against it")
        talk.send("force", "new", "post", "analyze")
        shown = r"^\s*\d+\s+[-+]?\d+\s+\d+\s+\d+\s+\S"
        talk.until(shown, "analysis")
        for i in range(50):
            talk.send("e2e4" if i % 2 == 0 else "undo")
            talk.until(shown, f"analysis after change {i}")
        talk.send("exit")
        talk.close()


def polyglot_both(engine):
    """A game between two engines that both ponder."""
    need("polyglot")
    with tempfile.TemporaryDirectory() as folder:
        command = ["polyglot", polyglot_ini(folder, engine, True)]
        sides = [Talk(command, cwd=folder), Talk(command, cwd=folder)]
        for talk in sides:
            talk.send("xboard", "protover 2")
            talk.until("feature.*done=1", "features")
            talk.send("new", "level 60 0:20 0", "hard")
        left, board = [20.0, 20.0], chess.Board()
        sides[1].send("force")
        sides[0].send("go")
        # PolyGlot ends a game at the third repetition.
        while not board.is_game_over() and not board.is_repetition(3) and board.ply() < 80:
            side = board.ply() % 2
            begin = time.monotonic()
            move = sides[side].until(r"^move \S+", f"move {board.ply()}").split()[1]
            left[side] -= time.monotonic() - begin
            assert left[side] > 0, f"side {side} has lost on time at ply {board.ply()}"
            board.push_uci(move)
            other = sides[1 - side]
            other.send(f"time {int(left[1 - side] * 100)}", f"otim {int(left[side] * 100)}", move)
            if board.ply() == 1:
                other.send("go")
        print(f"    {board.ply()} plies, {left[0]:.1f} and {left[1]:.1f} s left")
        # Equal engines may repeat early.
        assert board.ply() >= 8, "a short game"
        for talk in sides:
            talk.send("force")
            talk.close()


class Display:
    """A virtual display, with a temporary home directory."""

    def __enter__(self):
        need("Xvfb")
        self.folder = tempfile.TemporaryDirectory()
        reading, writing = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24"],
                                        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            self.environment = os.environ | {"DISPLAY": f":{number.readline().strip()}", "HOME": self.folder.name}
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()


def xboard_game(command, *options):
    """A game in XBoard between two engines that ponder. It must end by the rules. Returns XBoard's log."""
    need("xboard")
    with Display() as display:
        pgn, debug = (pathlib.Path(display.folder.name) / name for name in ("game.pgn", "debug.txt"))
        xboard = subprocess.Popen(
            ["xboard", *options, "-fcp", command, "-scp", command, "-tc", "0:12", "-inc", "0", "-mps", "60", "-ponder",
             "-mg", "1", "-soundMove", "", "-debug", "-nameOfDebugFile", str(debug), "-saveGameFile", str(pgn)],
            env=display.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 3 * PATIENCE
            while time.monotonic() < end and not (pgn.exists() and pgn.read_text().strip()):
                assert xboard.poll() is None, f"XBoard has ended: {xboard.returncode}"
                time.sleep(0.5)
            assert pgn.exists(), "no game in three minutes"
            time.sleep(1)
        finally:
            xboard.terminate()
            try:
                xboard.wait(10)
            except subprocess.TimeoutExpired:
                xboard.kill()
        text, log = pgn.read_text(), debug.read_text(errors="replace")
        comment = re.findall(r"\{([^{}]*)\}\s*(?:1-0|0-1|1/2-1/2)", text)
        print(f"    {log.count('usermove')} moves; {comment[-1:]}")
        assert log.count("usermove") > 10, "hardly any moves"
        for word in ("forfeits", "illegal", "exited", "*\n"):
            assert word not in (comment[-1] if comment else "*\n"), text[-300:]
        return log


def defaults(engine, protocol):
    """The announced options with their defaults as XBoard writes them."""
    talk = Talk([engine])
    talk.send(protocol)
    talk.until(f"^{protocol}ok", "options")
    talk.close()
    found = {}
    for line in talk.record:
        if match := re.match(r"< option (?:name )?(.+) type (\S+)(?: .*)?? default (.*?)(?: (?:min|var) .*)?$", line):
            name, kind, value = match.groups()
            found[name] = str(int(value == "true")) if kind == "check" else value
    return found


def xboard_restart(engine):
    """XBoard starts an engine anew for every game and sends back the values of all options, and it starts with those
    that were saved. They must be the defaults that the engine announced, whatever the adapter made of them. The table
    path of XBoard's own settings does not exist."""
    need("uci2wb")
    missing = ("-egtFormats", "syzygy:/no/such/folder")
    for command, protocol, options in ((f"uci2wb -x {engine}", "ucci", ("-variant", "xiangqi")),
                                       (f"uci2wb {engine}", "uci", ("-variant", "xiangqi")),
                                       (f"uci2wb {engine}", "uci", missing)):
        announced, saved = defaults(engine, protocol), []
        for _ in range(2):
            log = xboard_game(command, *options, "-firstOptions", ",".join(saved))
            sent = dict(re.findall(r">first ?: option (.+?)=(.*)", log))
            own = {name: value for name, value in sent.items() if name in announced}
            assert len(own) >= 8, log[-2000:]
            other = {name: value for name, value in own.items() if value != announced[name]}
            assert not other, f"not the defaults: {other}"
            # A comma separates options.
            saved = [f"{name}={value}" for name, value in sent.items() if "," not in value]
            if options == missing:
                assert "/no/such/folder" in log and "it does not exist" in log, log[:4000]


def xboard(engine):
    """A game of chess, the engines behind PolyGlot."""
    need("polyglot")
    xboard_game(engine, "-fUCI", "-sUCI")


def xboard_xiangqi(engine):
    """A game of xiangqi, the engines behind uci2wb."""
    need("uci2wb")
    xboard_game(f"uci2wb -x {engine}", "-variant", "xiangqi")


def uci2wb(engine):
    """Xiangqi as XBoard plays it: `uci2wb -x` translates UCCI, without `-x` UCI. The engine has Red, or Black."""
    need("uci2wb")
    for flags, first in ([["-x"], "usermove h2e2"], [["-x"], "go"], [[], "usermove h2e2"], [[], "go"]):
        talk = Talk(["uci2wb", *flags, engine])
        talk.send("xboard", "protover 2")
        talk.until("feature.*done=1", "features")
        talk.send("new", "variant xiangqi", "level 40 1 0", "easy", "time 6000", "otim 6000", first)
        for i in range(10):
            move = talk.until(r"^move \S+", f"move {i}")
            assert re.match(r"^move [a-i]\d[a-i]\d$", move), move
            if i == 0 and first == "go":
                assert re.match(r"^move (?:[a-i]0|[bh]2|[acegi]3)", move), move
            talk.send("time 6000", "otim 6000", "force", "go") if i % 2 else talk.send("go")
        talk.close()


def main():
    engine = os.path.abspath(sys.argv[1])
    tests = {"batches": batches, "polyglot": polyglot, "polyglot-both": polyglot_both, "uci2wb": uci2wb,
             "xboard": xboard, "xboard-xiangqi": xboard_xiangqi, "xboard-restart": xboard_restart}
    failures = 0
    for name in sys.argv[2:] or [name for name in tests if not name.startswith("xboard")]:
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
