#!/usr/bin/env python3
"""Tests of match.py: its statistics, what it reads, and matches with engines that misbehave.

    python3 tests/tools/match_test.py

Takes about 20 s of processor time. Needs `pip install chess`; without pyffish the match of xiangqi is skipped. The
engines are this file itself, called as `match_test.py engine MODE`: it plays random legal moves for six plies and then
does what the mode says. `good` goes on with random moves, `late` answers only after `stop`, `mute` does not answer
`uci`.
"""

import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import match

FOLDER = Path(__file__).resolve().parent
# Games from here end within a few moves: the half-move clock is nearly full.
SHORT = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 84 60\n6k1/3r1ppp/8/8/8/8/5PPP/6K1 b - - 84 60\n"


def engine(mode):
    """A UCI engine with the behaviour that the head of this file describes."""
    import chess

    rng, moves, position = random.Random(1), 0, chess.Board()
    print("a line that no protocol has", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"] and mode != "mute":
            print(f"id name {mode}\noption name Hash type spin default 16 min 1 max 32\nuciok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "fen"]:
            position = chess.Board(" ".join(words[2:8]))
            moves = words[9:]
            for move in moves:
                position.push_uci(move)
        elif words[:1] == ["go"]:
            best = rng.choice(sorted(move.uci() for move in position.legal_moves))
            if len(moves) >= 6:
                if mode == "die":
                    print("assertion failed", file=sys.stderr, flush=True)
                    os._exit(3)
                if mode in ("hang", "late"):
                    continue
                best = {"illegal": "e2e5", "none": "(none)"}.get(mode, best)
            print(f"info depth 3 score cp 10 nodes 5 pv {best}\nbestmove {best}", flush=True)
        elif words == ["stop"] and mode == "late":
            print("bestmove a2a3", flush=True)
        elif words == ["quit"]:
            return


def command(mode):
    return f"{sys.executable} {FOLDER / 'match_test.py'} engine {mode}"


def run(*words):
    """Exit code, output and errors of match.py as a program."""
    done = subprocess.run([sys.executable, FOLDER / "match.py", *map(str, words)], capture_output=True, text=True,
                          timeout=120)
    return done.returncode, done.stdout, done.stderr


def tally(pairs):
    found = match.Tally()
    for half_points, number in enumerate(pairs):
        for _ in range(number):
            found.add([min(half_points, 2) / 2, max(half_points - 2, 0) / 2])
    return found


class Statistics(unittest.TestCase):
    def test_elo_and_score_are_inverse(self):
        self.assertAlmostEqual(match.elo_of(0.75), 190.85, places=2)
        for elo in (-300, -5, 0, 17.5, 400):
            self.assertAlmostEqual(match.elo_of(match.expected(elo)), elo)
        self.assertEqual((match.elo_of(0.0), match.elo_of(1.0)), (-float("inf"), float("inf")))

    def test_report(self):
        lines = tally([1, 1, 3, 1, 2]).lines(None)
        self.assertRegex(lines[0], r"^\+\d+ =\d+ -\d+ over 16 games, 56.2 %$")
        # Mean 0.5625; the squares of the differences add up to 0.84375, so the standard error is 0.12275.
        self.assertEqual(lines[1], "Elo +43.7, 95 % interval -129.4 to +244.2, LOS 69.5 %; pairs [1, 1, 3, 1, 2]")

    def test_results_without_spread_have_no_interval(self):
        self.assertIn("no interval", tally([0, 0, 9, 0, 0]).lines(None)[1])
        self.assertEqual(tally([0] * 5).lines([0, 5]), ["no complete pair of games"])

    def test_sequential_test(self):
        for pairs in ([100, 200, 500, 300, 160], [400, 600, 1000, 560, 380]):
            found = tally(pairs)
            mean, error = found.mean_and_error()
            low, high = match.expected(-3), match.expected(7)
            normal = (high - low) * (2 * mean - low - high) / 2 / error**2
            self.assertAlmostEqual(found.llr(-3, 7) / normal, 1, delta=0.05)
            self.assertAlmostEqual(found.llr(-3, 7), -found.llr(7, -3))
            self.assertAlmostEqual(found.llr(-3, 7), -tally(pairs[::-1]).llr(-7, 3), places=6)
        self.assertEqual(tally([100, 200, 500, 300, 160]).decision([0, 10]), "H1 accepted")
        self.assertEqual(tally([400, 600, 1000, 560, 380]).decision([0, 10]), "H0 accepted")
        self.assertIsNone(tally([10, 20, 40, 21, 10]).decision([0, 10]))
        # A few equal results decide nothing.
        self.assertIsNone(tally([0, 0, 0, 0, 3]).decision([0, 10]))


class Reading(unittest.TestCase):
    def test_fen_and_epd_lines(self):
        board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
        for line, counters in ((board, "0 1"), (f"{board} 3 9", "3 9"), (f"{board} 3 9 ;D1 20", "3 9"),
                               (f"{board} bm e4; id \"x\";", "0 1")):
            self.assertEqual(match.complete_fen(line), f"{board} {counters}")

    def test_scores(self):
        exact = "info depth 7 seldepth 9 score cp -12 nodes 9 pv e2e4"
        for lines, expected in (
            ([exact, "bestmove e2e4"], (-12, 7)),
            ([exact, "info depth 8 score cp 90 lowerbound pv e2e4"], (-12, 7)),
            ([exact, "info depth 8 multipv 2 score cp 90 pv d2d4"], (-12, 7)),
            (["info depth 8 multipv 1 score mate -3"], (-29_997, 8)),
            (["info string score cp", "bestmove e2e4"], None),
        ):
            self.assertEqual(match.last_score(lines), expected)

    def test_ranks_of_xiangqi(self):
        self.assertEqual(match.shift_ranks("h2e2", 1), "h3e3")
        self.assertEqual(match.shift_ranks("a9a8", 1), "a10a9")
        self.assertEqual(match.shift_ranks("a10b8", -1), "a9b7")
        self.assertEqual(match.shift_ranks("(none)", 1), "(none)")

    def test_adjudication(self):
        def after(scores, **rules):
            judge = match.Adjudicator(rules.get("draw"), rules.get("resign"))
            return [judge.outcome(40, score) for score in scores][-1]

        self.assertEqual(after([900, 900, 900, 900], resign=[2, 900])[0], 1.0)
        self.assertEqual(after([900, -900, -900, -900, -900], resign=[2, 900])[0], 0.0)
        self.assertIsNone(after([900, 900, 0, 900, 900], resign=[2, 900]))
        self.assertIsNone(after([900, 900, None, 900, 900], resign=[2, 900]))
        self.assertEqual(after([5, -5, 0, 0], draw=[40, 2, 5])[0], 0.5)
        self.assertIsNone(after([5, -5, 0, 0], draw=[41, 2, 5]))
        self.assertIsNone(after([5, -6, 0, 0], draw=[40, 2, 5]))


class Arguments(unittest.TestCase):
    def test_mistakes_are_named_in_one_line(self):
        good = ["--a", command("good"), "--b", command("good")]
        with tempfile.TemporaryDirectory() as folder:
            bad, empty = Path(folder, "bad.epd"), Path(folder, "empty.epd")
            bad.write_text("# a comment\n\n8/8/8/8/8/8/8/8 w - -\n")
            empty.write_text("# nothing\n")
            for words, expected in (
                (good, "--tc --movetime --nodes is required"),
                ([*good, "--nodes", "5", "--tc", "8+0.08"], "not allowed with"),
                ([*good, "--tc", "8+x"], "expected SECONDS"),
                ([*good, "--tc", "0"], "expected SECONDS"),
                ([*good, "--nodes", "x"], "invalid number value"),
                ([*good, "--nodes", "0"], "expected a number from 1"),
                ([*good, "--nodes", "5", "--games", "3"], "expected an even number"),
                ([*good, "--nodes", "5", "--sprt", "5", "0"], "expected ELO0 below ELO1"),
                ([*good, "--nodes", "5", "--option-a", "Hash"], "expected NAME=VALUE"),
                ([*good, "--nodes", "5", "--option-b", "Hush=1"], "good has no option Hush"),
                ([*good, "--nodes", "5", "--openings", str(bad)], "line 3: not a legal position"),
                ([*good, "--nodes", "5", "--openings", str(empty)], "no positions"),
                ([*good, "--nodes", "5", "--openings", folder], "Is a directory"),
                ([*good, "--nodes", "5", "--pgn", folder], "Is a directory"),
                ([*good, "--nodes", "5", "--game", "go"], "invalid choice"),
                (["--a", "/no/such", "--b", "x", "--nodes", "5"], "No such file"),
                (["--a", command("die") + " '", "--b", "x", "--nodes", "5"], "No closing quotation"),
                (["--a", "false", "--b", "x", "--nodes", "5"], "ended with exit code 1"),
                (["--nodes", "5"], "required: --a, --b"),
            ):
                output, errors = io.StringIO(), io.StringIO()
                with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                    code = match.main(words)
                self.assertEqual((code, output.getvalue()), (2, ""), words)
                self.assertRegex(errors.getvalue(), r"\Amatch\.py: [^\n]*\n\Z")
                self.assertIn(expected, errors.getvalue())

    def test_an_engine_that_does_not_answer_is_named(self):
        match.PATIENCE, before = 0.5, match.PATIENCE
        try:
            with self.assertRaisesRegex(match.BadInput, "no uciok within"):
                match.check_engine("a", command("mute"), [], "chess")
        finally:
            match.PATIENCE = before


class Matches(unittest.TestCase):
    def play(self, mode, *words):
        """A match of four games of a good engine against one that is not."""
        limits = words or ("--movetime", 100, "--margin", 900)
        return run("--a", command("good"), "--b", command(mode), "--games", 4, "--concurrency", 2, *limits)

    def test_every_fault_loses_and_is_reported(self):
        for mode, expected in (
            ("illegal", r"illegal move 'bestmove e2e5' in \S+ [wb] "),
            ("none", r"illegal move 'bestmove \(none\)' in "),
            ("die", r"ended with exit code 3: assertion failed$"),
            ("hang", r"loss on time: no move after \d\.\d\d s, not even after stop$"),
            ("late", r"loss on time: no move within 1.00 s, margin included$"),
        ):
            code, output, errors = self.play(mode)
            self.assertEqual((code, errors), (1, ""), output)
            self.assertIn("\n+4 =0 -0 over 4 games, 100.0 %\n", output)
            self.assertTrue(output.endswith("faults: A 0, B 4\n"), output)
            faults = [line for line in output.splitlines() if line.startswith("FAULT: ")]
            self.assertEqual(len(faults), 4, output)
            for line in faults:
                self.assertRegex(line, r"^FAULT: game [1-4], B \([WB]\) after [67] plies: ")
                self.assertRegex(line, expected)

    def test_games_on_the_clock_and_their_records(self):
        import chess.pgn

        with tempfile.TemporaryDirectory() as folder:
            path, openings = Path(folder, "games.pgn"), Path(folder, "short.epd")
            openings.write_text(SHORT)
            code, output, errors = self.play("good", "--tc", "20+0.1", "--pgn", path, "--option-a", "hash=2",
                                             "--openings", openings)
            self.assertEqual((code, errors), (0, ""), output)
            self.assertTrue(output.endswith("faults: A 0, B 0\n"), output)
            text = io.StringIO(path.read_text())
        games = list(iter(lambda: chess.pgn.read_game(text), None))
        self.assertEqual(len(games), 4)
        self.assertEqual(len({game.headers["FEN"] for game in games}), 2)
        self.assertEqual(sorted(game.headers["White"] for game in games), ["A: good"] * 2 + ["B: good"] * 2)
        for game in games:
            self.assertEqual(game.errors, [])
            board = game.end().board()
            self.assertEqual(board.ply() - game.board().ply(), int(game.headers["PlyCount"]))
            self.assertTrue(board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100)
            self.assertRegex(game.next().comment, r"^\+0\.10/3 \d\.\d{3}s$")

    def test_a_clock_that_runs_out_loses(self):
        code, output, _ = self.play("late", "--tc", "1.5", "--margin", 0)
        self.assertEqual(code, 1)
        self.assertIn("B 4", output)

    def test_a_decided_test_ends_the_match(self):
        code, output, _ = run("--a", command("illegal"), "--b", command("good"), "--nodes", 5, "--games", 400,
                              "--concurrency", 2, "--sprt", 0, 400)
        self.assertEqual(code, 1)
        self.assertIn("SPRT: H0 accepted\n", output)
        self.assertNotIn("over 400 games", output)

    def test_interrupted_matches_show_what_was_played(self):
        words = ["--a", command("illegal"), "--b", command("good"), "--nodes", "5", "--games", "10000"]
        command_line = [sys.executable, FOLDER / "match.py", *words, "--concurrency", "2"]
        # Ctrl-C and `kill` of the process group reach the workers, too.
        for stop, send in ((signal.SIGINT, os.kill), (signal.SIGINT, os.killpg), (signal.SIGTERM, os.killpg)):
            with subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  start_new_session=True) as match_run:
                for line in match_run.stdout:
                    if line.startswith("+0"):
                        break
                send(match_run.pid, stop)
                rest, errors = match_run.communicate(timeout=30)
            self.assertEqual((match_run.returncode, errors), (130, ""))
            expected = r"interrupted\n\+0 =0 -\d+ over \d+ games, 0.0 %\nElo -inf, .*\nfaults: A \d+, B 0\n\Z"
            self.assertRegex(rest, expected)

    def test_xiangqi(self):
        try:
            import pyffish  # noqa: F401
        except ImportError:
            self.skipTest("pyffish is missing")
        # The engine reads every position as one of chess, and dies of it.
        code, output, errors = self.play("good", "--nodes", 5, "--game", "xiangqi")
        self.assertEqual((code, errors), (1, ""), output)
        self.assertIn("=0 ", output)


if __name__ == "__main__":
    if sys.argv[1:2] == ["engine"]:
        engine(sys.argv[2])
    else:
        unittest.main()
