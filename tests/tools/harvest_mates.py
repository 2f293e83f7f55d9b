#!/usr/bin/env python3
"""Finds candidates for tests/data/mates.epd and mates_xiangqi.epd in self-play games.

    python3 tests/tools/harvest_mates.py [--game xiangqi] [--games 200] [--seed 1] > candidates.epd
    MATES=candidates.epd cargo test --release --test tabiya -- --ignored --nocapture prove_candidates

Every game begins with random moves, and more random moves are mixed in, so that mates occur which good play would
avoid. Where the engine claims a mate in 2 to 5 moves (xiangqi: 2 to 4) for the side to move, the position is printed as
`FEN ;mate N`, with the move counters reset. The second command proves the claims and drops the wrong ones.
Needs the built engine only. Its rules are those that the perft tests compare with other programs.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from uci import Engine  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", default=str(ROOT / "target/release/tabiya"))
    parser.add_argument("--game", choices=["chess", "xiangqi"], default="chess")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=2000, help="for each move of the engine")
    parser.add_argument("--random", type=float, default=0.2, help="share of random moves")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    most = 5 if options.game == "chess" else 4
    engine = Engine([options.engine], [("UCI_Variant", options.game), ("XiangqiRanks", "0-9")])
    engine.send("position startpos")
    start = engine.fen()
    seen = set()
    for game in range(options.games):
        engine.send("ucinewgame")
        moves = []
        opening = rng.randrange(4, 12)
        while len(moves) < 200:
            engine.send(f"position fen {start}" + (f" moves {' '.join(moves)}" if moves else ""))
            fen = engine.fen()
            legal, _ = engine.perft(fen, 1)
            if not legal:
                break
            # perft has set the position without the moves before it.
            engine.send(f"position fen {start}" + (f" moves {' '.join(moves)}" if moves else ""))
            if len(moves) < opening or rng.random() < options.random:
                moves.append(rng.choice(sorted(legal)))
                continue
            score, best = engine.search(f"go nodes {options.nodes}")
            if score and score[0] == "mate" and 2 <= score[1] <= most:
                fields = fen.split()
                candidate = " ".join([*fields[:4], "0", "1"])
                if candidate not in seen:
                    seen.add(candidate)
                    print(f"{candidate} ;mate {score[1]}", flush=True)
                # The rest of such a game shows the same mate again, so only one game in three goes on.
                if rng.random() < 0.67:
                    break
            if best not in legal:
                break
            moves.append(best)
        print(f"game {game + 1}: {len(seen)} candidates", file=sys.stderr)
    engine.quit()


if __name__ == "__main__":
    main()
