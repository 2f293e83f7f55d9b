#!/usr/bin/env python3
"""Makes the openings that match.py plays: balanced positions after eight plies.

    python3 tests/tools/make_openings.py --game chess --count 200 > tests/tools/openings/chess.epd
    python3 tests/tools/make_openings.py --game xiangqi --count 100 > tests/tools/openings/xiangqi.epd

Every ply is drawn from the moves that a short search finds within --width centipawns of the best one. A position is
kept if the side to move is not in check, a search to --depth scores it within --balance centipawns, and it is new.
The same program with the same options writes the same file; another version of the program writes another one.
Needs the built engine only. `check_openings.py` checks the files with other rules.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from uci import Engine  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Moves that a ply is drawn from at most.
LINES = 10


def set_up(engine, moves, lines):
    """The position after these moves, for a search that remembers nothing and shows so many lines."""
    engine.send("ucinewgame")
    engine.send(f"setoption name MultiPV value {lines}")
    engine.send("position startpos" + (f" moves {' '.join(moves)}" if moves else ""))


def candidates(engine, moves, options):
    """The moves of the position that are nearly as good as the best one."""
    set_up(engine, moves, LINES)
    scores = {}
    for line in engine.ask(f"go nodes {options.nodes}", "bestmove"):
        words = line.split()
        if "multipv" in words and "cp" in words and "pv" in words:
            scores[words[words.index("pv") + 1]] = int(words[words.index("cp") + 1])
    best = max(scores.values(), default=0)
    return sorted(move for move, score in scores.items() if score >= best - options.width)


def is_balanced(engine, moves, options):
    set_up(engine, moves, 1)
    score, _ = engine.search(f"go depth {options.depth}")
    return score is not None and score[0] == "cp" and abs(score[1]) <= options.balance


def opening(engine, options, rng):
    """The FEN of a position after --plies plies, or None if it is not wanted."""
    moves = []
    for _ in range(options.plies):
        choice = candidates(engine, moves, options)
        if not choice:
            return None
        moves.append(rng.choice(choice))
    set_up(engine, moves, 1)
    shown = engine.ask("d", "Checkers")
    fen = next(line[5:] for line in shown if line.startswith("Fen: "))
    in_check = shown[-1].removeprefix("Checkers:").strip() != ""
    return fen if not in_check and is_balanced(engine, moves, options) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", default=str(ROOT / "target/release/tabiya"))
    parser.add_argument("--game", choices=["chess", "xiangqi"], default="chess")
    parser.add_argument("--count", type=int, default=200, help="positions to write")
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=10_000, help="of the search that finds the moves of a ply")
    parser.add_argument("--width", type=int, default=30, help="centipawns that a move may be worse than the best")
    parser.add_argument("--depth", type=int, default=12, help="of the search that judges the position")
    parser.add_argument("--balance", type=int, default=60, help="centipawns that either side may be ahead")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine = Engine([options.engine], [("UCI_Variant", options.game), ("XiangqiRanks", "1-10"), ("Threads", 1)])
    print(f"# {options.count} positions of {options.game} after {options.plies} plies, made by make_openings.py, seed "
          f"{options.seed}.\n# Each ply is within {options.width} cp of the best move ({options.nodes} nodes), each "
          f"position within {options.balance} cp of level (depth {options.depth}).", flush=True)
    rng, seen, tries = random.Random(options.seed), set(), 0
    while len(seen) < options.count:
        tries += 1
        if tries > 100 * options.count:
            raise SystemExit(f"only {len(seen)} openings after {tries - 1} tries")
        fen = opening(engine, options, rng)
        if fen and (key := " ".join(fen.split()[:4])) not in seen:
            seen.add(key)
            print(fen, flush=True)
    engine.quit()


if __name__ == "__main__":
    main()
