#!/usr/bin/env python3
"""Plays and analyses through python-chess, as bots and analysis servers do.

    python3 tests/python_chess.py target/release/tabiya

Needs `pip install chess`. Exit code 1 if a step fails; the output names it. A warning of python-chess about a line that
it cannot parse is a failure.
"""

import asyncio
import logging
import pathlib
import random
import sys
import time

import chess
import chess.engine

WARNINGS = []


class Collector(logging.Handler):
    def emit(self, record):
        # The line about tables after `setoption`, which other engines print too, is unexpected to python-chess.
        if "info string Syzygy tables: " not in record.getMessage():
            WARNINGS.append(record.getMessage())


logging.getLogger("chess.engine").addHandler(Collector(logging.WARNING))


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def handshake(engine):
    """Options that bots set unconditionally must exist, with usable ranges."""
    check(engine.id.get("name", "").startswith("Tabiya"), engine.id)
    check("author" in engine.id, engine.id)
    for name in ["Hash", "Threads", "Move Overhead", "Ponder", "MultiPV", "UCI_ShowWDL",
                 "UCI_Chess960", "UCI_LimitStrength", "UCI_Elo", "OwnBook", "BookFile",
                 "SyzygyPath", "SyzygyProbeDepth", "SyzygyProbeLimit", "Syzygy50MoveRule"]:
        check(name in engine.options, f"{name} is not announced")
    engine.configure({"Move Overhead": 100, "Threads": 2, "Hash": 64, "UCI_ShowWDL": True})
    engine.ping()
    engine.configure({"Move Overhead": 60, "Threads": 1, "Hash": 16, "UCI_ShowWDL": False})
    engine.ping()


def lichess_bot(engine):
    """The options of lichess-bot's default configuration must be known, and a game must work with them."""
    folder = pathlib.Path(__file__).parent / "data" / "syzygy"
    engine.configure({"Move Overhead": 100, "Threads": 4, "Hash": 512, "SyzygyPath": str(folder),
                      "UCI_ShowWDL": True})
    engine.ping()
    board = chess.Board("8/8/8/3k4/8/8/8/K6R w - - 0 1")
    info = engine.analyse(board, chess.engine.Limit(depth=4))
    check(info["tbhits"] > 0, info)
    check(info["score"].relative > chess.engine.Cp(20000), info)
    check(info["wdl"].relative.wins > 990, info)
    timed_game(engine, board.fen(), 2.0, 0.05, False, True)
    engine.configure({"Move Overhead": 60, "Threads": 1, "Hash": 16, "SyzygyPath": "", "UCI_ShowWDL": False})
    engine.ping()


def timed_game(engine, start, base=3.0, increment=0.03, chess960=False, ponder=False):
    """A timed game of the engine against itself. Every move must be legal and in time.

    On a busy machine any process may have to wait, so one late move in twenty is allowed."""
    board = chess.Board(start, chess960=chess960)
    clocks = {chess.WHITE: base, chess.BLACK: base}
    game, late = object(), []
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
            white_inc=increment, black_inc=increment)
        began = time.perf_counter()
        result = engine.play(board, limit, game=game, ponder=ponder, info=chess.engine.INFO_ALL)
        used = time.perf_counter() - began
        check(result.move in board.legal_moves, f"{result.move} in {board.fen()}")
        clocks[board.turn] -= used
        if clocks[board.turn] <= 0:
            late.append(f"{-clocks[board.turn]:.3f} s in {board.fen()}")
            clocks[board.turn] = 0
        clocks[board.turn] += increment
        board.push(result.move)
        if result.ponder is not None:
            check(result.ponder in board.legal_moves, f"ponder {result.ponder} in {board.fen()}")
    check(len(late) * 20 <= board.ply(), f"out of time: {late}")
    print(f"  {board.ply()} plies, {len(late)} late, {board.result(claim_draw=True)}, clocks "
          f"{clocks[chess.WHITE]:.2f} {clocks[chess.BLACK]:.2f}")


def pondering_game(engine):
    """A pondering game against random moves: some ponder hits, mostly misses."""
    board, rng, game = chess.Board(), random.Random(1), object()
    for number in range(30):
        if board.is_game_over():
            break
        result = engine.play(board, chess.engine.Limit(white_clock=5, black_clock=5),
                             game=game, ponder=True)
        board.push(result.move)
        if board.is_game_over():
            break
        time.sleep(0.02)
        if result.ponder is not None and number % 2 == 0:
            board.push(result.ponder)
        else:
            board.push(rng.choice(list(board.legal_moves)))


def ponder_misses(engine):
    """Fifty ponder misses."""
    rng, misses = random.Random(2), 0
    while misses < 50:
        board, game = chess.Board(), object()
        while misses < 50 and not board.is_game_over() and board.ply() < 60:
            result = engine.play(board, chess.engine.Limit(time=0.02), game=game, ponder=True)
            board.push(result.move)
            others = [move for move in board.legal_moves if move != result.ponder]
            if not others:
                break
            board.push(rng.choice(others))
            misses += result.ponder is not None


def several_lines(engine):
    board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9")
    infos = engine.analyse(board, chess.engine.Limit(depth=7), multipv=3)
    check(len(infos) == 3, infos)
    check(len({info["pv"][0] for info in infos}) == 3, infos)
    scores = [info["score"].relative for info in infos]
    check(scores == sorted(scores, reverse=True), scores)
    for info in infos:
        line = board.copy()
        for move in info["pv"]:
            check(move in line.legal_moves, (info["pv"], line.fen()))
            line.push(move)
        for key in ["depth", "seldepth", "time", "nodes", "nps", "hashfull", "tbhits", "score"]:
            check(key in info, f"{key} is missing: {info}")
    only = engine.analyse(board, chess.engine.Limit(depth=3), root_moves=[chess.Move.from_uci("a2a3")])
    check(only["pv"][0].uci() == "a2a3", only)


def endless_analysis(engine):
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6 and "pv" in info:
                break
    began = time.perf_counter()
    engine.ping()
    check(time.perf_counter() - began < 1, "not ready within a second after a stop")


def mates_and_ends(engine):
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    result = engine.play(board, chess.engine.Limit(time=0.1), info=chess.engine.INFO_ALL)
    check(result.move.uci() == "a1a8", result)
    check(result.info["score"].relative == chess.engine.Mate(1), result.info)
    result = engine.play(board, chess.engine.Limit(mate=1))
    check(result.move.uci() == "a1a8", result)
    for fen in ["R6k/6pp/8/8/8/8/8/K7 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]:
        result = engine.play(chess.Board(fen), chess.engine.Limit(time=0.1))
        check(result.move is None, result)


def expected_results(engine):
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4))
    check(sum(info["wdl"].relative) == 1000, info)
    engine.configure({"UCI_ShowWDL": False})


def weaker_play(engine):
    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1000})
    result = engine.play(chess.Board(), chess.engine.Limit(time=0.05))
    check(result.move is not None, result)
    engine.configure({"UCI_LimitStrength": False})


def own_book(engine):
    engine.configure({"OwnBook": True})
    board, texts = chess.Board(), []
    for _ in range(8):
        result = engine.play(board, chess.engine.Limit(time=0.05), info=chess.engine.INFO_ALL)
        texts.append(result.info.get("string", ""))
        board.push(result.move)
    check(all(text.startswith("book move") for text in texts), texts)
    engine.configure({"OwnBook": False})


async def many_stops(path):
    """Analyses of changing positions, started and stopped as fast as the library allows."""
    transport, engine = await chess.engine.popen_uci(path)
    board = chess.Board()
    for round_ in range(200):
        analysis = await engine.analysis(board)
        await asyncio.sleep(0.001 * (round_ % 3))
        analysis.stop()
        best = await analysis.wait()
        check(best.move in board.legal_moves, best)
        board.push(best.move)
        if board.is_game_over() or board.ply() > 60:
            board.reset()
    await engine.quit()


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/tabiya"
    frc = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    steps = [
        ("handshake", handshake),
        ("lichess-bot's options", lichess_bot),
        ("timed game", lambda e: timed_game(e, chess.STARTING_FEN)),
        ("timed game, tiny clock", lambda e: timed_game(e, chess.STARTING_FEN, 0.5, 0.02)),
        ("pondering game", pondering_game),
        ("fifty ponder misses", ponder_misses),
        ("pondering on the clock", lambda e: timed_game(e, chess.STARTING_FEN, 1, 0.02, False, True)),
        ("several lines", several_lines),
        ("endless analysis", endless_analysis),
        ("mates and ends", mates_and_ends),
        ("expected results", expected_results),
        ("weaker play", weaker_play),
        ("own book", own_book),
        ("Chess960", lambda e: timed_game(e, frc, 1, 0.02, True)),
        ("Chess960 castling", lambda e: timed_game(
            e, chess.Board.from_chess960_pos(356).fen(), 1, 0.02, True)),
    ]
    failures = 0
    engine = chess.engine.SimpleEngine.popen_uci(path)
    for name, step in steps:
        print(name)
        before = len(WARNINGS)
        try:
            step(engine)
            check(len(WARNINGS) == before, f"warnings: {WARNINGS[before:]}")
        except Exception as error:  # a failed step must not hide the others
            failures += 1
            print(f"  FAILED: {type(error).__name__}: {error}")
            if isinstance(error, chess.engine.EngineTerminatedError):
                engine = chess.engine.SimpleEngine.popen_uci(path)
    engine.quit()
    check(engine.returncode.result() == 0, "exit code is not 0")
    print("many stops")
    try:
        asyncio.run(many_stops(path))
        check(not WARNINGS, f"warnings: {WARNINGS}")
    except Exception as error:
        failures += 1
        print(f"  FAILED: {type(error).__name__}: {error}")
    print("all steps passed" if failures == 0 else f"{failures} steps failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
