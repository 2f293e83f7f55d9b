#!/usr/bin/env python3
"""Plays fast games of the engine against itself and counts every fault.

    python3 tests/self_play.py target/release/tabiya [--games 2000] [--xiangqi 400] [--jobs 2] [--base 300] [--margin 100]

A fault is: no answer in time, an illegal move or ponder move, an illegal principal variation, a line that is not part of
the protocol, a loss on time by more than the margin, an exit, or any output on stderr. Chess is checked by python-chess,
xiangqi (UCI_Variant) by pyffish: `pip install chess pyffish`. Prints the faults. Exit code 1 if there are any.
"""

import argparse
import multiprocessing
import os
import queue
import random
import re
import subprocess
import sys
import threading
import time

import chess

PATIENCE = 20
INFO = re.compile(
    r"info (string .*|depth \d+ (currmove \S+ currmovenumber \d+|seldepth \d+( multipv \d+)? score (cp|mate) -?\d+"
    r"( lowerbound| upperbound)? .*)|(nodes|currline|refutation|currmove|hashfull|time) .*|depth \d+.*)$")


class Fault(Exception):
    pass


class Chess:
    variant, start = "chess", chess.STARTING_FEN
    checked_lines = 1000

    def __init__(self):
        self.board = chess.Board()

    def legal(self):
        return [move.uci() for move in self.board.legal_moves]

    def push(self, move):
        self.board.push_uci(move)

    def over(self):
        return self.board.is_game_over() or self.board.can_claim_draw()

    def line_is_legal(self, moves):
        board = self.board.copy(stack=False)
        for move in moves:
            if chess.Move.from_uci(move) not in board.legal_moves:
                return False
            board.push_uci(move)
        return True


class Xiangqi:
    variant = "xiangqi"
    # Only the last line of a search, as pyffish takes two milliseconds for a move.
    checked_lines = 1

    def __init__(self):
        import pyffish
        self.fish, self.moves = pyffish, []
        self.start = self.fen = pyffish.start_fen("xiangqi")

    def legal(self):
        return self.fish.legal_moves("xiangqi", self.fen, [])

    def push(self, move):
        self.moves.append(move)
        self.fen = self.fish.get_fen("xiangqi", self.fen, [move])

    def over(self):
        if not self.legal() or len(self.moves) > 300:
            return True
        return self.fish.is_optional_game_end("xiangqi", self.start, self.moves)[0]

    def line_is_legal(self, moves):
        fen = self.fen
        for move in moves:
            # Without the moves of the game: a principal variation may contain forbidden repetitions.
            if move not in self.fish.legal_moves("xiangqi", fen, []):
                return False
            fen = self.fish.get_fen("xiangqi", fen, [move])
        return True


class Player:
    def __init__(self, engine, variant):
        self.process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        self.errors = []
        threading.Thread(target=lambda: [self.lines.put((time.monotonic(), line.rstrip("\n")))
                                         for line in self.process.stdout], daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()
        self.send("uci", f"setoption name UCI_Variant value {variant}", "setoption name Hash value 4",
                  "setoption name Ponder value false", "isready")
        while self.read()[1] != "readyok":
            pass

    def send(self, *lines):
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Fault(f"it has exited with code {self.process.wait()}") from None

    def read(self):
        try:
            return self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Fault(f"no answer; exit code {self.process.poll()}") from None

    def close(self):
        self.send("quit")
        if self.process.wait(10) != 0:
            raise Fault(f"exit code {self.process.returncode}")
        if self.errors:
            raise Fault(f"error stream: {self.errors[:3]}")


def move(player, game, moves, clocks, increment, margin, fault):
    """Plays the move of one side and checks all output before it."""
    listed = f" moves {' '.join(moves)}" if moves else ""
    side = len(moves) % 2
    player.send(f"position startpos{listed}",
                f"go wtime {clocks[0]:.0f} btime {clocks[1]:.0f} winc {increment} binc {increment}")
    begin, lines = time.monotonic(), []
    while True:
        at, line = player.read()
        if line.startswith("bestmove "):
            break
        if not INFO.match(line):
            fault(f"unknown line {line!r}")
        if pv := re.search(r" pv (.*)$", line):
            lines.append((line, pv[1].split()))
    for text, pv in lines[-game.checked_lines:]:
        if not game.line_is_legal(pv):
            fault(f"illegal principal variation {text!r}")
    clocks[side] += increment - (at - begin) * 1000
    if clocks[side] < -margin:
        fault(f"lost on time by {-clocks[side]:.0f} ms")
    clocks[side] = max(clocks[side], 50)
    words = line.split()
    best = words[1]
    if best not in game.legal():
        raise Fault(f"illegal move {line!r}")
    game.push(best)
    if len(words) not in (2, 4) or len(words) == 4 and (words[2] != "ponder" or not game.line_is_legal([words[3]])):
        fault(f"illegal reply {line!r}")
    return best


def play(task):
    """Plays a game from a few random moves: the number of its plies, and the faults."""
    engine, kind, seed, base, margin = task
    game, rng, moves, faults = kind(), random.Random(seed), [], []

    def fault(text):
        faults.append(f"{kind.variant} game {seed}, after {' '.join(moves)}: {text}")

    for _ in range(rng.randrange(4, 9)):
        legal = game.legal()
        if not legal or game.over():
            break
        moves.append(rng.choice(legal))
        game.push(moves[-1])
    players = []
    try:
        players += [Player(engine, kind.variant), Player(engine, kind.variant)]
        clocks = [base, base]
        while not game.over() and len(moves) < 400:
            moves.append(move(players[len(moves) % 2], game, moves, clocks, max(1, base // 60), margin, fault))
        for player in players:
            player.close()
    except Fault as error:
        fault(str(error))
    finally:
        for player in players:
            player.process.kill()
            player.process.wait()
    return len(moves), faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=2000, help="games of both kinds")
    parser.add_argument("--xiangqi", type=int, default=400, help="how many of them are xiangqi")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--base", type=int, default=300, help="milliseconds for a game")
    parser.add_argument("--margin", type=int, default=100, help="milliseconds that a move may be late")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine = os.path.abspath(options.engine)
    tasks = [(engine, Xiangqi if number < options.xiangqi else Chess, options.seed * 1_000_000 + number,
              options.base, options.margin) for number in range(options.games)]
    plies, faults = [], []
    with multiprocessing.Pool(options.jobs) as pool:
        for length, found in pool.imap_unordered(play, tasks):
            plies.append(length)
            faults += found
            if len(plies) % 100 == 0:
                print(f"{len(plies)} games, {sum(plies)} plies, {len(faults)} faults", flush=True)
    print(f"{len(plies)} games, {sum(plies)} plies, {len(faults)} faults")
    for text in faults[:20]:
        print(f"FAULT: {text}")
    return 1 if faults or len(plies) != options.games else 0


if __name__ == "__main__":
    sys.exit(main())
