#!/usr/bin/env python3
"""Measures the speed of perft and draws the charts of the README.

    python3 tests/tools/figures.py measure > benches/figures.tsv     (takes minutes; on an idle machine)
    python3 tests/tools/figures.py measure --deep >> benches/figures.tsv     (perft 8 to 10 with two threads)
    python3 tests/tools/figures.py draw

`measure` runs target/release/tabiya and, if installed, stockfish. It compares every total with the known one. `draw`
reads benches/figures.tsv and writes benches/speed-*.svg and benches/depth-*.svg, for light and dark pages.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time

TABIYA = os.environ.get("TABIYA", "target/release/tabiya")
STOCKFISH = shutil.which("stockfish") or "/usr/games/stockfish"
FILE = "benches/figures.tsv"
FIELDS = ["chart", "position", "program", "depth", "hash_mb", "threads", "seconds", "nodes"]

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
POSITIONS = {  # name: FEN, depth and nodes of the race
    "startpos": (START, 7, 3195901860),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 6, 8031647685),
    "position4": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706045033),
    "position6": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 6, 6923051137),
}
KERNELS = {  # the CPUs that each is for
    "avx512": "AVX-512 with GFNI",
    "avx512bw": "AVX-512",
    "avx2": "AVX2",
    "portable": "any other CPU",
    "scalar": "move by move",
}
START_COUNTS = {5: 4865609, 6: 119060324, 7: 3195901860, 8: 84998978956, 9: 2439530234167,
                10: 69352859712417, 11: 2097651003696806}
# Depth, hash table in megabytes, threads.
RUNS = [(5, 0, 1), (6, 0, 1), (7, 0, 1), (8, 0, 1), (6, 256, 1), (7, 256, 1), (8, 256, 1), (9, 1024, 1)]
DEEP_RUNS = [(8, 256, 2), (9, 1024, 2), (9, 64, 2), (10, 16384, 2)]


def total_of(text):
    lines = [line for line in text.splitlines() if line.startswith("Nodes searched: ")]
    return int(lines[-1].split(": ")[1])


def tabiya(fen, depth, *options):
    begin = time.monotonic()
    command = [TABIYA, "perft", str(depth), "--fen", fen, *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return time.monotonic() - begin, total_of(done.stdout)


def has_kernel(name):
    """Whether this CPU can run a kernel."""
    return subprocess.run([TABIYA, "perft", "1", "--kernel", name], capture_output=True).returncode == 0


def stockfish(fen, depth):
    """Seconds from `go perft` to its total, without the program's start, and the total."""
    engine = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    engine.stdin.write("isready\n")
    engine.stdin.flush()
    while engine.stdout.readline().strip() != "readyok":
        pass
    begin = time.monotonic()
    engine.stdin.write(f"position fen {fen}\ngo perft {depth}\n")
    engine.stdin.flush()
    for line in engine.stdout:
        if line.startswith("Nodes searched: "):
            seconds = time.monotonic() - begin
            engine.stdin.write("quit\n")
            engine.stdin.flush()
            engine.wait(timeout=10)
            return seconds, total_of(line)
    sys.exit("stockfish ended without a total")


def row(chart, position, program, depth, hash_mb, threads, runs, expected):
    """Prints the best of some runs as a line of the file."""
    results = [run() for run in runs]
    wrong = [nodes for _, nodes in results if nodes != expected]
    if wrong:
        sys.exit(f"{program} counts {wrong[0]} in {position} at depth {depth}, not {expected}")
    seconds = min(seconds for seconds, _ in results)
    values = [chart, position, program, depth, hash_mb, threads, f"{seconds:.3f}", expected]
    print("\t".join(map(str, values)), flush=True)


def measure(deep):
    has_stockfish = os.path.exists(STOCKFISH)
    if not deep:
        cpu = platform.processor() or platform.machine()
        try:
            names = [line for line in open("/proc/cpuinfo") if line.startswith("model name")]
            cpu = names[0].split(":")[1].strip()
        except (OSError, IndexError):
            pass
        commit = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True).stdout.strip()
        print(f"# {cpu}; commit {commit}; best of three runs, of one where that takes long; Stockfish: go perft of {STOCKFISH}")
        print("\t".join(FIELDS))
        for name, (fen, depth, nodes) in POSITIONS.items():
            for kernel in filter(has_kernel, KERNELS):
                options = ["--threads", 1, "--kernel", kernel]
                runs = [lambda: tabiya(fen, depth, *options)] * (1 if kernel == "scalar" else 3)
                row("speed", name, kernel, depth, 0, 1, runs, nodes)
            if has_stockfish:
                row("speed", name, "stockfish", depth, 0, 1, [lambda: stockfish(fen, depth)], nodes)
        for depth in (5, 6, 7) if has_stockfish else ():
            row("depth", "startpos", "stockfish", depth, 0, 1,
                [lambda: stockfish(START, depth)], START_COUNTS[depth])
    for depth, megabytes, threads in DEEP_RUNS if deep else RUNS:
        options = ["--threads", threads, "--hash", megabytes]
        runs = [lambda: tabiya(START, depth, *options)] * (1 if depth > 8 else 3)
        row("depth", "startpos", "tabiya", depth, megabytes, threads, runs, START_COUNTS[depth])


# Drawing. The colours are distinguishable for colour-blind readers, on light and dark pages.
THEMES = {
    "light": {"ink": "#1f2328", "faint": "#59636e", "line": "#d1d9e0",
              "series": ["#0b5cad", "#2279c4", "#3f97d9", "#8abfe8", "#b9c4cf", "#c2410c"]},
    "dark": {"ink": "#f0f6fc", "faint": "#9198a1", "line": "#3d444d",
             "series": ["#79b8ff", "#5aa2f0", "#388bdf", "#1f5fa3", "#5b6672", "#f0883e"]},
}
FONT = "font-family='system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif'"


class Drawing:
    def __init__(self, width, height, theme):
        self.width, self.height, self.theme, self.parts = width, height, theme, []

    def text(self, x, y, text, size=13, anchor="start", color="ink", weight="normal"):
        color = self.theme.get(color, color)
        self.parts.append(f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' "
                          f"fill='{color}' font-weight='{weight}'>{text}</text>")

    def bar(self, x, y, width, height, color):
        self.parts.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}' "
                          f"rx='2' fill='{color}'/>")

    def line(self, x1, y1, x2, y2):
        self.parts.append(f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' "
                          f"stroke='{self.theme['line']}'/>")

    def curve(self, points, color, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{color}' stroke-width='2.5' "
                          f"stroke-dasharray='{dash}'/>")
        for x, y in points:
            self.parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' fill='{color}'/>")

    def write(self, path, title):
        size = f"width='{self.width}' height='{self.height}' viewBox='0 0 {self.width} {self.height}'"
        body = "\n".join(self.parts)
        with open(path, "w") as file:
            file.write(f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img' {FONT}>\n"
                       f"<title>{title}</title>\n{body}\n</svg>\n")


def read():
    lines = [line.rstrip("\n") for line in open(FILE) if line.strip()]
    head = [line[2:] for line in lines if line.startswith("#")]
    rows = [dict(zip(FIELDS, line.split("\t"))) for line in lines if not line.startswith(("#", "chart\t"))]
    for entry in rows:
        for field in ("depth", "hash_mb", "threads", "nodes"):
            entry[field] = int(entry[field])
        entry["seconds"] = float(entry["seconds"])
    return head[0] if head else "", rows


def draw_speed(rows, about, name, theme):
    rows = [entry for entry in rows if entry["chart"] == "speed"]
    programs = [p for p in [*KERNELS, "stockfish"] if any(entry["program"] == p for entry in rows)]
    colors = dict(zip([*KERNELS, "stockfish"], theme["series"]))
    positions = [p for p in POSITIONS if any(entry["position"] == p for entry in rows)]
    top, bar, gap, left, width = 74, 15, 16, 96, 780
    height = top + len(positions) * (len(programs) * bar + gap) + 30
    drawing = Drawing(width, height, theme)
    drawing.text(8, 22, "Perft on one core, no hash: million nodes per second, by the CPU that the code is for", 16, weight="600")
    x = 8
    for program in programs:
        drawing.bar(x, 38, 12, 12, colors[program])
        label = "Stockfish 15.1" if program == "stockfish" else KERNELS[program]
        drawing.text(x + 18, 49, label, 13, color="faint")
        x += 40 + 7.2 * len(label)
    most = max(entry["nodes"] / entry["seconds"] for entry in rows) / 1e6
    scale = (width - left - 70) / most
    y = top
    for position in positions:
        mine = {entry["program"]: entry for entry in rows if entry["position"] == position}
        drawing.text(left - 8, y + len(mine) * bar / 2 + 4, position, 13, "end")
        for program in (p for p in programs if p in mine):
            speed = mine[program]["nodes"] / mine[program]["seconds"] / 1e6
            drawing.bar(left, y, max(speed * scale, 1), bar - 3, colors[program])
            drawing.text(left + speed * scale + 6, y + bar - 5, f"{speed:,.0f}", 11, color="faint")
            y += bar
        y += gap
    drawing.text(8, height - 10, about.split(";")[0] + "; whole process", 11, color="faint")
    drawing.write(f"benches/speed-{name}.svg", "Million nodes per second by position")


def draw_depth(rows, about, name, theme):
    import math
    rows = [entry for entry in rows if entry["chart"] == "depth"]
    colors = theme["series"]
    series = [
        ("Stockfish 15.1", colors[5], "", lambda r: r["program"] == "stockfish"),
        ("Tabiya, no hash, one thread", colors[2], "", lambda r: r["program"] == "tabiya"
         and r["hash_mb"] == 0 and r["threads"] == 1),
        ("Tabiya, hash, one thread", colors[0], "6 4", lambda r: r["program"] == "tabiya"
         and r["hash_mb"] >= 256 and r["threads"] == 1),
        ("Tabiya, hash, two threads", colors[0], "", lambda r: r["program"] == "tabiya"
         and r["hash_mb"] >= 256 and r["threads"] == 2),
    ]
    width, height, left, right, top, bottom = 780, 400, 76, 30, 110, 50
    drawing = Drawing(width, height, theme)
    drawing.text(8, 22, "Perft of the start position: seconds by depth", 16, weight="600")
    x = 8
    for label, color, dash, _ in series:
        drawing.curve([(x, 45), (x + 22, 45)], color, dash)
        drawing.text(x + 30, 49, label, 12, color="faint")
        x += 48 + 6.3 * len(label)
    depths = range(min(r["depth"] for r in rows), max(r["depth"] for r in rows) + 1)
    lowest = math.floor(math.log10(min(r["seconds"] for r in rows)))
    highest = math.ceil(math.log10(max(r["seconds"] for r in rows)))

    def at(depth, seconds):
        share = (math.log10(seconds) - lowest) / (highest - lowest)
        step = (width - left - right) / max(len(depths) - 1, 1)
        return left + (depth - depths[0]) * step, height - bottom - share * (height - top - bottom)

    for power in range(lowest, highest + 1):
        _, y = at(depths[0], 10.0 ** power)
        drawing.line(left, y, width - right, y)
        label = f"{10 ** power:,} s" if power >= 0 else f"{10.0 ** power:g} s"
        drawing.text(left - 8, y + 4, label, 12, "end", "faint")
    for depth in depths:
        drawing.text(at(depth, 10.0 ** lowest)[0], height - bottom + 20, f"{depth}", 12, "middle", "faint")
    for _, color, dash, wanted in series:
        chosen = sorted((r["depth"], r["seconds"]) for r in rows if wanted(r))
        drawing.curve([at(*point) for point in chosen], color, dash)
    drawing.text(8, height - 8, about.split(";")[0] + "; hash: 256 MB, 1 GB from depth 9, 16 GB from depth 10",
                 11, color="faint")
    drawing.write(f"benches/depth-{name}.svg", "Seconds of perft by depth")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("measure").add_argument("--deep", action="store_true")
    commands.add_parser("draw")
    arguments = parser.parse_args()
    if arguments.command == "measure":
        measure(arguments.deep)
        return
    about, rows = read()
    for name, theme in THEMES.items():
        draw_speed(rows, about, name, theme)
        draw_depth(rows, about, name, theme)


if __name__ == "__main__":
    main()
