"""A UCI engine over pipes, for the tools in this folder. Imported by them, not run by itself."""

import subprocess
import threading


class Engine:
    """A UCI engine. It is killed, and the tool ends, if an answer takes longer than PATIENCE seconds."""

    PATIENCE = 600

    def __init__(self, command, options=()):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("uci", "uciok")
        for name, value in options:
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, word):
        """Sends a line and returns the answer up to the first line that begins with `word`."""
        self.send(line)
        watchdog = threading.Timer(self.PATIENCE, self.process.kill)
        watchdog.start()
        lines = []
        try:
            for text in self.process.stdout:
                lines.append(text.rstrip())
                if text.startswith(word):
                    return lines
        finally:
            watchdog.cancel()
        raise SystemExit(f"{self.process.args}: no {word!r} after {line!r}: {lines[-3:]}")

    def perft(self, fen, depth):
        """The divide as a dictionary of moves and counts, and the total."""
        self.send(f"position fen {fen}")
        lines = self.ask(f"go perft {depth}", "Nodes searched")
        moves = dict(line.split(": ") for line in lines[:-1] if line.count(": ") == 1)
        moves = {m: int(n) for m, n in moves.items() if n.isdigit() and 4 <= len(m) <= 6}
        return moves, int(lines[-1].split(": ")[1])

    def fen(self):
        """The FEN of the current position, from the output of `d`."""
        lines = self.ask("d", "Checkers")
        return next(line[5:] for line in lines if line.startswith("Fen: "))

    def search(self, go):
        """The score (`("cp" | "mate", n)`) of the last line with an exact score, and the best move."""
        lines = self.ask(go, "bestmove")
        score = None
        for line in lines:
            words = line.split()
            if "score" in words and "bound" not in line and ("multipv" not in words):
                at = words.index("score")
                score = (words[at + 1], int(words[at + 2]))
        return score, lines[-1].split()[1]

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)
