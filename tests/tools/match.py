#!/usr/bin/env python3
"""Plays a match between two UCI engines and reports score, Elo, errors and faults.

    python3 tests/tools/match.py --a target/release/tabiya --b stockfish --tc 8+0.08 --games 200 --concurrency 2
    python3 tests/tools/match.py --a new/tabiya --b old/tabiya --nodes 20000 --games 1000 --sprt 0 5
    python3 tests/tools/match.py --a target/release/tabiya --b fairy-stockfish --game xiangqi --movetime 100

Each opening is played twice with colours reversed. The openings are shuffled by --seed; without --openings they are
those of the folder `openings` next to this file. The runner keeps the clocks: an engine loses on time when its move
arrives more than --margin milliseconds late. Mate, stalemate, threefold repetition, fifty moves and insufficient
material end a game; --draw and --resign end it earlier by the scores of both engines. Chess is refereed by
python-chess (`pip install chess`), xiangqi by pyffish (`pip install pyffish`), with its rules for perpetual check and
chase. An engine of xiangqi that announces UCI_Variant counts ranks from 1, any other from 0, like Pikafish.

A crash, an illegal move, a missing answer or a loss on time loses the game and is reported as a fault; the engine is
then started again. Errors are computed from pairs of games (the pentanomial model). With --sprt the match ends as soon
as the generalised sequential probability ratio test (logistic Elo, both error rates 5 %) is decided. Ctrl-C ends the
match and prints the result of the pairs that are complete.

Exit code: 0 without faults, 1 with faults, 2 for bad arguments, 130 after Ctrl-C.
"""

import argparse
import math
import multiprocessing
import os
import queue
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
from datetime import date
from pathlib import Path

# Where Debian keeps the engines.
os.environ["PATH"] += os.pathsep + "/usr/games"
# Seconds for an answer that no clock limits, and for the answer to `stop` after a loss on time.
PATIENCE, STOP_PATIENCE = 60, 1
# Searches limited by nodes may take longer: PATIENCE, plus the time at this speed.
SLOWEST_NODES_PER_SECOND = 10_000
# The score that stands for a mate, in centipawns.
MATE = 30_000
# Error rates of the sequential test, and its bounds for the log-likelihood ratio.
ERROR_RATE = 0.05
LLR_BOUND = math.log((1 - ERROR_RATE) / ERROR_RATE)
# Pairs of games between two progress reports.
REPORT_EVERY = 10


class Fault(Exception):
    """What an engine did wrong. It loses the game."""


class BadInput(Exception):
    """A mistake of the user, for one line on stderr."""


class Chess:
    """A game of chess, refereed by python-chess."""

    variant = "chess"

    @staticmethod
    def load():
        global chess
        try:
            import chess
            import chess.pgn
        except ImportError:
            raise BadInput("python-chess is missing: pip install chess") from None

    def __init__(self, fen):
        self.board, self.moves, self.comments = chess.Board(fen), [], []
        self.start = self.board.fen()

    @staticmethod
    def fen_fault(fen):
        try:
            board = chess.Board(fen)
        except ValueError as error:
            return str(error)
        if not board.is_valid():
            return f"not a legal position: {board.status()!r}"
        return "the game is over" if board.is_game_over() else None

    def white_to_move(self):
        return self.board.turn == chess.WHITE

    def fen(self):
        return self.board.fen()

    def is_legal(self, text):
        try:
            return chess.Move.from_uci(text) in self.board.legal_moves
        except ValueError:
            return False

    def push(self, text):
        self.board.push_uci(text)
        self.moves.append(text)

    def outcome(self):
        """White's points and the reason, or None if the game goes on."""
        board = self.board
        if not any(board.legal_moves):
            if board.is_check():
                return (0.0 if board.turn == chess.WHITE else 1.0), "checkmate"
            return 0.5, "stalemate"
        if board.is_insufficient_material():
            return 0.5, "insufficient material"
        if board.halfmove_clock >= 100:
            return 0.5, "fifty moves"
        return (0.5, "threefold repetition") if board.is_repetition(3) else None

    def pgn_moves(self):
        """The moves as a PGN text, each with its comment."""
        node = game = chess.pgn.Game.from_board(self.board)
        for comment in self.comments:
            node = node.next()
            node.comment = comment
        exporter = chess.pgn.StringExporter(headers=False, columns=100)
        return game.accept(exporter).rsplit(maxsplit=1)[0]


class Xiangqi:
    """A game of xiangqi, refereed by pyffish."""

    variant = "xiangqi"

    @staticmethod
    def load():
        global pyffish
        try:
            import pyffish
        except ImportError:
            raise BadInput("pyffish is missing: pip install pyffish") from None

    def __init__(self, fen):
        self.start, self.moves, self.comments = fen, [], []

    @staticmethod
    def fen_fault(fen):
        if (code := pyffish.validate_fen(fen, "xiangqi")) != pyffish.FEN_OK:
            return f"not a legal position: pyffish's code {code}"
        return None if pyffish.legal_moves("xiangqi", fen, []) else "the game is over"

    def white_to_move(self):
        return (self.start.split()[1] == "w") == (len(self.moves) % 2 == 0)

    def fen(self):
        return pyffish.get_fen("xiangqi", self.start, self.moves)

    def is_legal(self, text):
        return text in pyffish.legal_moves("xiangqi", self.start, self.moves)

    def push(self, text):
        self.moves.append(text)

    def outcome(self):
        """White's (Red's) points and the reason, or None if the game goes on."""
        mover, other = (1.0, 0.0) if self.white_to_move() else (0.0, 1.0)
        if not pyffish.legal_moves("xiangqi", self.start, self.moves):
            return other, "no legal move"
        if all(pyffish.has_insufficient_material("xiangqi", self.start, self.moves)):
            return 0.5, "insufficient material"
        ended, value = pyffish.is_optional_game_end("xiangqi", self.start, self.moves)
        if not ended:
            return None
        if value == pyffish.VALUE_DRAW:
            return 0.5, "fifty moves" if int(self.fen().split()[4]) >= 100 else "threefold repetition"
        return (mover if value > 0 else other), "perpetual check or chase"

    def pgn_moves(self):
        """The moves as a PGN text, each with its comment."""
        words, white = [], self.start.split()[1] == "w"
        number = int(self.start.split()[5])
        for at, (text, comment) in enumerate(zip(pyffish.get_san_moves("xiangqi", self.start, self.moves),
                                                 self.comments)):
            if white or at == 0:
                words.append(f"{number}{'.' if white else '...'}")
            words.append(f"{text} {{ {comment} }}")
            number, white = number + (not white), not white
        lines = [""]
        for word in " ".join(words).split():
            if len(lines[-1]) + len(word) >= 100:
                lines.append("")
            lines[-1] += f"{' ' if lines[-1] else ''}{word}"
        return "\n".join(lines)


GAMES = {"chess": Chess, "xiangqi": Xiangqi}


def complete_fen(line):
    """The FEN of an EPD or FEN line: four fields, and the two counters if the line has them."""
    fields = line.split(";")[0].split()
    counters = fields[4:6] if len(fields) >= 6 and all(field.isdigit() for field in fields[4:6]) else ["0", "1"]
    return " ".join([*fields[:4], *counters])


def read_openings(path, game):
    fens = []
    try:
        lines = Path(path).read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--openings: {error}") from None
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            fen = complete_fen(line)
            fault = game.fen_fault(fen) if len(fen.split()) == 6 else "expected at least four fields"
            if fault:
                raise BadInput(f"--openings {path}, line {number}: {fault}")
            fens.append(fen)
    if not fens:
        raise BadInput(f"--openings {path}: no positions")
    return fens


class Player:
    """An engine process. A thread reads its output and notes when each line arrives."""

    def __init__(self, command, options, variant):
        self.command, self.options, self.variant = command, options, variant
        self.process = None

    def start(self):
        """Starts the engine and sets its options; does nothing if it is running."""
        if self.process:
            return
        self.lines, self.last_error, self.name, self.announced = queue.Queue(), "", self.command, set()
        try:
            # In a session of its own, so that Ctrl-C in the terminal does not reach it.
            self.process = subprocess.Popen(shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, text=True, errors="replace", bufsize=1,
                                            start_new_session=True)
        except (OSError, ValueError, IndexError) as error:
            raise Fault(f"cannot be started: {error}") from None
        self.readers = [threading.Thread(target=target, args=(self.process, self.lines), daemon=True)
                        for target in (self.read_output, self.read_errors)]
        for reader in self.readers:
            reader.start()
        self.send("uci")
        for line in self.wait("uciok", PATIENCE):
            if line.startswith("id name "):
                self.name = line[8:]
            elif line.startswith("option name ") and " type " in line:
                self.announced.add(line[12:].split(" type ")[0].lower())
        if self.variant == "xiangqi" and self.has_variants():
            self.send("setoption name UCI_Variant value xiangqi")
        for name, value in self.options:
            self.send(f"setoption name {name} value {value}")

    def has_variants(self):
        return "uci_variant" in self.announced

    def read_output(self, process, lines):
        for line in process.stdout:
            lines.put((time.monotonic(), line.strip()))
        lines.put((time.monotonic(), None))

    def read_errors(self, process, _):
        for line in process.stderr:
            self.last_error = line.strip() or self.last_error

    def send(self, *lines):
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()
        except OSError:
            raise Fault(self.death()) from None

    def death(self):
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"ended with exit code {code}" + (f": {self.last_error}" if self.last_error else "")

    def wait(self, word, seconds):
        """The lines up to the one that begins with `word`; `self.arrived` is when that one arrived."""
        end, lines = time.monotonic() + seconds, []
        while True:
            try:
                self.arrived, line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise TimeoutError(f"no {word} within {seconds:.0f} s") from None
            if line is None:
                raise Fault(self.death())
            lines.append(line)
            if line.split(" ")[0] == word:
                return lines

    def new_game(self):
        self.start()
        self.send("ucinewgame", "isready")
        self.wait("readyok", PATIENCE)

    def search(self, position, go, seconds, is_timed):
        """The lines of a search and the seconds it took; a search that takes longer than `seconds` is a fault."""
        # Output left over from an earlier search would be taken for the answer.
        while not self.lines.empty() and self.lines.queue[0][1] is not None:
            self.lines.get()
        begin = time.monotonic()
        self.send(position, go)
        try:
            lines = self.wait("bestmove", seconds)
        except TimeoutError:
            if not is_timed:
                raise
            self.send("stop")
            try:
                self.wait("bestmove", STOP_PATIENCE)
            except TimeoutError:
                raise Fault(f"loss on time: no move after {time.monotonic() - begin:.2f} s, not even after stop") \
                    from None
            raise Fault(f"loss on time: no move within {seconds:.2f} s, margin included") from None
        used = self.arrived - begin
        if is_timed and used > seconds:
            raise Fault(f"loss on time: the move took {used:.3f} s of {seconds:.3f} s, margin included")
        return lines, used

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            for reader, stream in zip(self.readers, (self.process.stdout, self.process.stderr)):
                # A child of the engine may still hold the pipe.
                reader.join(1)
                if not reader.is_alive():
                    stream.close()
            try:
                self.process.stdin.close()
            except OSError:
                pass
            self.process = None

    def quit(self):
        if self.process:
            try:
                self.send("quit")
                self.process.wait(2)
            except (Fault, subprocess.TimeoutExpired):
                pass
            self.kill()


def shift_ranks(text, by):
    """A move of xiangqi with its ranks counted from another number: 0 to 9 or 1 to 10."""
    out, digits = "", ""
    for letter in text + " ":
        if letter.isdigit():
            digits += letter
        else:
            out, digits = out + (str(int(digits) + by) if digits else "") + letter, ""
    return out.strip()


class Limits:
    """What ends a search: a clock, a time for each move, or nodes. Times are in seconds."""

    def __init__(self, options):
        self.clock, self.increment = options.tc or (None, 0.0)
        self.movetime = options.movetime and options.movetime / 1000
        self.nodes, self.margin = options.nodes, options.margin / 1000

    def is_timed(self):
        return self.nodes is None

    def go(self, clocks):
        if self.nodes:
            return f"go nodes {self.nodes}"
        if self.movetime:
            return f"go movetime {self.movetime * 1000:.0f}"
        white, black = (max(1, int(clock * 1000)) for clock in clocks)
        increment = f"{self.increment * 1000:.0f}"
        return f"go wtime {white} btime {black} winc {increment} binc {increment}"

    def seconds(self, clock):
        """How long the search may take before it is a fault."""
        if self.nodes:
            return PATIENCE + self.nodes / SLOWEST_NODES_PER_SECOND
        return (self.movetime or clock) + self.margin

    def text(self):
        """The value of the PGN tag TimeControl."""
        return f"{self.clock:g}+{self.increment:g}" if self.clock else "-"


def last_score(lines):
    """Score in centipawns for the side to move and depth of the last exact line of the best move, or None."""
    found = None
    for line in lines:
        words = line.split()
        if words[:1] != ["info"] or "score" not in words or {"lowerbound", "upperbound"} & set(words):
            continue
        if "multipv" in words and words[words.index("multipv") + 1:][:1] != ["1"]:
            continue
        try:
            at = words.index("score")
            value = int(words[at + 2])
            depth = int(words[words.index("depth") + 1]) if "depth" in words else 0
        except (ValueError, IndexError):
            continue
        if words[at + 1] == "mate":
            value = MATE - abs(value) if value > 0 else -MATE + abs(value)
        found = value, depth
    return found


class Adjudicator:
    """Ends a game whose outcome both engines agree on."""

    def __init__(self, draw, resign):
        self.draw, self.resign = draw, resign
        self.level = self.ahead = 0

    def outcome(self, move_number, score):
        """White's points and the reason, or None; `score` is White's, or None for a move without one."""
        if self.draw:
            number, count, most = self.draw
            self.level = self.level + 1 if score is not None and move_number >= number and abs(score) <= most else 0
            if self.level >= 2 * count:
                return 0.5, "adjudication: level scores"
        if self.resign:
            count, least = self.resign
            sign = 0 if score is None else (score >= least) - (score <= -least)
            self.ahead = self.ahead + sign if sign * self.ahead >= 0 and sign else sign
            if abs(self.ahead) >= 2 * count:
                return (1.0 if self.ahead > 0 else 0.0), "adjudication: decisive scores"
        return None


def make_move(player, game, limits, clocks):
    """Plays the move of `player`; its score for White, or None if it showed none."""
    white = game.white_to_move()
    by = 1 if game.variant == "xiangqi" and not player.has_variants() else 0
    moves = " ".join(shift_ranks(text, -by) if by else text for text in game.moves)
    side = 0 if white else 1
    lines, used = player.search(f"position fen {game.start}" + (f" moves {moves}" if moves else ""), limits.go(clocks),
                                limits.seconds(clocks[side]), limits.is_timed())
    if limits.clock:
        clocks[side] = max(0.0, clocks[side] - used) + limits.increment
    words = lines[-1].split()
    text = words[1] if len(words) > 1 else ""
    text = shift_ranks(text, by) if by else text
    if not game.is_legal(text):
        raise Fault(f"illegal move {lines[-1]!r} in {game.fen()}")
    game.push(text)
    found = last_score(lines)
    score = f"{found[0] / 100:+.2f}/{found[1]} " if found else ""
    game.comments.append(f"{score}{used:.3f}s")
    return None if found is None else found[0] if white else -found[0]


def play(players, game, limits, adjudicator):
    """Plays a game between White and Black: White's points, the reason, and the index of a player with a fault."""
    at = 0
    try:
        for at in (0, 1):
            players[at].new_game()
        clocks = [limits.clock or 0.0] * 2
        while (outcome := game.outcome()) is None:
            at = 0 if game.white_to_move() else 1
            score = make_move(players[at], game, limits, clocks)
            if (outcome := adjudicator.outcome(int(game.fen().split()[5]), score)) is not None:
                break
        return *outcome, None
    except (Fault, TimeoutError) as fault:
        players[at].kill()
        return (0.0, 1.0)[at == 1], str(fault), at


def pgn(game, number, names, points, reason, limits):
    result = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}[points]
    tags = {"Event": "match.py", "Site": "?", "Date": date.today().strftime("%Y.%m.%d"), "Round": number,
            "White": names[0], "Black": names[1], "Result": result, "FEN": game.start, "SetUp": 1,
            "TimeControl": limits.text(), "PlyCount": len(game.moves), "Termination": reason.replace('"', "'")}
    if game.variant != "chess":
        tags["Variant"] = game.variant
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    moves = game.pgn_moves() if game.moves else ""
    return "\n".join([*lines, "", f"{moves} {result}".strip(), "", ""])


def work(options, tasks, results):
    """A worker: plays pairs of games until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    players = []

    def stop(*_):
        # Without an exception, which another thread's lock or a wait would turn into a traceback.
        for player in players:
            if player.process:
                player.process.kill()
        os._exit(1)

    signal.signal(signal.SIGTERM, stop)
    kind, limits = GAMES[options.game], Limits(options)
    kind.load()
    players += [Player(options.a, options.option_a, kind.variant), Player(options.b, options.option_b, kind.variant)]
    try:
        for pair, fen in iter(tasks.get, None):
            scores, faults, texts = [], [], []
            for second in (0, 1):
                game, number = kind(fen), 2 * pair + second + 1
                order = players[::-1] if second else players
                points, reason, at = play(order, game, limits, Adjudicator(options.draw, options.resign))
                if at is not None:
                    faults.append(("AB"[at ^ second], f"game {number}, {'AB'[at ^ second]} ({'WB'[at]}) after "
                                                      f"{len(game.moves)} plies: {reason}"))
                names = [f"{'AB'[side ^ second]}: {player.name}" for side, player in enumerate(order)]
                texts.append(pgn(game, number, names, points, reason, limits) if options.pgn else "")
                scores.append(1 - points if second else points)
            results.put((pair, scores, faults, texts))
        for player in players:
            player.quit()
    finally:
        for player in players:
            player.kill()


def expected(elo):
    """The expected score of a player who is so many Elo stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score):
    """The Elo difference of an expected score."""
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


class Tally:
    """Results of pairs of games."""

    def __init__(self):
        self.games = {1.0: 0, 0.5: 0, 0.0: 0}
        # Pairs by A's half points, 0 to 4.
        self.pairs = [0] * 5

    def add(self, scores):
        for score in scores:
            self.games[score] += 1
        self.pairs[int(2 * sum(scores))] += 1

    def count(self):
        return sum(self.pairs)

    def mean_and_error(self):
        """Mean score of A, and its standard error."""
        count = self.count()
        mean = sum(number * at / 4 for at, number in enumerate(self.pairs)) / count
        variance = sum(number * (at / 4 - mean) ** 2 for at, number in enumerate(self.pairs))
        return mean, math.sqrt(variance / max(count - 1, 1) / count)

    def llr(self, elo0, elo1):
        """Logarithm of the likelihood ratio of the two Elo differences, each with the likeliest shares of pairs."""
        counts = [max(number, 1e-3) for number in self.pairs]
        total = sum(counts)
        shares = [number / total for number in counts]

        def likeliest(mean):
            """The shares with this mean under which the counts are likeliest."""
            offsets = [at / 4 - mean for at in range(5)]
            low, high = -1 / offsets[4], -1 / offsets[0]
            for _ in range(100):
                x = (low + high) / 2
                if sum(share * offset / (1 + x * offset) for share, offset in zip(shares, offsets)) > 0:
                    low = x
                else:
                    high = x
            return [share / (1 + x * offset) for share, offset in zip(shares, offsets)]

        first, second = likeliest(expected(elo0)), likeliest(expected(elo1))
        return total * sum(share * math.log(q / p) for share, p, q in zip(shares, first, second))

    def lines(self, sprt):
        """The report."""
        if not self.count():
            return ["no complete pair of games"]
        wins, draws, losses = self.games.values()
        mean, error = self.mean_and_error()
        text = f"Elo {elo_of(mean):+.1f}, "
        if error:
            low, high = elo_of(mean - 1.96 * error), elo_of(mean + 1.96 * error)
            los = (1 + math.erf((mean - 0.5) / error / math.sqrt(2))) / 2
            text += f"95 % interval {low:+.1f} to {high:+.1f}, LOS {100 * los:.1f} %"
        else:
            text += "no interval: all pairs have the same score"
        lines = [f"+{wins} ={draws} -{losses} over {2 * self.count()} games, {100 * mean:.1f} %",
                 f"{text}; pairs {self.pairs}"]
        if sprt:
            lines.append(f"SPRT [{sprt[0]:g}, {sprt[1]:g}]: LLR {self.llr(*sprt):+.2f} "
                         f"(bounds {-LLR_BOUND:.2f} and {LLR_BOUND:.2f})")
        return lines

    def decision(self, sprt):
        """What the sequential test has decided, or None."""
        llr = self.llr(*sprt)
        return None if abs(llr) < LLR_BOUND else "H1 accepted" if llr > 0 else "H0 accepted"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(message)


def number_of(kind, low):
    def convert(text):
        value = kind(text)
        if not low <= value < math.inf:
            raise argparse.ArgumentTypeError(f"{text!r}: expected a number from {low}")
        return value

    convert.__name__ = "number"
    return convert


def time_control(text):
    base, _, increment = text.partition("+")
    try:
        values = float(base), float(increment or 0)
    except ValueError:
        values = -1.0, 0.0
    if not (0 < values[0] < math.inf and 0 <= values[1] < math.inf):
        raise argparse.ArgumentTypeError(f"{text!r}: expected SECONDS or SECONDS+INCREMENT, such as 8+0.08")
    return values


def option(text):
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r}: expected NAME=VALUE")
    return name, value


def read_arguments(words):
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--a", metavar="CMD", required=True, help="command of engine A, whose score is reported")
    add("--b", metavar="CMD", required=True, help="command of engine B")
    for side in "ab":
        add(f"--option-{side}", metavar="NAME=VALUE", action="append", default=[], type=option,
            help=f"UCI option of engine {side.upper()}; may be repeated")
    add("--game", choices=GAMES, default="chess")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--tc", type=time_control, metavar="SECONDS+INC", help="time for a game and increment per move")
    limit.add_argument("--movetime", type=number_of(int, 1), metavar="MS", help="milliseconds for each move")
    limit.add_argument("--nodes", type=number_of(int, 1), metavar="N", help="nodes for each move, without a clock")
    add("--margin", type=number_of(float, 0), default=100, metavar="MS",
        help="milliseconds that a move may be late (default 100)")
    add("--games", type=number_of(int, 2), default=200, metavar="N", help="an even number (default 200)")
    add("--concurrency", type=number_of(int, 1), default=1, metavar="N", help="games at the same time (default 1)")
    add("--openings", metavar="FILE", help="EPD or FEN lines (default: openings/GAME.epd next to this file)")
    add("--seed", type=int, default=1, metavar="N", help="of the order of openings (default 1)")
    add("--draw", nargs=3, type=number_of(int, 0), metavar=("MOVE", "COUNT", "CP"),
        help="adjudicate a draw: from move MOVE on, COUNT moves of each side with scores within CP centipawns")
    add("--resign", nargs=2, type=number_of(int, 1), metavar=("COUNT", "CP"),
        help="adjudicate a win: COUNT moves of each side with the same side ahead by CP centipawns")
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="end the match when this test is decided")
    add("--pgn", metavar="FILE", help="append the games to this file")
    options = parser.parse_args(words)
    if options.games % 2:
        raise BadInput(f"--games {options.games}: expected an even number, as each opening is played twice")
    if options.sprt and not -1000 < options.sprt[0] < options.sprt[1] < 1000:
        raise BadInput("--sprt: expected ELO0 below ELO1")
    if options.draw and not options.draw[1]:
        raise BadInput("--draw: expected a COUNT of at least 1")
    options.openings = options.openings or Path(__file__).parent / "openings" / f"{options.game}.epd"
    return options


def check_engine(side, command, given, variant):
    """Starts an engine once: its name. Bad commands and options are mistakes of the user, not faults."""
    player = Player(command, given, variant)
    try:
        player.new_game()
        unknown = [name for name, _ in given if name.lower() not in player.announced]
        if unknown:
            raise BadInput(f"--option-{side}: {player.name} has no option {unknown[0]}")
        return player.name
    except (Fault, TimeoutError) as fault:
        raise BadInput(f"--{side} {command}: {fault}") from None
    finally:
        player.quit()


def next_result(results, workers):
    while True:
        try:
            return results.get(timeout=1)
        except queue.Empty:
            if not all(worker.is_alive() or worker.exitcode == 0 for worker in workers):
                raise RuntimeError("a worker process has died") from None


def run(options, pairs):
    """Plays the match; the exit code."""
    tally, faults, decision = Tally(), {"A": 0, "B": 0}, None
    # Results that wait for those of earlier pairs: counted in their order, the end of a match by nodes does not depend
    # on which games took longer.
    waiting = {}
    tasks, results = multiprocessing.Queue(), multiprocessing.Queue()
    count = min(options.concurrency, len(pairs))
    for task in [*enumerate(pairs), *[None] * count]:
        tasks.put(task)
    workers = [multiprocessing.Process(target=work, args=(options, tasks, results)) for _ in range(count)]
    code, finished = 0, False
    try:
        for worker in workers:
            worker.start()
        for pair in range(len(pairs)):
            while pair not in waiting:
                number, *result = next_result(results, workers)
                waiting[number] = result
            scores, found, texts = waiting.pop(pair)
            tally.add(scores)
            for side, text in found:
                faults[side] += 1
                print(f"FAULT: {text}", flush=True)
            if options.pgn:
                with open(options.pgn, "a") as file:
                    file.write("".join(texts))
            decision = options.sprt and tally.decision(options.sprt)
            if decision:
                break
            if tally.count() % REPORT_EVERY == 0 and tally.count() < len(pairs):
                print("; ".join(tally.lines(options.sprt)), flush=True)
        finished = not decision
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        code = 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tasks.cancel_join_thread()
        for worker in workers:
            if worker.pid and not finished:
                worker.terminate()
        for worker in workers:
            if worker.pid:
                worker.join()
    print("\n".join(tally.lines(options.sprt)))
    if decision:
        print(f"SPRT: {decision}")
    print(f"faults: A {faults['A']}, B {faults['B']}")
    return code or int(any(faults.values()))


def main(words=None):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        options = read_arguments(words)
        kind = GAMES[options.game]
        kind.load()
        fens = read_openings(options.openings, kind)
        if options.pgn:
            open(options.pgn, "a").close()
        names = {side: check_engine(side, getattr(options, side), getattr(options, f"option_{side}"), kind.variant)
                 for side in "ab"}
    except BadInput as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"match.py: --pgn: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"A: {names['a']} ({options.a})\nB: {names['b']} ({options.b})", flush=True)
    random.Random(options.seed).shuffle(fens)
    count = options.games // 2
    if count > len(fens):
        print(f"warning: {len(fens)} openings for {count} pairs of games: some are played again", flush=True)
    return run(options, [fens[at % len(fens)] for at in range(count)])


if __name__ == "__main__":
    sys.exit(main())
