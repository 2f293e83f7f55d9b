#!/usr/bin/env python3
"""A match of two chess programs by nodes: what other work there is on the machine changes nothing.

    python3 tests/tools/node_match.py A B --games 500 --nodes 5000

Random openings from A's `genfens`, each played twice with colours changed. A game ends by the rules, when both
programs have seen a side 10 pawns ahead for three moves each, or level (10 centipawns) for eight from move 40 on,
in centipawns as each shows them.
Prints wins, draws and losses of A and the difference in Elo with its error of 95 %, from the results of pairs.
Needs `pip install chess`.
"""

import argparse
import math
import multiprocessing
import os
import subprocess

import chess
import chess.engine

LEVEL, AHEAD = 10, 1000


class Verdict:
    """Whether both programs agree for long enough about how a game ends."""

    def __init__(self):
        self.level = self.ahead = 0

    def after(self, board, score):
        """The result for White, or nothing; `score` is White's."""
        self.level = self.level + 1 if board.fullmove_number >= 40 and abs(score) <= LEVEL else 0
        sign = (score >= AHEAD) - (score <= -AHEAD)
        self.ahead = self.ahead + sign if sign and self.ahead * sign >= 0 else sign
        if abs(self.ahead) >= 6:
            return 1.0 if self.ahead > 0 else 0.0
        return 0.5 if self.level >= 16 else None


def play(engines, fen, nodes):
    """The result for White of a game between two programs, White's first."""
    board, verdict, game = chess.Board(fen), Verdict(), object()
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            return {True: 1.0, False: 0.0, None: 0.5}[outcome.winner]
        engine = engines[0 if board.turn == chess.WHITE else 1]
        limit = chess.engine.Limit(nodes=nodes)
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_SCORE)
        board.push(result.move)
        score = result.info.get("score")
        ended = verdict.after(board, score.white().score(mate_score=30000)) if score else None
        if ended is not None:
            return ended


def start(command):
    engine = chess.engine.SimpleEngine.popen_uci(command.split())
    options = {"Hash": 16, "Threads": 1, "OwnBook": False}
    engine.configure({name: value for name, value in options.items() if name in engine.options})
    return engine


def work(arguments, openings, results):
    first, second = start(arguments.a), start(arguments.b)
    for fen in iter(openings.get, None):
        white = play((first, second), fen, arguments.nodes)
        black = play((second, first), fen, arguments.nodes)
        results.put((white, 1 - black))
    first.quit()
    second.quit()


def elo(score):
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def report(pairs):
    games = [result for pair in pairs for result in pair]
    wins, draws, losses = (games.count(result) for result in (1.0, 0.5, 0.0))
    halves = [sum(pair) / 2 for pair in pairs]
    mean = sum(halves) / len(halves)
    spread = math.sqrt(sum((half - mean) ** 2 for half in halves) / max(len(halves) - 1, 1) / len(halves))
    error = (elo(mean + 1.96 * spread) - elo(mean - 1.96 * spread)) / 2
    return f"+{wins} ={draws} -{losses}, {100 * mean:.1f} %, Elo {elo(mean):+.1f} ± {error:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", help="command")
    parser.add_argument("b", help="command")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=5000, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    wanted = (arguments.games + 1) // 2
    genfens = f"genfens {wanted} seed {arguments.seed} book None"
    output = subprocess.run([*arguments.a.split(), genfens, "quit"], capture_output=True, text=True, check=True)
    fens = [line.split("genfens ", 1)[1] for line in output.stdout.splitlines() if "genfens " in line]
    openings, results = multiprocessing.Queue(), multiprocessing.Queue()
    for fen in [*fens, *[None] * arguments.jobs]:
        openings.put(fen)
    workers = [multiprocessing.Process(target=work, args=(arguments, openings, results))
               for _ in range(arguments.jobs)]
    for worker in workers:
        worker.start()
    pairs = []
    for number in range(1, len(fens) + 1):
        pairs.append(results.get())
        if number % 25 == 0 or number == len(fens):
            print(f"{2 * number} games: {report(pairs)}", flush=True)
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
