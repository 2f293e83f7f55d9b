#!/usr/bin/env python3
"""Writes tests/data/syzygy_index.tsv: numbers that python-chess gives to random positions of five to seven men.

Tables of that many men are too large to be committed, but how they number positions can be compared without
them. Columns: name of the table, its men in a random order of groups (hexadecimal), the places of the first
group and of the other side's pawns (- for none), FEN, file of the leading pawn, number, size.

    syzygy_index.py > tests/data/syzygy_index.tsv
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


def case(dice, name):
    white, black = name.split("v")
    pawns = [white.count("P"), black.count("P")]
    lists = groups("w", white, 0) + groups("b", black, 8)
    dice.shuffle(lists)
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
        men = sum(first + second + rest, [])
        count = len(first + second + rest)
        order = dice.randrange(count)
        if second:
            order2 = dice.choice([k for k in range(count) if k != order])
    else:
        single = [g for g in lists if len(g) == 1]
        table.enc_type = 0 if len(single) >= 3 else 2
        if table.enc_type == 0:
            first = single[:3]
        else:
            first = [g for g in lists if g[0] in (6, 14)]
        rest = [g for g in lists if g not in first]
        men = sum(first + rest, [])
        order = dice.randrange(1 + len(rest))
    while True:
        squares = dice.sample(range(64), table.num)
        board = chess.Board(None)
        for code, square in zip(men, squares):
            board.set_piece_at(square, chess.Piece(code & 7, code < 8))
        if board.is_valid():
            break
    norm, factor, file = [0] * table.num, [0] * table.num, 0
    ordered = []
    for code in dict.fromkeys(men):
        ordered += list(board.pieces(code & 7, code < 8))
    if table.has_pawns:
        table.set_norm_pawn(norm, men)
        file = table.pawn_file(ordered)
        size = table.calc_factors_pawn(factor, order, order2, norm, file)
        number = table.encode_pawn(norm, ordered, factor)
    else:
        table.set_norm_piece(norm, men)
        size = table.calc_factors_piece(factor, order, norm)
        number = table.encode_piece(norm, ordered, factor)
    codes = "".join(f"{code:x}" for code in men)
    second = "-" if order2 == 0xF else order2
    return "\t".join(map(str, (name, codes, order, second, board.fen(), file, number, size)))


def main():
    dice = random.Random(15)
    print("# Written by tests/tools/syzygy_index.py; the columns are explained there.")
    for name in NAMES:
        for _ in range(25):
            print(case(dice, name))


if __name__ == "__main__":
    main()
