#!/usr/bin/env python3
"""Writes tests/data/syzygy_index.tsv: the table indices that python-chess computes for random positions.

    syzygy_index.py > tests/data/syzygy_index.tsv

Tables of five to seven pieces are too large for the repository, but their index computation can be compared without
them. Columns: table, its pieces in a random order of groups (hexadecimal), the positions of the first group and of the
other side's pawns in that order (- for none), FEN, file of the leading pawn, index, size.
"""

import random

import chess
import chess.syzygy

KINDS = "PNBRQK"
NAMES = """KRBNvK KQQvKR KRRvKRR KRPvKR KPPvKP KPPPvK KQPvKQ KBBvKNN KNNvKNN KQRBvKQ KRPPvKR KRPvKRP KPPPvKP
KBPvKNPP KPPPvKPP KRRPvKRP KQRBNvKQ KRRRvKRR KQPPvKQP KPPPPvKP KPPPPPvK KPPvKPPP KBBNvKRR KQQPvKRP""".split()


def groups(side, letters, base):
    counts = {letter: letters.count(letter) for letter in letters}
    return [[base + KINDS.index(letter) + 1] * n for letter, n in counts.items()]


def case(rng, name):
    white, black = name.split("v")
    pawns = [white.count("P"), black.count("P")]
    lists = groups("w", white, 0) + groups("b", black, 8)
    rng.shuffle(lists)
    table = object.__new__(chess.syzygy.WdlTable)
    table.num = len(white) + len(black)
    table.has_pawns = sum(pawns) > 0
    table.variant = chess.Board
    order2 = 0xF
    if table.has_pawns:
        lead = 1 if pawns[1] and (not pawns[0] or pawns[1] < pawns[0]) else 0
        table.pawns = {0: pawns[lead], 1: pawns[1 - lead]}
        first = [g for g in lists if g[0] == 1 + 8 * lead]
        second = [g for g in lists if g[0] == 1 + 8 * (1 - lead)]
        rest = [g for g in lists if g[0] & 7 != 1]
        pieces = sum(first + second + rest, [])
        count = len(first + second + rest)
        order = rng.randrange(count)
        if second:
            order2 = rng.choice([k for k in range(count) if k != order])
    else:
        single = [g for g in lists if len(g) == 1]
        table.enc_type = 0 if len(single) >= 3 else 2
        if table.enc_type == 0:
            first = single[:3]
        else:
            first = [g for g in lists if g[0] in (6, 14)]
        rest = [g for g in lists if g not in first]
        pieces = sum(first + rest, [])
        order = rng.randrange(1 + len(rest))
    while True:
        squares = rng.sample(range(64), table.num)
        board = chess.Board(None)
        for code, square in zip(pieces, squares):
            board.set_piece_at(square, chess.Piece(code & 7, code < 8))
        if board.is_valid():
            break
    norm, factor, file = [0] * table.num, [0] * table.num, 0
    ordered = []
    for code in dict.fromkeys(pieces):
        ordered += list(board.pieces(code & 7, code < 8))
    if table.has_pawns:
        table.set_norm_pawn(norm, pieces)
        file = table.pawn_file(ordered)
        size = table.calc_factors_pawn(factor, order, order2, norm, file)
        number = table.encode_pawn(norm, ordered, factor)
    else:
        table.set_norm_piece(norm, pieces)
        size = table.calc_factors_piece(factor, order, norm)
        number = table.encode_piece(norm, ordered, factor)
    codes = "".join(f"{code:x}" for code in pieces)
    second = "-" if order2 == 0xF else order2
    return "\t".join(map(str, (name, codes, order, second, board.fen(), file, number, size)))


def main():
    rng = random.Random(15)
    print("# Written by tests/tools/syzygy_index.py; the columns are explained there.")
    for name in NAMES:
        for _ in range(25):
            print(case(rng, name))


if __name__ == "__main__":
    main()
