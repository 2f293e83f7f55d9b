#!/usr/bin/env python3
"""Checks the opening books and the openings of matches with other rules, and lists what the search disagrees with.

    python3 tests/tools/check_openings.py
    python3 tests/tools/check_openings.py --search [--nodes 200000] [--limit 120]

Both books were written by hand from general knowledge of openings, one line of theory a row. They are not copied from
another book, and no program made them. `make_openings.py` made the openings of matches (folder `openings`).

The first form needs python-chess and pyffish (`pip install chess pyffish`). Every row of a book must have a weight, a
name that no other row has, and legal moves. Every opening of a match must be a legal position that occurs once. The
keys of the Polyglot format must be those of python-chess. Exit code 1 if anything is wrong.

The second form searches every position with the built engine. It prints the moves of the books that the search scores
more than --limit centipawns below its own move, and the openings in which a side is further ahead than that. Lines of
the xiangqi book that the search refutes were cut this way. The output is advice: the exit code is 0.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from match import Chess, Xiangqi  # noqa: E402
from uci import Engine  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def rows(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, *[part.strip() for part in line.split("|")]


def chess_fault(moves):
    import chess

    board = chess.Board()
    for at, text in enumerate(moves, 1):
        move = chess.Move.from_uci(text)
        if move not in board.legal_moves:
            return f"move {at}, {text}, is not legal"
        board.push(move)
    return None


def xiangqi_fault(moves):
    import pyffish

    # pyffish counts ranks from 1, the book from 0.
    def up(text):
        return re.sub(r"\d", lambda digit: str(int(digit[0]) + 1), text)

    start, played = pyffish.start_fen("xiangqi"), []
    for at, text in enumerate(moves, 1):
        if up(text) not in pyffish.legal_moves("xiangqi", start, played):
            return f"move {at}, {text}, is not legal"
        played.append(up(text))
    return None


def check(path, fault_of):
    faults, names, count, positions = [], {}, 0, set()
    for number, weight, name, moves in rows(path):
        moves = moves.split()
        count += 1
        fault = None if weight.isdigit() and 1 <= int(weight) <= 100 else f"weight {weight!r}"
        fault = fault or (f"the name of line {names[name]} again" if name in names else None)
        fault = fault or fault_of(moves)
        if fault:
            faults.append(f"{path.name}:{number}: {fault}")
        names[name] = number
        positions.update(" ".join(moves[:ply]) for ply in range(len(moves)))
    print(f"{path.name}: {count} rows, {len(positions)} prefixes, {len(faults)} faults")
    return faults


def positions(path):
    """Line number and FEN of the openings of matches."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def check_positions(path, referee):
    referee.load()
    faults, seen = [], {}
    for number, fen in positions(path):
        key = " ".join(fen.split()[:4])
        fault = f"the same position as in line {seen[key]}" if key in seen else referee.fen_fault(fen)
        if fault:
            faults.append(f"{path.name}:{number}: {fault}")
        seen[key] = number
    print(f"{path.name}: {len(seen)} positions, {len(faults)} faults")
    return faults if seen else [f"{path.name}: no positions"]


def polyglot():
    import chess.polyglot

    path = ROOT / "src/chess/book/polyglot_keys.bin"
    data = path.read_bytes()
    keys = [int.from_bytes(data[at : at + 8], "big") for at in range(0, len(data), 8)]
    same = keys == chess.polyglot.POLYGLOT_RANDOM_ARRAY[:781]
    print(f"{path.name}: {len(keys)} keys, {'those of python-chess' if same else 'not all right'}")
    return [] if same else [f"{path.name}: keys differ from python-chess's"]


def value(score):
    kind, number = score
    return number if kind == "cp" else (100_000 if number > 0 else -100_000)


def search(path, game, options):
    engine = Engine([options.engine], [("UCI_Variant", game), ("XiangqiRanks", "0-9"), ("Hash", 64)])
    seen, go = {}, f"go nodes {options.nodes}"
    for number, _, name, moves in rows(path):
        played = []
        for move in moves.split():
            prefix = " ".join(played)
            if (prefix, move) not in seen:
                seen[prefix, move] = True
                engine.send("position startpos" + (f" moves {prefix}" if prefix else ""))
                best, reply = engine.search(go)
                if reply != move:
                    book, _ = engine.search(f"{go} searchmoves {move}")
                    loss = value(best) - value(book)
                    if loss > options.limit:
                        print(f"{path.name}:{number}: {name}: {move} after [{prefix}] loses {loss}")
            played.append(move)
    engine.quit()


def search_positions(path, game, options):
    engine = Engine([options.engine], [("UCI_Variant", game), ("Hash", 64)])
    for number, fen in positions(path):
        engine.send(f"position fen {fen}")
        score, _ = engine.search(f"go nodes {options.nodes}")
        if abs(value(score)) > options.limit:
            print(f"{path.name}:{number}: score {value(score)} for the side to move")
    engine.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", default=str(ROOT / "target/release/tabiya"))
    parser.add_argument("--search", action="store_true", help="search every position with the engine")
    parser.add_argument("--nodes", type=int, default=200_000, help="for each search")
    parser.add_argument("--limit", type=int, default=120, help="centipawns that a move may lose, or a side be ahead")
    options = parser.parse_args()
    folder = Path(__file__).parent / "openings"
    lists = [(folder / "chess.epd", "chess", Chess), (folder / "xiangqi.epd", "xiangqi", Xiangqi)]
    books = [
        (ROOT / "src/chess/book/openings.txt", "chess", chess_fault),
        (ROOT / "src/xiangqi/book/openings.txt", "xiangqi", xiangqi_fault),
    ]
    if options.search:
        for path, game, _ in books:
            search(path, game, options)
        for path, game, _ in lists:
            search_positions(path, game, options)
        return
    faults = [fault for path, _, fault_of in books for fault in check(path, fault_of)] + polyglot()
    faults += [fault for path, _, referee in lists for fault in check_positions(path, referee)]
    print("\n".join(faults) or "nothing is wrong")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
