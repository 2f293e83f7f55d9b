//! The weights of the evaluation as data: read by `eval` alone.

use super::eval_features::{DANGERS, FEATURES};

/// Weight of each feature, middlegame and endgame, in the order of the constants of `feature`.
#[rustfmt::skip]
pub static WEIGHTS: [(i16, i16); FEATURES] = [
    // Soldier, horse, elephant, advisor, chariot, cannon
    (60, 90), (330, 370), (150, 170), (150, 160), (820, 860), (370, 350),
    // Soldier by square
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (5, 5), (5, 5), (5, 5), (5, 5), (5, 5),
    (29, 24), (47, 42), (55, 50), (63, 58), (71, 66),
    (44, 39), (62, 57), (70, 65), (78, 73), (86, 81),
    (54, 49), (72, 67), (80, 75), (88, 83), (96, 91),
    (44, 39), (62, 57), (70, 65), (88, 83), (96, 91),
    (-56, -61), (-38, -43), (-30, -35), (-22, -27), (-14, -19),
    // Horse by square
    (-35, -18), (-31, -16), (-27, -14), (-23, -12), (-19, -10),
    (-15, -8), (-11, -6), (-7, -4), (-3, -2), (1, 0),
    (-10, -5), (-6, -3), (-2, -1), (2, 1), (6, 3),
    (-5, -3), (-1, -1), (3, 1), (7, 3), (11, 5),
    (0, 0), (4, 2), (8, 4), (12, 6), (16, 8),
    (5, 2), (9, 4), (13, 6), (17, 8), (21, 10),
    (10, 5), (14, 7), (18, 9), (22, 11), (26, 13),
    (10, 5), (14, 7), (18, 9), (22, 11), (26, 13),
    (10, 5), (14, 7), (18, 9), (22, 11), (26, 13),
    (-10, -5), (-6, -3), (-2, -1), (2, 1), (6, 3),
    // Elephant by square
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (-10, -10), (0, 0), (0, 0), (0, 0), (8, 8),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Advisor by square
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (6, 6),
    (-8, -8), (-8, -8), (-8, -8), (-8, -8), (-8, -8),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Chariot by square
    (-10, -5), (-10, -5), (-10, -5), (-4, -2), (-10, -5),
    (0, 0), (0, 0), (0, 0), (6, 3), (0, 0),
    (0, 0), (0, 0), (0, 0), (6, 3), (0, 0),
    (0, 0), (0, 0), (0, 0), (6, 3), (0, 0),
    (0, 0), (0, 0), (0, 0), (6, 3), (0, 0),
    (8, 4), (8, 4), (8, 4), (14, 7), (8, 4),
    (8, 4), (8, 4), (8, 4), (14, 7), (8, 4),
    (8, 4), (8, 4), (8, 4), (14, 7), (8, 4),
    (8, 4), (8, 4), (8, 4), (14, 7), (8, 4),
    (8, 4), (8, 4), (8, 4), (14, 7), (8, 4),
    // Cannon by square
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (10, 0),
    (10, 0), (10, 0), (10, 0), (10, 0), (20, 0),
    // King by square
    (0, 0), (0, 0), (0, 0), (0, 0), (15, 10),
    (0, 0), (0, 0), (0, 0), (-25, -10), (-10, 0),
    (0, 0), (0, 0), (0, 0), (-50, -20), (-35, -10),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Horse mobility
    (-50, -50), (-37, -37), (-24, -24), (-11, -11), (2, 2), (15, 15), (28, 28), (41, 41), (54, 54),
    // Chariot mobility
    (-40, -40), (-35, -35), (-30, -30), (-25, -25), (-20, -20), (-15, -15), (-10, -10), (-5, -5), (0, 0),
    (5, 5), (10, 10), (15, 15), (20, 20), (25, 25), (30, 30), (35, 35), (40, 40), (45, 45),
    // Cannon mobility
    (-16, -16), (-14, -14), (-12, -12), (-10, -10), (-8, -8), (-6, -6), (-4, -4), (-2, -2), (0, 0),
    (2, 2), (4, 4), (6, 6), (8, 8), (10, 10), (12, 12), (14, 14), (16, 16), (18, 18),
    // Enemy elephant lost: horse, chariot, cannon, crossed soldier
    (5, 5), (10, 10), (15, 15), (8, 8),
    // Enemy advisor lost: horse, chariot, cannon, crossed soldier
    (12, 12), (18, 18), (5, 5), (8, 8),
    // Two horses, elephants, advisors, chariots, cannons
    (0, 0), (20, 20), (20, 20), (0, 0), (0, 0),
    // Horse and cannon, chariot and horse, chariot and cannon
    (15, 15), (10, 10), (10, 10),
    // No chariot
    (-30, -30),
    // Horse, cannon for each piece on the board
    (-1, -1), (1, 1),
    // Cannon for each own guard
    (3, 6),
    // Elephant, advisor guarded by the other one
    (8, 8), (6, 6),
    // Crossed soldiers abreast
    (12, 15),
    // Blocked soldier
    (-8, -4),
    // Guarded crossed soldier
    (8, 8),
    // Chariot on the king's file, rank by pieces between and own ones among them
    (0, 0), (0, 0), (0, 0), (15, 15), (15, 15), (15, 15), (6, 6), (6, 6), (6, 6),
    (2, 2), (2, 2), (2, 2), (0, 0), (0, 0), (0, 0), (15, 15), (15, 15), (15, 15),
    (6, 6), (6, 6), (6, 6), (2, 2), (2, 2), (2, 2),
    // The same for a cannon
    (60, 60), (60, 60), (60, 60), (0, 0), (0, 0), (0, 0), (20, 20), (20, 20), (20, 20),
    (6, 6), (6, 6), (6, 6), (60, 60), (60, 60), (60, 60), (0, 0), (0, 0), (0, 0),
    (20, 20), (20, 20), (20, 20), (6, 6), (6, 6), (6, 6),
    // Own piece alone between the kings
    (-6, -6),
    // Attack by soldier on soldier, horse, elephant, advisor, chariot, cannon
    (2, 2), (25, 25), (12, 12), (12, 12), (40, 40), (25, 25),
    // Attack by horse on soldier, horse, elephant, advisor, chariot, cannon
    (5, 5), (10, 10), (6, 6), (6, 6), (30, 30), (12, 12),
    // Attack by elephant on soldier, horse, elephant, advisor, chariot, cannon
    (4, 4), (8, 8), (0, 0), (0, 0), (20, 20), (8, 8),
    // Attack by advisor on soldier, horse, elephant, advisor, chariot, cannon
    (4, 4), (8, 8), (0, 0), (0, 0), (20, 20), (8, 8),
    // Attack by chariot on soldier, horse, elephant, advisor, chariot, cannon
    (5, 5), (8, 8), (6, 6), (6, 6), (5, 5), (10, 10),
    // Attack by cannon on soldier, horse, elephant, advisor, chariot, cannon
    (3, 3), (8, 8), (6, 6), (6, 6), (25, 25), (5, 5),
    // Attack by king on soldier, horse, elephant, advisor, chariot, cannon
    (3, 3), (8, 8), (5, 5), (5, 5), (10, 10), (8, 8),
    // Hanging soldier, horse, elephant, advisor, chariot, cannon
    (6, 6), (25, 25), (12, 12), (12, 12), (30, 30), (25, 25),
    // Restricted square
    (1, 1),
    // Attacked square beyond the river
    (1, 1),
    // Safe steps of the king
    (-15, -15), (-4, -4), (2, 2), (4, 4), (4, 4),
    // Being to move
    (20, 15),
];

/// Weight of each part of the attack on a king, in the order of the constants of `danger`.
#[rustfmt::skip]
pub static DANGER: [i16; DANGERS] = [
    // Soldier, horse, chariot, cannon at the palace
    25, 35, 40, 20,
    // Attacked square of the palace
    5,
    // Attacked square near the king
    10,
    // Safe check by soldier, horse, chariot, cannon
    60, 70, 80, 60,
    // Weak square
    12,
    // Advisor missing, elephant missing
    35, 20,
    // No chariot
    -80,
    // Hollow cannon
    80,
    // Aimed cannon
    20,
    // Shield
    10,
    // King off the central file, ranks out
    10, 25,
    // Attacker beyond the river
    12,
    // Defender
    -10,
    // Always
    -20,
];
