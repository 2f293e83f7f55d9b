//! The weights of the evaluation as data: read by `eval` alone.
//!
//! Obtained by the texel method (logistic regression of game results, Peter Österlund, 2014) on quiet positions of
//! the engine's games against itself at 1,000 nodes a move, which began with random moves; the target mixes the
//! result (70 %) with the engine's own score (30 %). The first values were round numbers and smooth squares.

use super::eval_features::{DANGERS, FEATURES};

/// Weight of each feature, middlegame and endgame, in the order of the constants of `feature`.
#[rustfmt::skip]
pub static WEIGHTS: [(i16, i16); FEATURES] = [
    // Soldier, horse, elephant, advisor, chariot, cannon
    (50, 95), (342, 402), (121, 84), (139, 89), (881, 926), (369, 361),
    // Soldier by square
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (-4, 20), (0, 0), (-18, 3), (0, 0), (7, 1),
    (-3, 11), (5, 5), (30, 14), (5, 5), (12, 17),
    (10, 22), (43, 39), (44, 44), (60, 56), (71, 64),
    (46, 39), (67, 60), (77, 57), (78, 62), (81, 68),
    (53, 51), (69, 62), (82, 74), (91, 90), (97, 94),
    (46, 42), (63, 59), (73, 68), (91, 82), (98, 94),
    (-56, -61), (-38, -45), (-30, -38), (-23, -32), (-15, -25),
    // Horse by square
    (-34, -18), (-44, -17), (-25, -13), (-22, -10), (-19, -10),
    (-15, -13), (-11, -4), (-10, -12), (-11, -1), (-29, -12),
    (-1, -7), (-10, -3), (-7, 0), (-5, 1), (1, -1),
    (-6, -3), (-2, -2), (1, 2), (8, 3), (19, 5),
    (-1, 1), (9, 9), (23, 15), (21, 17), (20, 12),
    (4, 2), (15, 9), (18, 5), (24, 18), (22, 8),
    (7, 3), (17, 10), (21, 15), (27, 10), (29, 16),
    (12, 5), (14, 5), (22, 13), (22, 6), (30, 18),
    (10, 4), (10, 4), (18, 7), (23, 12), (26, 12),
    (-10, -5), (-5, -1), (-1, 1), (2, 1), (6, 3),
    // Elephant by square
    (0, 0), (0, 0), (-3, -25), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (-25, -29), (0, 0), (0, 0), (0, 0), (24, -14),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (-27, -24), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Advisor by square
    (0, 0), (0, 0), (0, 0), (-11, -17), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (24, -26),
    (-8, -8), (-8, -8), (-8, -8), (-25, -31), (-8, -8),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Chariot by square
    (-29, -7), (4, -6), (1, -2), (4, 1), (-10, -5),
    (6, 1), (-10, 1), (1, 2), (2, 2), (4, 1),
    (1, 7), (6, 5), (1, 4), (16, 8), (2, 1),
    (-2, 4), (2, 6), (5, 7), (22, 9), (-1, 5),
    (4, 4), (-1, 5), (4, 3), (13, 12), (3, 7),
    (8, 9), (10, 7), (16, 10), (8, 14), (6, 9),
    (2, 6), (7, 8), (36, 12), (16, 6), (2, 0),
    (5, 3), (-6, -5), (4, 5), (15, 12), (8, 4),
    (3, 0), (18, -1), (3, -5), (22, 2), (11, 7),
    (3, -1), (-3, -10), (0, -3), (21, 3), (9, 4),
    // Cannon by square
    (-2, 0), (5, -1), (1, 3), (2, 0), (10, 1),
    (7, 0), (7, -1), (9, 0), (1, 2), (11, 3),
    (13, 9), (-4, 1), (-2, 2), (15, 4), (39, 8),
    (5, 0), (-12, 2), (-3, -3), (-5, -3), (10, 2),
    (4, -2), (0, 2), (-1, -1), (8, 2), (21, 0),
    (-5, -3), (-6, 4), (-6, -2), (-5, 1), (28, 5),
    (2, 0), (-15, 1), (-20, -2), (-10, -6), (10, 0),
    (1, 1), (-11, 3), (2, -2), (-2, -4), (8, 0),
    (-5, -3), (-18, -3), (-4, -7), (-6, -1), (7, -2),
    (16, 3), (12, -5), (11, -1), (3, -1), (20, 2),
    // King by square
    (0, 0), (0, 0), (0, 0), (-6, -7), (30, -10),
    (0, 0), (0, 0), (0, 0), (-22, 4), (-14, 16),
    (0, 0), (0, 0), (0, 0), (-55, -23), (-37, -11),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Horse mobility
    (-37, -51), (-30, -38), (-30, -28), (-13, -6), (1, 19), (12, 29), (27, 39), (49, 46), (51, 39),
    // Chariot mobility
    (-37, -40), (-41, -35), (-32, -36), (-35, -27), (-22, -17), (-6, -16), (2, -2), (5, 2), (10, 7),
    (25, 8), (16, 23), (16, 28), (26, 30), (30, 35), (29, 32), (47, 44), (31, 40), (43, 35),
    // Cannon mobility
    (-24, -18), (-8, -13), (-18, -13), (-13, -10), (-6, -7), (-1, 3), (-4, -9), (-10, -5), (-6, 2),
    (1, 5), (0, 1), (7, 7), (16, 3), (19, 13), (17, 13), (12, 15), (13, 17), (21, 25),
    // Enemy elephant lost: horse, chariot, cannon, crossed soldier
    (23, 22), (18, 25), (16, 19), (-3, 14),
    // Enemy advisor lost: horse, chariot, cannon, crossed soldier
    (23, 26), (42, 22), (-28, -39), (15, 58),
    // Two horses, elephants, advisors, chariots, cannons
    (8, 6), (6, -25), (18, -12), (46, 32), (-1, 7),
    // Horse and cannon, chariot and horse, chariot and cannon
    (34, 44), (22, 31), (16, 11),
    // No chariot
    (-45, -64),
    // Horse, cannon for each piece on the board
    (4, 4), (6, 12),
    // Cannon for each own guard
    (8, 10),
    // Elephant, advisor guarded by the other one
    (22, -2), (35, -7),
    // Crossed soldiers abreast
    (3, -12),
    // Blocked soldier
    (5, 6),
    // Guarded crossed soldier
    (13, 4),
    // Chariot on the king's file, rank by pieces between and own ones among them
    (0, 0), (0, 0), (0, 0), (19, 24), (18, 16), (15, 15), (4, 7), (8, 6), (6, 6),
    (0, 1), (2, 4), (4, 2), (0, 0), (0, 0), (0, 0), (2, 8), (18, 17), (15, 15),
    (0, 5), (6, 6), (6, 6), (2, 2), (2, 2), (2, 2),
    // The same for a cannon
    (88, 62), (60, 60), (60, 60), (0, 0), (0, 0), (0, 0), (26, 25), (32, 25), (26, 20),
    (4, 5), (12, 7), (2, 5), (38, 25), (60, 60), (60, 60), (0, 0), (0, 0), (0, 0),
    (24, 28), (25, 25), (20, 20), (4, 6), (7, 7), (6, 6),
    // Own piece alone between the kings
    (-12, -27),
    // Attack by soldier on soldier, horse, elephant, advisor, chariot, cannon
    (5, 1), (32, 27), (15, 11), (12, 6), (40, 40), (27, 25),
    // Attack by horse on soldier, horse, elephant, advisor, chariot, cannon
    (16, 9), (12, 11), (2, 4), (3, -3), (23, 26), (23, 13),
    // Attack by elephant on soldier, horse, elephant, advisor, chariot, cannon
    (10, 9), (7, 8), (0, 0), (0, 0), (17, 18), (11, 9),
    // Attack by advisor on soldier, horse, elephant, advisor, chariot, cannon
    (3, 3), (8, 8), (0, 0), (0, 0), (20, 19), (12, 8),
    // Attack by chariot on soldier, horse, elephant, advisor, chariot, cannon
    (10, 19), (41, 22), (-1, 11), (9, -1), (5, 5), (27, 24),
    // Attack by cannon on soldier, horse, elephant, advisor, chariot, cannon
    (9, 6), (25, 17), (17, 7), (-3, 11), (35, 26), (5, 5),
    // Attack by king on soldier, horse, elephant, advisor, chariot, cannon
    (3, 3), (7, 10), (5, 5), (5, 5), (10, 10), (16, 12),
    // Hanging soldier, horse, elephant, advisor, chariot, cannon
    (23, 21), (38, 33), (26, 23), (17, 17), (28, 24), (46, 36),
    // Restricted square
    (8, 7),
    // Attacked square beyond the river
    (2, 1),
    // Safe steps of the king
    (-21, -24), (-2, -2), (3, 4), (6, 7), (5, 7),
    // Being to move
    (32, 5),
];

/// Weight of each part of the attack on a king, in the order of the constants of `danger`.
#[rustfmt::skip]
pub static DANGER: [i16; DANGERS] = [
    // Soldier, horse, chariot, cannon at the palace
    39, 62, 28, 11,
    // Attacked square of the palace
    8,
    // Attacked square near the king
    9,
    // Safe check by soldier, horse, chariot, cannon
    67, 86, 79, 32,
    // Weak square
    12,
    // Advisor missing, elephant missing
    5, 14,
    // No chariot
    -95,
    // Hollow cannon
    49,
    // Aimed cannon
    56,
    // Shield
    18,
    // King off the central file, ranks out
    10, 32,
    // Attacker beyond the river
    32,
    // Defender
    -4,
    // Always
    -14,
];
