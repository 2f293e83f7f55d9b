#!/usr/bin/env python3
"""Compares `tabiya probe -` with python-chess's reader of Syzygy tables, position by position.

    syzygy_compare.py PROGRAM FOLDER --all KQvK KPvK ...     every legal position of these tables
    syzygy_compare.py PROGRAM FOLDER --random N [--seed S] [--men M]
                                                             N random positions of all tables of M pieces
    syzygy_compare.py PROGRAM FOLDER --random N --write FILE
                                                             write FEN, WDL and DTZ of N positions, compare nothing
    syzygy_compare.py PROGRAM FOLDER --random N --fathom     compare with Fathom: WDL, DTZ, and the winning, drawing
                                                             and losing moves

WDL and DTZ must agree in every position, and in one of twenty the WDL of every move. Prints the number of positions by
table. Exit code 1 if anything differs. Needs `pip install chess`.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import threading

import chess
import chess.syzygy

PIECES = {c: chess.PIECE_SYMBOLS.index(c.lower()) for c in "KQRBNP"}


def pieces_of(name):
    white, black = name.split("v")
    return [(PIECES[c], chess.WHITE) for c in white] + [(PIECES[c], chess.BLACK) for c in black]


def legal(board):
    """Whether the side that is not to move is not in check: python-chess probes only such positions."""
    return not board.was_into_check()


def place(pieces, squares, turn):
    board = chess.Board(None)
    for (kind, color), square in zip(pieces, squares):
        if kind == chess.PAWN and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece(kind, color))
    board.turn = turn
    return board if legal(board) else None


def all_positions(name):
    pieces = pieces_of(name)
    for squares in itertools.permutations(range(64), len(pieces)):
        for turn in chess.COLORS:
            board = place(pieces, squares, turn)
            if board:
                yield name, board


def passed(rng, pieces):
    """A position in which a double step has just been made next to an enemy pawn."""
    turn = rng.choice(chess.COLORS)
    rank, step = (4, 8) if turn == chess.WHITE else (3, -8)
    file = rng.randrange(8)
    beside = file + rng.choice((-1, 1))
    if not 0 <= beside < 8:
        return None
    pawn, other = chess.square(file, rank), chess.square(beside, rank)
    rest = [p for p in pieces if p[0] != chess.PAWN]
    free = [s for s in range(64) if s not in (pawn, other, pawn + step, pawn + 2 * step)]
    board = place(rest, rng.sample(free, len(rest)), turn)
    if not board:
        return None
    board.set_piece_at(pawn, chess.Piece(chess.PAWN, not turn))
    board.set_piece_at(other, chess.Piece(chess.PAWN, turn))
    board.ep_square = pawn + step
    return board if board.is_valid() else None


def random_positions(names, count, seed):
    rng = random.Random(seed)
    tables = [(name, pieces_of(name)) for name in names]
    made = 0
    while made < count:
        name, pieces = rng.choice(tables)
        colors = {color for kind, color in pieces if kind == chess.PAWN}
        if len(colors) == 2 and len(pieces) == 4 and rng.random() < 0.5:
            board = passed(rng, pieces)
        else:
            # With both colours, as tables are probed from either side.
            swap = rng.random() < 0.5
            turned = [(kind, color != swap) for kind, color in pieces]
            board = place(turned, rng.sample(range(64), len(pieces)), rng.choice(chess.COLORS))
        if board:
            made += 1
            yield name, board


class Program:
    """`tabiya probe - --json`, with a thread that writes the positions."""

    def __init__(self, program, folder, fens):
        command = [program, "probe", "-", "--json", "--syzygy", folder]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.feed, args=(fens,), daemon=True).start()

    def feed(self, fens):
        self.child.stdin.writelines(fen + "\n" for fen in fens)
        self.child.stdin.close()

    def answers(self):
        return (json.loads(line) for line in self.child.stdout)


def batches(items, size):
    items = iter(items)
    while batch := list(itertools.islice(items, size)):
        yield batch


def fathom(folder, board):
    """Fathom's WDL, absolute DTZ, and WDL of every move (1, 0 or -1)."""
    path = os.environ["PATH"] + ":/usr/games"
    run = subprocess.run(["fathom", f"--path={folder}", board.fen()], capture_output=True, text=True,
                         env={"PATH": path}, timeout=60)
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', run.stdout, re.MULTILINE))
    results = {"Loss": -2, "BlessedLoss": -1, "Draw": 0, "CursedWin": 1, "Win": 2}
    moves = {}
    for tag, sign in [("WinningMoves", 1), ("DrawingMoves", 0), ("LosingMoves", -1)]:
        moves.update({board.parse_san(m.strip()).uci(): sign for m in tags[tag].split(",") if m.strip()})
    return results[tags["WDL"]], int(tags["DTZ"]), moves


def against_fathom(program, folder, positions, count):
    boards = [b for _, b in itertools.islice(positions, 4 * count) if any(b.legal_moves)][:count]
    wrong, moves = 0, 0
    for board, answer in zip(boards, Program(program, folder, [b.fen() for b in boards]).answers()):
        wdl, dtz, theirs = fathom(folder, board)
        # Fathom lists moves to cursed wins as draws.
        ours = {m["move"]: m["wdl"] // 2 if m["wdl"] > 0 else -(-m["wdl"] // 2) for m in answer["moves"]}
        moves += len(theirs)
        if (wdl, dtz, theirs) != (answer["wdl"], abs(answer["dtz"]), ours):
            wrong += 1
            print(f"{board.fen()}: {wdl} {dtz} {theirs}, not {answer['wdl']} {answer['dtz']} {ours}")
    print(f"{len(boards)} positions, {moves} moves compared with Fathom, {wrong} wrong")
    sys.exit(1 if wrong or not boards else 0)


def write(path, tables, positions, count):
    """Writes positions that need no table outside the folder."""
    with open(path, "w") as out:
        out.write("# Written by tests/tools/syzygy_compare.py with python-chess: FEN, result, distance.\n")
        while count:
            _, board = next(positions)
            try:
                out.write(f"{board.fen()}\t{tables.probe_wdl(board)}\t{tables.probe_dtz(board)}\n")
                count -= 1
            except KeyError:
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--all", nargs="+", default=[])
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--men", type=int, default=4)
    parser.add_argument("--write")
    parser.add_argument("--fathom", action="store_true")
    args = parser.parse_args()
    tables = chess.syzygy.open_tablebase(args.folder)
    files = sorted(path.stem for path in pathlib.Path(args.folder).glob("*.rtbz"))
    names = [name for name in files if len(name) == args.men + 1]
    if args.write:
        return write(args.write, tables, random_positions(names, 10**9, args.seed), args.random)
    if args.fathom:
        return against_fathom(args.program, args.folder, random_positions(names, 10**9, args.seed), args.random)
    positions = itertools.chain(
        itertools.chain.from_iterable(all_positions(name) for name in args.all),
        random_positions(names, args.random, args.seed),
    )
    seen, wrong, moves, passing, promoting, number = {}, 0, 0, 0, 0, 0
    for batch in batches(positions, 50_000):
        program = Program(args.program, args.folder, [board.fen() for _, board in batch])
        answers = list(program.answers())
        if program.child.wait() != 0 or len(answers) != len(batch):
            sys.exit(f"the program answered {len(answers)} of {len(batch)} positions")
        for (name, board), answer in zip(batch, answers):
            number += 1
            seen[name] = seen.get(name, 0) + 1
            passing += board.has_legal_en_passant()
            promoting += any(m.promotion for m in board.legal_moves)
            theirs = tables.probe_wdl(board), tables.probe_dtz(board)
            ours = answer["wdl"], answer["dtz"]
            if ours != theirs:
                wrong += 1
                print(f"{board.fen()}: wdl, dtz: python-chess {theirs}, tabiya {ours}")
            if number % 20 == 0:
                shown = {m["move"]: m["wdl"] for m in answer["moves"]}
                for move in board.legal_moves:
                    board.push(move)
                    wanted = -tables.probe_wdl(board)
                    board.pop()
                    moves += 1
                    if shown.pop(move.uci(), None) != wanted:
                        wrong += 1
                        print(f"{board.fen()}: {move} has wdl {wanted}")
                wrong += len(shown)
        print(f"{number} positions, {wrong} wrong", file=sys.stderr, flush=True)
    for name, count in sorted(seen.items()):
        print(f"{name}: {count}")
    print(f"{number} positions ({passing} with en passant, {promoting} with promotions), {moves} moves, {wrong} wrong")
    sys.exit(1 if wrong or not number else 0)


if __name__ == "__main__":
    main()
