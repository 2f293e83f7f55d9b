#!/usr/bin/env python3
"""Whether the page, the C functions and the program give the same answers, word for word: moves and divides of 200
positions of the suites, and what they say of 50 divides with faults.

    python3 tests/same_answers.py PAGE PROGRAM LIBRARY      LIBRARY is a shared one; SEED=N chooses the positions

Needs `chromium`.
"""

import ctypes
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from browser import Browser

SUITES = pathlib.Path(__file__).resolve().parents[1] / "perft-suites"
FILES = [(0, "chess/tricky.epd"), (1, "chess/chess960.epd"), (2, "xiangqi/tricky.epd")]
OPTIONS = [[], ["--chess960"], ["--game", "xiangqi"]]


def positions():
    for game, file in FILES:
        for line in (SUITES / file).read_text().splitlines():
            if line and not line.startswith("#"):
                yield game, line.split(";")[0].strip()


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    page, program, library = pathlib.Path(sys.argv[1]).resolve().as_uri(), sys.argv[2], ctypes.CDLL(sys.argv[3])
    chance = random.Random(int(os.environ.get("SEED", "1")))
    browser = Browser()
    browser.open(page)
    browser.wait("document.getElementById('total').textContent.startsWith('Nodes searched')")
    room = ctypes.create_string_buffer(1 << 20)

    def from_c(name, game, fen, *args):
        function = getattr(library, f"tabiya_{name}")
        function.restype = ctypes.c_ssize_t
        args = [arg.encode() if isinstance(arg, str) else arg for arg in args]
        length = function(game, fen.encode(), *args, room, ctypes.c_size_t(len(room)))
        return ("" if length >= 0 else "error: ") + room.value.decode()

    def from_page(name, *args):
        return browser.run(f"ask({json.dumps(name)}, ...{json.dumps(args)}).catch(error => 'error: ' + error.message)")

    def same(name, *args):
        """What the page says, if C says the same."""
        said = from_page(name, *args)
        assert from_c(name, *(None if arg == 0 and at > 2 else arg for at, arg in enumerate(args))) == said, (name, args)
        return said

    def run(game, fen, *options):
        return subprocess.run([program, "perft", "2", "--fen", fen, *OPTIONS[game], *options], text=True,
                              capture_output=True).stdout

    chosen = chance.sample(list(positions()), 200)
    divides = [[], [], []]
    for game, fen in chosen:
        divide = same("divide", game, fen, 2, 0, 0)
        expected = run(game, fen, "--divide")
        assert divide == expected, f"{fen}: the page says {divide}, the program {expected}"
        moves = [one["move"] for one in json.loads(same("position", game, fen, ""))["moves"]]
        lines = divide.splitlines()[:-2]
        assert sorted(moves) == [line.split(":")[0] for line in lines], fen
        if lines:
            divides[game].append((fen, lines))
    sentences = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "divide"
        for number in range(50):
            game = number % 3
            (fen, lines), (_, others) = chance.choice(divides[game]), chance.choice(divides[game])
            # Without a move, and with one that another position has.
            file.write_text("\n".join(chance.sample(lines, len(lines) - 1) + [chance.choice(others)]) + "\n")
            said = json.loads(same("compare", game, fen, 2, file.read_text(), 0, 0))
            lines = said["before"]
            for fault in said["faults"]:
                lines.append(fault["line"])
                for one in fault["shown"]:
                    lines += [f"  fen: {one['fen']}"] + [f"  path: {one['path']}"] * bool(one["path"]) + [f"  {one['sentence']}"]
            printed = run(game, fen, "--compare", str(file)).splitlines()
            assert lines == printed, f"{fen}: the page says {lines}, the program {printed}"
            sentences += len(lines)
    print(f"{len(chosen)} positions and 50 divides: page, C and program say the same; {sentences} lines")
    browser.process.terminate()


main()
