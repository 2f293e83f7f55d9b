#!/usr/bin/env python3
"""Compares verdicts on random repetitions of xiangqi with a slow reference in Python and with Fairy-Stockfish.

    REPETITIONS=target/repetitions cargo test --release --test tabiya -- --ignored write_repetitions
    python3 tests/tools/compare_repetitions.py target/repetitions [--examples N]

A line of the file is `FEN;moves;verdict`; the verdict (win, loss or draw) is for the side to move at the end. The
reference below follows the rules in the head of `src/xiangqi/board/repetition.rs` word by word, on a dictionary of
squares. Fairy-Stockfish is called through pyffish (`pip install pyffish`). Where its verdict differs, the line is
classified by the fewest departures from our rules with which the reference gives the same verdict. Exit code 1 if the
reference disagrees with the file, or if no departure explains Fairy-Stockfish's verdict in more than one line in a
hundred.
"""

import argparse
import itertools
import multiprocessing
import re
import sys
from collections import Counter, defaultdict

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

# Where Fairy-Stockfish 14 (pyffish 0.0.90) departs from our rules, as far as the reference can follow it.
DEPARTURES = {
    "protector": "shutting out a protector is no new threat",
    "attacker": "an attacker whose capture is illegal chases too",
    "recapture": "protection goes by reach, not by legal moves; a pinned piece never protects",
    "exchange": "pieces of the same kind chase each other only where a pin or a horse's leg blocks one of them",
    "moved": "everything that the moved piece attacks is new, even if it attacked it before",
    "away": "a chariot or cannon that moves away from what it attacks, along the line, attacks it anew",
    "pin": "an attacker of what a newly pinned piece protects chases it, even if it has other protectors",
    "discovery": "a piece that newly blocks a check chases all that it attacks, even soldiers before the river",
    "rank": "a new attack and a new threat count the same",
    "lead": "the move before the first occurrence must chase too",
}


def parse(fen):
    board, side = fen.split()[:2]
    pieces = {}
    for row, text in enumerate(board.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces[file, 9 - row] = letter
                file += 1
    return pieces, side == "w"


def is_red(piece):
    return piece.isupper()


def at_home(piece, rank):
    return rank < 5 if is_red(piece) else rank > 4


def reach(board, square, piece):
    """The squares on which a piece could capture, by its movement alone."""
    (file, rank), kind, found = square, piece.lower(), []
    if kind in "rc":
        for df, dr in STEPS:
            f, r, met = file + df, rank + dr, 0
            while 0 <= f < 9 and 0 <= r < 10:
                full = (f, r) in board
                if full and met == (kind == "c"):
                    found.append((f, r))
                met += full
                if met == 2 or met == 1 and kind == "r":
                    break
                f, r = f + df, r + dr
    elif kind == "n":
        for df, dr in STEPS:
            if (file + df, rank + dr) not in board:
                for side in (1, -1):
                    found.append((file + 2 * df + side * dr, rank + 2 * dr + side * df))
    elif kind == "b":
        for df, dr in DIAGONALS:
            if (file + df, rank + dr) not in board and at_home(piece, rank + 2 * dr):
                found.append((file + 2 * df, rank + 2 * dr))
    elif kind == "p":
        found.append((file, rank + (1 if is_red(piece) else -1)))
        if not at_home(piece, rank):
            found += [(file + 1, rank), (file - 1, rank)]
    else:
        steps = STEPS if kind == "k" else DIAGONALS
        places = [(file + df, rank + dr) for df, dr in steps]
        low = 0 if is_red(piece) else 7
        found += [(f, r) for f, r in places if 3 <= f <= 5 and low <= r <= low + 2]
        if kind == "k":
            r = rank + (1 if is_red(piece) else -1)
            while 0 <= r < 10 and (file, r) not in board:
                r += 1 if is_red(piece) else -1
            if board.get((file, r), "").lower() == "k":
                found.append((file, r))
    return found


def is_between(one, middle, other):
    """Whether three squares are in this order on a line."""
    (a, b), (c, d), (e, f) = one, middle, other
    return a == c == e and min(b, f) < d < max(b, f) or b == d == f and min(a, e) < c < max(a, e)


def shifted(board, start, end):
    after = dict(board)
    after[end] = after.pop(start)
    return after


def attackers(board, square, red):
    return {at for at, piece in board.items() if is_red(piece) == red and square in reach(board, at, piece)}


def checkers(board, red):
    """The squares of the pieces that attack the king of Red or Black."""
    [king] = [at for at, piece in board.items() if piece == ("K" if red else "k")]
    return attackers(board, king, not red)


def pinned(board, square):
    """Whether the king would be attacked without this piece, which is not the king."""
    red = is_red(board[square])
    if board[square].lower() == "k":
        return False
    without = {at: piece for at, piece in board.items() if at != square}
    return bool(checkers(without, red) - checkers(board, red))


def may_take(board, start, end):
    """Whether a capture leaves no new attack on the own king. A check that is on the board already is ignored."""
    red = is_red(board[start])
    return end in reach(board, start, board[start]) and not (
        checkers(shifted(board, start, end), red) - checkers(board, red)
    )


def is_threat(board, start, end, departures):
    """Whether the piece on `start`, which reaches the enemy piece on `end`, threatens it."""
    chaser, prey = board[start].lower(), board[end].lower()
    if chaser in "kp" or prey == "k" or prey == "p" and at_home(board[end], end[1]):
        return False
    if "attacker" not in departures and not may_take(board, start, end):
        return False
    if prey in {"n": "r", "c": "r", "a": "rnc", "b": "rnc"}.get(chaser, ""):
        return True
    red = is_red(board[start])
    if chaser == prey and start in reach(board, end, board[end]):
        if "exchange" in departures:
            if not pinned(board, end):
                return False
        elif may_take(board, end, start):
            return False
    after = shifted(board, start, end)
    for back in attackers(after, end, not red):
        if "recapture" in departures:
            if not pinned(board, back):
                return False
        elif not checkers(shifted(after, back, end), not red) - checkers(board, not red):
            return False
    return True


def threats(board, red, departures):
    found = set()
    for start, piece in board.items():
        if is_red(piece) == red:
            for end in reach(board, start, piece):
                enemy = board.get(end)
                if enemy and is_red(enemy) != red and is_threat(board, start, end, departures):
                    found.add((start, end))
    return found


def unrooted(board, after, red):
    """Pieces protected by an enemy piece that the move has pinned, if a piece that is not pinned attacks them."""
    found = set()
    for at, piece in after.items():
        if is_red(piece) != red and pinned(after, at) and not pinned(board, at):
            for prey in reach(after, at, piece):
                enemy = after.get(prey)
                if enemy and is_red(enemy) != red and enemy.lower() != "k":
                    if not (enemy.lower() == "p" and at_home(enemy, prey[1])):
                        if any(not pinned(after, chaser) for chaser in attackers(after, prey, red)):
                            found.add(prey)
    return found


def blocker_attacks(board, after, red):
    """What is attacked by pieces that have become blockers of a check of their own side."""

    def blocks_check(board, at):
        without = {other: piece for other, piece in board.items() if other != at}
        return bool(checkers(without, not red) - checkers(board, not red))

    found = set()
    for at, piece in after.items():
        if is_red(piece) == red and blocks_check(after, at) and not (at in board and blocks_check(board, at)):
            for prey in reach(after, at, piece):
                enemy = after.get(prey)
                if enemy and is_red(enemy) != red and enemy.lower() != "k":
                    king = attackers(after, prey, not red) & {a for a, p in after.items() if p in "kK"}
                    if not king or checkers(shifted(shifted(after, at, prey), *king, prey), not red):
                        found.add(prey)
    return found


def chased(board, start, end, departures):
    """The pieces that the move newly attacks, and those that it newly attacks or threatens."""
    red, after = is_red(board[start]), shifted(board, start, end)
    attacked, threatened = set(), set()
    before = None
    for chaser, prey in threats(after, red, departures):
        origin = start if chaser == end else chaser
        slides = after[chaser] in "rcRC"
        if "moved" in departures and chaser == end and not slides:
            attacked.add(prey)
        elif "away" in departures and chaser == end and slides and is_between(prey, start, end):
            attacked.add(prey)
        elif "attacker" in departures:
            if prey not in reach(board, origin, board[origin]):
                attacked.add(prey)
        elif not may_take(board, origin, prey):
            attacked.add(prey)
        if "protector" not in departures and prey not in attacked:
            if before is None:
                before = {prey for _, prey in threats(board, red, departures)}
            if prey not in before:
                threatened.add(prey)
    if "pin" in departures:
        attacked |= unrooted(board, after, red)
    if "discovery" in departures:
        attacked |= blocker_attacks(board, after, red)
    if "rank" in departures:
        attacked |= threatened
    return attacked, attacked | threatened


def cycle_loser(board, red, moves, departures=frozenset()):
    """Who loses by a cycle that begins here: True for Red, False for Black, None for nobody."""
    # A piece is named by its square at the beginning.
    names = {at: at for at in board}
    # For each offence and side, the set of pieces that every move offended against; "king" is a check.
    done = [{}, {}, {}]
    for start, end in moves:
        attacked, threatened = chased(board, start, end, departures)
        board = shifted(board, start, end)
        names[end] = names.pop(start)
        check = {"king"} if checkers(board, not red) else set()
        for offence, what in zip(done, (check, attacked, threatened)):
            what = {names.get(at, at) for at in what}
            offence[red] = offence.get(red, what) & what
        red = not red
    for offence in done:
        guilty = {side for side, what in offence.items() if what}
        if guilty:
            return guilty.pop() if len(guilty) == 1 else None
    return None


def fairy_verdict(fen, texts):
    import pyffish

    # pyffish counts ranks from 1, the file from 0.
    moves = [re.sub(r"\d", lambda digit: str(int(digit[0]) + 1), text) for text in texts]
    ended, value = pyffish.is_optional_game_end("xiangqi", fen, moves)
    if not ended:
        return "none"
    return "draw" if value == pyffish.VALUE_DRAW else "win" if value > 0 else "loss"


def reference_verdict(fen, moves, departures=frozenset()):
    """The reference's verdict on the last position, which has occurred for the third time."""
    history = [parse(fen)]
    for start, end in moves:
        board, red = history[-1]
        history.append((shifted(board, start, end), not red))
    *_, first, _, _ = [at for at, position in enumerate(history) if position == history[-1]]
    if "lead" in departures:
        first = max(first - 1, 0)
    loser, red = cycle_loser(*history[first], moves[first:], departures), history[-1][1]
    return "draw" if loser is None else "loss" if loser == red else "win"


def compare(line):
    fen, texts, ours = line.strip().split(";")
    texts = texts.split()
    squares = [(ord(t[0]) - 97, int(t[1])) + (ord(t[2]) - 97, int(t[3])) for t in texts]
    moves = [(s[:2], s[2:]) for s in squares]
    if reference_verdict(fen, moves) != ours:
        return ours, "", ("WRONG",), line
    answer = fairy_verdict(fen, texts)
    if answer == ours:
        return ours, answer, None, line
    for count in range(1, 4):
        for chosen in itertools.combinations(DEPARTURES, count):
            if reference_verdict(fen, moves, frozenset(chosen)) == answer:
                return ours, answer, chosen, line
    return ours, answer, ("unexplained",), line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--examples", type=int, default=1, help="lines to show for each class")
    options = parser.parse_args()
    lines = open(options.file).read().splitlines()
    with multiprocessing.Pool() as pool:
        results = list(pool.imap(compare, lines, chunksize=50))
    print(f"{len(lines)} repetitions; verdicts for the side to move: {dict(Counter(r[0] for r in results))}")
    same = sum(1 for result in results if result[2] is None)
    print(f"{same} ({100 * same / len(lines):.2f} %) agree with Fairy-Stockfish")
    classes = defaultdict(list)
    for ours, answer, chosen, line in results:
        if chosen is not None:
            classes[chosen].append((ours, answer, line))
    for chosen, cases in sorted(classes.items(), key=lambda item: -len(item[1])):
        print(f"{len(cases):6} {' + '.join(DEPARTURES.get(name, name) for name in chosen)}")
        print(f"       ours and theirs: {dict(Counter(f'{ours} {answer}' for ours, answer, _ in cases))}")
        for _, _, line in cases[: options.examples]:
            print(f"       {line}")
    unexplained = len(classes.get(("unexplained",), ()))
    sys.exit(1 if ("WRONG",) in classes or 100 * unexplained > len(lines) else 0)


if __name__ == "__main__":
    main()
