#!/usr/bin/env python3
"""Checks the perft suites with other programs, or counts new positions for them.

    python3 tests/tools/check_suites.py [--max-nodes 5000000] [perft-suites/chess/tricky.epd ...]
    python3 tests/tools/check_suites.py --count NEW.epd [--xiangqi] [--max-nodes 5000000]

The first form checks every line of the suites. The FEN must be valid for the rules library, no position may occur
twice, D1 and D2 must be the library's counts, and every count up to the limit must be Stockfish's (xiangqi:
Fairy-Stockfish's). Where this file has a rule for a position's theme, the position must show it, and a Chess960 start
position must have the right number; themes without a rule are listed. The second form reads lines `FEN` or `FEN ;…` and
prints them with counts up to the limit. Comments are kept.

Needs python-chess (`pip install chess`), for xiangqi `pip install pyffish`, and the two engines on PATH or in
/usr/games. Exit code 1 if anything is wrong.
"""

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from uci import Engine  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def find(name):
    path = shutil.which(name) or f"/usr/games/{name}"
    if not Path(path).exists():
        raise SystemExit(f"{name} is missing")
    return path


def entries(path):
    """Line number, FEN, counts and theme of every position."""
    title = ""
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        line = line.strip()
        if line.startswith("#"):
            for word in ("# name:", "# theme:"):
                if line.startswith(word):
                    title = line[len(word) :].strip()
        elif line:
            fen, *parts = [part.strip() for part in line.split(";")]
            # A comment of EPD says which faults the position catches.
            parts = [part for part in parts if not part.startswith("c0 ")]
            counts = {int(part.split()[0][1:]): int(part.split()[1]) for part in parts}
            yield number, fen, counts, title
            title = ""


class Chess:
    def __init__(self):
        import chess

        self.chess = chess
        self.peer = Engine([find("stockfish")])
        self.chess960 = None

    def board(self, fen):
        # With chess960 set, python-chess reads both KQkq and the letters of rooks.
        return self.chess.Board(fen, chess960=True)

    def is_chess960(self, fen):
        rights = fen.split()[2]
        board = self.board(fen)
        kings = all(
            board.king(colour) == square
            for colour, square in ((True, self.chess.E1), (False, self.chess.E8))
            if board.clean_castling_rights() & self.chess.BB_RANKS[0 if colour else 7]
        )
        corners = not board.clean_castling_rights() & ~self.chess.BB_CORNERS
        return not set(rights) <= set("KQkq-") or not (kings and corners)

    def count(self, fen, depth):
        def walk(board, depth):
            if depth == 1:
                return board.legal_moves.count()
            total = 0
            for move in list(board.legal_moves):
                board.push(move)
                total += walk(board, depth - 1)
                board.pop()
            return total

        return walk(self.board(fen), depth)

    def peer_count(self, fen, depth):
        chess960 = self.is_chess960(fen)
        if chess960 != self.chess960:
            self.peer.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
            self.chess960 = chess960
        return self.peer.perft(fen, depth)[1]

    def faults(self, fen):
        board = self.board(fen)
        status = board.status()
        # Positions that cannot occur in a game are allowed; those that break a rule of the board are not.
        wrong = status & (
            self.chess.STATUS_NO_WHITE_KING
            | self.chess.STATUS_NO_BLACK_KING
            | self.chess.STATUS_TOO_MANY_KINGS
            | self.chess.STATUS_PAWNS_ON_BACKRANK
            | self.chess.STATUS_BAD_CASTLING_RIGHTS
            | self.chess.STATUS_INVALID_EP_SQUARE
            | self.chess.STATUS_OPPOSITE_CHECK
        )
        return [f"python-chess: {wrong!r}"] if wrong else []

    def material(self, text):
        """The pieces without the king, by kind, of a side such as `two knights` or `king, bishop and knight`."""
        found, number = dict.fromkeys(range(1, 6), 0), 1
        for word in text.replace(",", "").split():
            name = word.rstrip("s")
            if name in self.chess.PIECE_NAMES[1:6]:
                found[self.chess.PIECE_NAMES.index(name)] += number
            number = 2 if word == "two" else 1
        return found

    def theme(self, fen, title):
        """Whether the position shows its theme; None if there is no rule for it."""
        chess, b = self.chess, self.board(fen)
        legal = list(b.legal_moves)
        castles = [m for m in legal if b.is_castling(m)]
        passing = list(b.generate_legal_ep())
        takes = list(b.generate_pseudo_legal_ep())

        def after(move, test):
            b.push(move)
            result = test(b)
            b.pop()
            return result

        def soon(test):
            """Whether the test holds here or after one move."""
            return test(b) or any(after(m, test) for m in legal)

        def array(number):
            return chess.Board.from_chess960_pos(int(number)).board_fen()

        words = title.split()
        if title.startswith("start position ") and "against" in words:
            white, black = array(words[2].rstrip(",")), array(words[-1])
            return b.board_fen() == "/".join(black.split("/")[:4] + white.split("/")[4:])
        if title.startswith("start position "):
            return b.board_fen() == array(words[2].rstrip(","))
        if title == "218 moves":
            return len(legal) == 218
        if title == "bare kings":
            return chess.popcount(b.occupied) == 2
        if title.startswith("checkmate"):
            return b.is_checkmate()
        if title.startswith("stalemate"):
            return b.is_stalemate()
        if title == "a move gives stalemate":
            return any(after(m, lambda x: x.is_stalemate()) for m in legal)
        if title.startswith("e.p. square set though"):
            return b.ep_square is not None and not takes
        if title.startswith("e.p. captures with rank pins arise"):
            return any(after(m, lambda x: x.ep_square is not None) for m in legal)
        for sign, test in (
            ("gives mate", lambda x: x.is_checkmate()),
            ("gives stalemate", lambda x: x.is_stalemate()),
            ("gives double check", lambda x: len(x.checkers()) == 2),
            ("gives check", lambda x: x.is_check()),
        ):
            if sign in title:
                moves = castles if title.startswith("castling") else legal
                if title.startswith("e.p."):
                    moves = passing
                if title.startswith("promotion"):
                    moves = [m for m in legal if m.promotion]
                return any(after(m, test) for m in moves)
        if title.startswith("e.p. capture pinned on the rank") or title.startswith(
            "e.p. capture refused"
        ):
            return soon(
                lambda x: len(list(x.generate_pseudo_legal_ep())) > len(list(x.generate_legal_ep()))
            )
        if title.startswith(("e.p. capture", "two pawns may take e.p.")):
            return soon(lambda x: any(x.generate_legal_ep()))
        if title.startswith("in double check"):
            return len(b.checkers()) == 2
        if title.startswith("check by") or title.startswith("in check") or "out of check" in title:
            return soon(lambda x: x.is_check())
        if title.startswith("castling legal") or title.startswith("castling possible"):
            return bool(castles)
        if title.startswith("kings and rooks at home but no castling"):
            return not b.castling_rights
        if title.startswith("castling") and ("refused" in title or "blocked" in title):
            rights = chess.popcount(b.clean_castling_rights() & b.occupied_co[b.turn])
            return len(castles) < rights
        if "pinned" in title and not title.startswith(("attacker", "king", "two", "check")):
            pins = [
                s
                for colour in chess.COLORS
                for s in chess.scan_forward(b.occupied_co[colour])
                if b.is_pinned(colour, s)
            ]
            return bool(pins)
        if " check possible by a " in title:
            kind = chess.PIECE_NAMES.index(words[-2])
            double = title.startswith("double")

            def shows(move):
                return after(
                    move,
                    lambda x: len(x.checkers()) == 2
                    if double
                    else any(s != move.to_square for s in x.checkers()),
                )

            return any(b.piece_type_at(m.from_square) == kind and shows(m) for m in legal)
        if title.startswith("cross-check"):
            return b.is_check() and any(b.gives_check(m) for m in legal)
        if " against " in title and not title.startswith(("nine", "ten", "start")):
            sides = [self.material(side) for side in title.split(" against ")]
            own = [
                {kind: len(b.pieces(kind, colour)) for kind in range(chess.PAWN, chess.KING)}
                for colour in chess.COLORS
            ]
            return own in (sides, sides[::-1])
        if title.startswith(("nine", "ten")):
            number = {"nine": 9, "ten": 10}[words[0]]
            kind = chess.PIECE_NAMES.index(words[1].rstrip("s"))
            both = title.endswith("both sides")
            sides = [len(b.pieces(kind, colour)) == number for colour in chess.COLORS]
            return all(sides) if both else any(sides)
        if title.startswith("king passes") or title.startswith("king would land"):
            rights = chess.popcount(b.clean_castling_rights() & b.occupied_co[b.turn])
            return len(castles) < rights
        if title.startswith(("castling where", "king and rook trade", "king and rook cross", "castling rook passes")):
            return bool(castles)
        if "lost" in title and ("corner" in title or "castling" in title):
            rights = b.clean_castling_rights()
            return any(after(m, lambda x: x.clean_castling_rights() != rights) for m in legal)
        if title.startswith("check answered by a double pawn push"):
            return b.is_check() and any(
                b.piece_type_at(m.from_square) == chess.PAWN
                and abs(m.from_square - m.to_square) == 16
                for m in legal
            )
        if title.startswith("promotion"):
            return soon(lambda x: any(m.promotion for m in x.legal_moves))
        return None


class Xiangqi:
    def __init__(self):
        import pyffish

        self.pyffish = pyffish
        self.peer = Engine([find("fairy-stockfish")], [("UCI_Variant", "xiangqi")])

    def faults(self, fen):
        valid = self.pyffish.validate_fen(fen, "xiangqi")
        return [] if valid == self.pyffish.FEN_OK else [f"pyffish: {valid}"]

    def count(self, fen, depth):
        moves = self.pyffish.legal_moves("xiangqi", fen, [])
        if depth == 1:
            return len(moves)
        return sum(
            len(self.pyffish.legal_moves("xiangqi", fen, [move])) for move in moves
        )

    def peer_count(self, fen, depth):
        return self.peer.perft(fen, depth)[1]

    def theme(self, _fen, _title):
        return None


def check(path, game, limit):
    faults, seen, counted, themed, silent = [], {}, 0, 0, []
    for number, fen, counts, title in entries(path):
        place = f"{path}:{number}"
        wrong = game.faults(fen)
        key = " ".join(fen.split()[:4])
        if key in seen:
            wrong.append(f"the same position as in line {seen[key]}")
        seen[key] = number
        if list(counts) != list(range(1, len(counts) + 1)):
            wrong.append(f"depths {list(counts)}")
        for depth, nodes in counts.items():
            if depth <= 2 and nodes <= 50_000 and (own := game.count(fen, depth)) != nodes:
                wrong.append(f"D{depth} {nodes}, the library counts {own}")
            if nodes <= limit:
                counted += 1
                if (own := game.peer_count(fen, depth)) != nodes:
                    wrong.append(f"D{depth} {nodes}, the other engine counts {own}")
        shown = game.theme(fen, title)
        if shown is None:
            silent.append(title)
        else:
            themed += 1
            if not shown:
                wrong.append(f"does not show {title!r}")
        faults += [f"{place}: {fault}" for fault in wrong]
    print(f"{path}: {len(seen)} positions, {counted} counts confirmed, {themed} themes seen")
    if silent and themed:
        print(f"  themes without a rule ({len(silent)}): " + "; ".join(sorted(set(silent))))
    return faults


def count(path, game, limit):
    for line in Path(path).read_text().splitlines():
        fen = line.split(";")[0].strip()
        if not fen or fen.startswith("#"):
            print(line)
            continue
        counts, last, before = [], 1, 1
        # Expects the next count to grow by the last ratio.
        while len(counts) < 9 and (not counts or last and last * max(last // before, 2) <= limit):
            before, last = last, game.peer_count(fen, len(counts) + 1)
            counts.append(last)
        print(fen + "".join(f" ;D{depth} {nodes}" for depth, nodes in enumerate(counts, 1)))
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", help="default: all suites")
    parser.add_argument("--count", metavar="FILE", help="print the lines of FILE with counts")
    parser.add_argument("--xiangqi", action="store_true", help="the positions of FILE are xiangqi")
    parser.add_argument("--max-nodes", type=int, default=5_000_000, help="for one count")
    options = parser.parse_args()
    if options.count:
        count(options.count, (Xiangqi if options.xiangqi else Chess)(), options.max_nodes)
        return
    files = options.files or sorted((ROOT / "perft-suites").glob("*/*.epd"))
    games, faults = {}, []
    for path in map(Path, files):
        kind = Xiangqi if "xiangqi" in path.parts else Chess
        game = games.setdefault(kind, None) or kind()
        games[kind] = game
        faults += check(path, game, options.max_nodes)
    print("\n".join(faults) or "nothing is wrong")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
