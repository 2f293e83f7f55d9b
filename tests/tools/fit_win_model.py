#!/usr/bin/env python3
"""Fits the win model of a game to self-play games, and shows how well it fits.

    cargo run --release -p tabiya-training -- datagen --out games.bin --games 3000 --nodes 5000 --hash 4 --seed 78
    python3 tests/tools/fit_win_model.py games.bin

Xiangqi takes `--game xiangqi` with both commands.

The model: with m pieces on the board, a side with score s wins with probability 1 / (1 + exp((a(m) - s) / b(m))),
loses with the same probability for -s, and draws otherwise. So a is the score with which half the games are won, and b
is the width of the transition. Both are polynomials of m / 32. Numbers of pieces with too few positions count as the
nearest number that has enough. The model is symmetric, so every position is counted from the view of the side ahead.
The fit maximises the likelihood of the recorded results by Fisher scoring. Games that `datagen` ended early count with
the result that it assigned.

Prints the constants for `eval/win_model.rs` of the game, a and b by the number of pieces (column "men"), and observed
and expected shares of results (a score of 0 counts from the first player's view). The same file gives the same output.
Needs python 3.10 and nothing else; a million positions take some seconds. Exit code 2 if the file was not written by
`datagen` for this game, or if nothing can be fitted.
"""

import argparse
import collections
import math
import struct
import sys

RECORD_SIZE = 32
# Scores of this size and more belong to decided games, for which the model is not used.
DECIDED = 20_000
# Limits of a and b; a test in src/game/search/win_model.rs has the same limits.
A_LIMITS, B_LIMITS = (25, 1000), (10, 1000)
# Iterations at most, and the gain of the log-likelihood that ends the fit.
MAX_STEPS, MIN_GAIN = 200, 1e-6


def chess_records(chunk):
    """Number of pieces, score for White, result for White (0 to 2), whether a game begins (0 or 1). The layout is
    described in tests/tools/training/record/chess.rs."""
    for occupied, score, result, opens_game in struct.iter_unpack("<Q20xhBB", chunk):
        yield occupied.bit_count(), score, result, opens_game


def xiangqi_records(chunk):
    """The same for Red, as described in tests/tools/training/record/xiangqi.rs; 2 instead of 0 or 1 for bits beyond
    the board."""
    for low, high, score, result in struct.iter_unpack("<QI16xhBx", chunk):
        men = low.bit_count() + (high & 0x3FF_FFFF).bit_count()
        yield men, score, result, 2 if high >> 26 & 0xF else high >> 30 & 1


RECORDS = {"chess": chess_records, "xiangqi": xiangqi_records}


def read(path, game):
    """How often each (pieces, score of the side ahead, its result) occurs; the games; the records left out."""
    counts, games, left_out = collections.Counter(), 0, 0
    with open(path, "rb") as file:
        while chunk := file.read(RECORD_SIZE << 16):
            if len(chunk) % RECORD_SIZE:
                raise ValueError("not a whole number of records")
            for men, score, result, opens_game in RECORDS[game](chunk):
                if result > 2 or opens_game > 1 or not 2 <= men <= 32:
                    raise ValueError(f"not a file of datagen for {game}")
                games += opens_game
                if abs(score) >= DECIDED:
                    left_out += 1
                elif score < 0:
                    counts[men, -score, 2 - result] += 1
                else:
                    counts[men, score, result] += 1
    if not counts:
        raise ValueError("no positions")
    return counts, games, left_out


def cells_of(counts):
    """The same as a list of (pieces, score, [losses, draws, wins])."""
    cells = {}
    for (men, score, result), number in counts.items():
        cells.setdefault((men, score), [0, 0, 0])[result] += number
    return [(men, score, results) for (men, score), results in sorted(cells.items())]


def piece_range(cells, share):
    """The range of piece numbers without the two tails that have less than `share` of the positions each."""
    by_men = collections.Counter()
    for men, _, results in cells:
        by_men[men] += sum(results)

    def end(order):
        seen = 0
        for men in order:
            seen += by_men[men]
            if seen >= share * by_men.total():
                return men

    return end(sorted(by_men)), end(sorted(by_men, reverse=True))


def sigmoid(x):
    if x >= 0:
        return 1 / (1 + math.exp(-min(x, 700)))
    power = math.exp(max(x, -700))
    return power / (1 + power)


def shares(a, b, score):
    """Loss, draw and win. Draws are computed without subtracting nearly equal numbers."""
    above, below = (score - a) / b, (-score - a) / b
    draw = sigmoid(-above) * sigmoid(-below) * -math.expm1(-2 * a / b)
    return sigmoid(below), draw, sigmoid(above)


class Model:
    """The coefficients of a, then those of b, lowest power first, and the range of piece numbers."""

    def __init__(self, fewest, most, coefficients):
        self.fewest, self.most, self.coefficients = fewest, most, coefficients

    def powers(self, men):
        x = min(max(men, self.fewest), self.most) / 32
        return [x**i for i in range(len(self.coefficients) // 2)]

    def at(self, men):
        """a and b."""
        powers = self.powers(men)
        half = len(powers)
        return tuple(
            sum(c * p for c, p in zip(part, powers))
            for part in (self.coefficients[:half], self.coefficients[half:])
        )

    def moved(self, step, length):
        new = [c + length * s for c, s in zip(self.coefficients, step)]
        return Model(self.fewest, self.most, new)

    def is_at_a_limit(self):
        return not self.is_within(1.01)

    def is_within(self, part):
        """Whether a and b are within their limits, narrowed by a factor."""
        every = [self.at(men) for men in range(self.fewest, self.most + 1)]
        return all(
            low * part < value < high / part
            for pair in every
            for value, (low, high) in zip(pair, (A_LIMITS, B_LIMITS))
        )


def log_likelihood(model, cells):
    total, at = 0.0, {men: model.at(men) for men in range(2, 33)}
    for men, score, results in cells:
        for number, share in zip(results, shares(*at[men], score)):
            if number:
                total += number * math.log(max(share, 1e-300))
    return total


def slope_and_information(model, cells):
    """The gradient of the log-likelihood and the Fisher information, by coefficient."""
    # First by a and b, for each number of pieces: slopes, and the three second moments.
    sums, at = {men: [0.0] * 5 for men in range(2, 33)}, {men: model.at(men) for men in range(2, 33)}
    for men, score, results in cells:
        a, b = at[men]
        loss, draw, win = shares(a, b, score)
        win_a, loss_a = -win * (1 - win) / b, -loss * (1 - loss) / b
        win_b, loss_b = win_a * (score - a) / b, loss_a * (-score - a) / b
        total, row = sum(results), sums[men]
        for number, share, by_a, by_b in (
            (results[0], loss, loss_a, loss_b),
            (results[1], draw, -win_a - loss_a, -win_b - loss_b),
            (results[2], win, win_a, win_b),
        ):
            share = max(share, 1e-300)
            row[0] += number * by_a / share
            row[1] += number * by_b / share
            row[2] += total * by_a * by_a / share
            row[3] += total * by_a * by_b / share
            row[4] += total * by_b * by_b / share
    # Then by coefficient: each belongs to a or b and to a power of the number of pieces.
    size = len(model.coefficients)
    slope, information = [0.0] * size, [[0.0] * size for _ in range(size)]
    for men, (slope_a, slope_b, aa, ab, bb) in sums.items():
        powers = model.powers(men)
        half = len(powers)
        for i, p in enumerate(powers):
            slope[i] += slope_a * p
            slope[half + i] += slope_b * p
            for j, q in enumerate(powers):
                information[i][j] += aa * p * q
                information[i][half + j] += ab * p * q
                information[half + i][j] += ab * p * q
                information[half + i][half + j] += bb * p * q
    return slope, information


def solve(matrix, vector):
    """Solves a linear system by Gaussian elimination with pivoting."""
    size = len(vector)
    rows = [[*row, value] for row, value in zip(matrix, vector)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    result = [0.0] * size
    for i in reversed(range(size)):
        known = sum(rows[i][j] * result[j] for j in range(i + 1, size))
        result[i] = (rows[i][size] - known) / rows[i][i]
    return result


def fit(cells, fewest, most, degree):
    """The model of maximum likelihood, and its log-likelihood."""
    model = Model(fewest, most, [150.0] + [0.0] * degree + [75.0] + [0.0] * degree)
    best = log_likelihood(model, cells)
    for _ in range(MAX_STEPS):
        slope, information = slope_and_information(model, cells)
        for i, row in enumerate(information):
            # The powers are nearly collinear: with few games the matrix itself is singular.
            row[i] = row[i] * (1 + 1e-9) + 1e-12
        step, length, gain = solve(information, slope), 1.0, 0.0
        while length > 1e-6:
            candidate = model.moved(step, length)
            value = log_likelihood(candidate, cells) if candidate.is_within(1) else -math.inf
            if value > best:
                model, gain, best = candidate, value - best, value
                break
            length /= 2
        if gain < MIN_GAIN:
            return model, best
    raise ValueError(f"the fit has not converged after {MAX_STEPS} steps")


def print_constants(model):
    half = len(model.coefficients) // 2
    print("constants:")
    print(f"    pieces: [{model.fewest}, {model.most}],")
    for name, part in (("even", model.coefficients[:half]), ("spread", model.coefficients[half:])):
        part = part + [0.0] * (4 - half)
        print(f"    {name}: [{', '.join(f'{c:.2f}' for c in part)}],")


def print_by_men(model, cells):
    positions = collections.Counter()
    for men, _, results in cells:
        positions[men] += sum(results)
    print("\nmen   positions       a       b")
    for men in range(2, 33):
        a, b = model.at(men)
        print(f"{men:3} {positions[men]:11} {a:7.1f} {b:7.1f}")


def print_rows(title, rows):
    """Prints rows of name → (loss, draw, win), observed and expected, in per cent."""
    print(f"\n{title:>13}   positions  |   win: seen  model |  draw: seen  model |  loss: seen  model")
    for name, (seen, expected) in rows.items():
        total = sum(seen)
        columns = [f"{100 * seen[i] / total:12.1f} {100 * expected[i] / total:6.1f}" for i in (2, 1, 0)]
        print(f"{name:>13} {total:11}  |{' |'.join(columns)}")


def print_calibration(model, cells, width):
    by_score, by_men = {}, {}
    for men, score, results in cells:
        at = min(score // width, 1000 // width)
        low, few = at * width, (men - 1) // 4 * 4 + 1
        names = f"{low}-{low + width - 1}" if low + width <= 1000 else f"{low}-", f"{few}-{few + 3}"
        total, model_shares = sum(results), shares(*model.at(men), score)
        for rows, order, name in ((by_score, low, names[0]), (by_men, few, names[1])):
            seen, expected = rows.setdefault((order, name), ([0, 0, 0], [0.0, 0.0, 0.0]))
            for i in range(3):
                seen[i] += results[i]
                expected[i] += total * model_shares[i]
    for title, rows in (("score ahead", by_score), ("men", by_men)):
        print_rows(title, {name: row for (_, name), row in sorted(rows.items())})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="file of training data, by `datagen`")
    parser.add_argument("--game", choices=RECORDS, default="chess", help="(default chess)")
    parser.add_argument("--degree", type=int, default=3, choices=range(4), help="of both polynomials (default 3)")
    parser.add_argument("--tail", type=float, default=0.01, metavar="SHARE",
                        help="the fewest and the most pieces are merged until they have this share of the positions"
                             " (default 0.01)")
    parser.add_argument("--width", type=int, default=50, help="centipawns of a row of the table (default 50)")
    options = parser.parse_args()
    try:
        if not 0 <= options.tail < 0.5 or not 1 <= options.width <= 1000:
            raise ValueError("--tail is from 0 to below 0.5, --width from 1 to 1000")
        counts, games, left_out = read(options.file, options.game)
        cells = cells_of(counts)
        model, best = fit(cells, *piece_range(cells, options.tail), options.degree)
    except (OSError, ValueError, ZeroDivisionError) as error:
        print(f"fit_win_model: {options.file}: {error}", file=sys.stderr)
        return 2
    total = counts.total()
    print(f"{total} positions of {games} games, {left_out} more with decided scores")
    print(f"log-likelihood of a position: {best / total:.5f}\n")
    if model.is_at_a_limit():
        print("fit_win_model: a or b is at a limit: too few games, or unsuitable ones", file=sys.stderr)
    print_constants(model)
    print_by_men(model, cells)
    print_calibration(model, cells, options.width)
    return 0


if __name__ == "__main__":
    sys.exit(main())
