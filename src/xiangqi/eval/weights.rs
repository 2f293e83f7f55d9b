//! The weights of the evaluation, used by `eval`.
//!
//! Tuned by the Texel method (logistic regression on game results, Peter Österlund, 2014) on about 650,000 quiet
//! positions from 6,200 self-play games at 1,000 nodes a move, which started with random moves. The target mixes the
//! game result (70 %) with the engine's own score (30 %). The initial values were round numbers and smooth
//! piece-square tables.

use super::features::{DANGERS, FEATURES};

/// Weight of each feature, middlegame and endgame, in the order of the constants of `features`.
#[rustfmt::skip]
pub static WEIGHTS: [(i16, i16); FEATURES] = [
    // Soldier, horse, elephant, advisor, chariot, cannon
    (53, 106), (341, 406), (108, 47), (138, 73), (933, 977), (369, 367),
    // Soldier by square
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (-10, 32), (0, 0), (-14, -6), (0, 0), (14, -8),
    (-10, 20), (5, 5), (28, 26), (5, 5), (16, 16),
    (5, 25), (42, 40), (49, 38), (65, 57), (72, 65),
    (46, 37), (69, 66), (78, 55), (75, 61), (76, 64),
    (52, 53), (71, 67), (76, 66), (92, 95), (96, 91),
    (44, 41), (66, 64), (75, 71), (95, 88), (98, 92),
    (-54, -58), (-38, -47), (-30, -40), (-25, -42), (-16, -32),
    // Horse by square
    (-37, -18), (-46, -22), (-29, -12), (-15, -6), (-19, -10),
    (-14, -9), (-12, -6), (-8, -18), (-12, 3), (-46, -20),
    (-4, -7), (-17, -3), (1, -6), (-2, 2), (1, 0),
    (-5, -1), (-3, -1), (0, 5), (9, 5), (18, 5),
    (-3, 0), (10, 10), (34, 20), (20, 16), (23, 19),
    (5, 2), (22, 11), (16, 4), (23, 17), (27, 9),
    (-1, -1), (22, 13), (19, 14), (34, 19), (27, 15),
    (13, 6), (12, 5), (15, 7), (20, 5), (31, 20),
    (10, 5), (6, -4), (21, 11), (20, 10), (26, 13),
    (-8, -5), (-1, 1), (-1, 1), (2, 1), (6, 3),
    // Elephant by square
    (0, 0), (0, 0), (6, -38), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (-40, -36), (0, 0), (0, 0), (0, 0), (27, -37),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (-37, -30), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Advisor by square
    (0, 0), (0, 0), (0, 0), (-5, -22), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (26, -33),
    (-8, -8), (-8, -8), (-8, -8), (-34, -39), (-8, -8),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Chariot by square
    (-30, -12), (2, -5), (0, -2), (13, 4), (-10, -5),
    (-12, 6), (-6, 2), (-6, 1), (-6, 2), (6, 0),
    (8, 10), (7, 16), (5, 11), (34, 13), (2, 3),
    (-1, 9), (14, 12), (11, 10), (28, 16), (-4, 3),
    (10, 9), (6, 11), (12, 10), (18, 20), (7, 13),
    (10, 9), (7, 3), (24, 13), (4, 15), (13, 13),
    (-1, 5), (-1, 8), (46, 15), (23, 7), (-2, 0),
    (2, 1), (-11, -10), (0, 7), (20, 18), (8, 5),
    (-4, -5), (17, -9), (3, -4), (23, -9), (12, 8),
    (-9, -10), (-4, -18), (0, -2), (25, 2), (10, 5),
    // Cannon by square
    (-2, 1), (-2, -4), (0, 4), (6, 2), (10, 2),
    (12, 2), (-12, 0), (21, 3), (-7, 5), (14, 5),
    (30, 19), (0, 3), (19, 3), (28, 4), (43, 8),
    (9, 1), (-13, 2), (2, -3), (0, -4), (16, 6),
    (-7, -6), (-7, 2), (4, -2), (3, 0), (28, -3),
    (-2, -4), (-21, 5), (-7, -2), (-7, 3), (40, 6),
    (6, 1), (-35, 3), (-31, 4), (-17, -5), (11, -2),
    (4, 4), (-16, 0), (2, 1), (-6, -9), (8, 0),
    (-14, -8), (-19, -6), (-12, -13), (-7, -3), (6, -2),
    (21, 3), (11, -14), (14, 2), (4, 2), (20, 0),
    // King by square
    (0, 0), (0, 0), (0, 0), (-6, -3), (39, -19),
    (0, 0), (0, 0), (0, 0), (-27, 10), (-11, 17),
    (0, 0), (0, 0), (0, 0), (-59, -24), (-40, -10),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    // Horse mobility
    (-52, -54), (-22, -35), (-26, -24), (-8, 1), (5, 21), (18, 39), (23, 38), (43, 41), (48, 29),
    // Chariot mobility
    (-34, -40), (-41, -36), (-36, -42), (-28, -30), (-13, -15), (6, -9), (9, 1), (13, 7), (5, 11),
    (20, 17), (22, 34), (24, 36), (34, 40), (33, 45), (33, 35), (40, 43), (30, 37), (41, 28),
    // Cannon mobility
    (-28, -19), (-11, -14), (-23, -12), (-7, -10), (-2, -2), (-5, 8), (-5, -13), (-5, -5), (-7, 0),
    (1, 3), (-1, 4), (2, 6), (19, 3), (24, 12), (16, 12), (12, 16), (9, 18), (25, 29),
    // Enemy elephant lost: horse, chariot, cannon, crossed soldier
    (20, 45), (30, 45), (24, 29), (-11, 22),
    // Enemy advisor lost: horse, chariot, cannon, crossed soldier
    (20, 38), (56, 33), (-42, -56), (17, 80),
    // Two horses, elephants, advisors, chariots, cannons
    (18, 20), (5, -45), (11, -27), (82, 52), (0, -3),
    // Horse and cannon, chariot and horse, chariot and cannon
    (43, 81), (23, 39), (25, 16),
    // No chariot
    (-62, -96),
    // Horse, cannon for each piece on the board
    (2, 10), (9, 12),
    // Cannon for each own guard
    (0, 10),
    // Elephant, advisor guarded by the other one
    (41, -9), (37, -10),
    // Crossed soldiers abreast
    (-3, -28),
    // Blocked soldier
    (16, 3),
    // Guarded crossed soldier
    (14, 3),
    // Chariot on the king's file, rank by pieces between and own ones among them
    (0, 0), (0, 0), (0, 0), (22, 33), (19, 17), (15, 15), (-1, 6), (8, 7), (6, 6),
    (0, 0), (4, 5), (6, 2), (0, 0), (0, 0), (0, 0), (-5, 6), (19, 19), (15, 15),
    (-4, 4), (6, 6), (6, 6), (2, 2), (2, 2), (2, 2),
    // The same for a cannon
    (106, 55), (60, 60), (60, 60), (0, 0), (0, 0), (0, 0), (29, 36), (31, 26), (35, 22),
    (-5, 4), (18, 7), (0, 6), (38, 9), (60, 60), (60, 60), (0, 0), (0, 0), (0, 0),
    (19, 20), (31, 31), (20, 20), (2, 6), (7, 8), (6, 6),
    // Own piece alone between the kings
    (-10, -32),
    // Attack by soldier on soldier, horse, elephant, advisor, chariot, cannon
    (4, 3), (39, 29), (15, 9), (11, -2), (40, 40), (33, 27),
    // Attack by horse on soldier, horse, elephant, advisor, chariot, cannon
    (9, 10), (11, 8), (-1, 2), (-6, -12), (21, 23), (28, 15),
    // Attack by elephant on soldier, horse, elephant, advisor, chariot, cannon
    (12, 13), (8, 8), (0, 0), (0, 0), (17, 17), (14, 8),
    // Attack by advisor on soldier, horse, elephant, advisor, chariot, cannon
    (4, 3), (8, 8), (0, 0), (0, 0), (21, 18), (13, 9),
    // Attack by chariot on soldier, horse, elephant, advisor, chariot, cannon
    (4, 28), (53, 23), (2, 12), (22, -15), (5, 5), (41, 32),
    // Attack by cannon on soldier, horse, elephant, advisor, chariot, cannon
    (14, 12), (25, 19), (9, 8), (-5, 18), (42, 29), (5, 5),
    // Attack by king on soldier, horse, elephant, advisor, chariot, cannon
    (3, 4), (8, 12), (5, 5), (5, 5), (10, 10), (19, 15),
    // Hanging soldier, horse, elephant, advisor, chariot, cannon
    (22, 33), (43, 40), (36, 21), (19, 18), (29, 19), (57, 40),
    // Restricted square
    (10, 11),
    // Attacked square beyond the river
    (3, 1),
    // Safe steps of the king
    (-22, -29), (-5, 6), (7, 8), (6, 4), (5, 2),
    // Crossed soldier by distance to the king
    (0, 0), (22, 14), (17, 12), (8, -3), (-3, -3), (1, 2), (0, 0), (0, 0), (0, 0), (0, 0),
    // Horse by distance to the king
    (0, 0), (13, 16), (9, 8), (16, 12), (13, 8), (10, 12), (2, 3), (-11, -6), (-14, -8), (-5, -2),
    // Side to move
    (38, 4),
];

/// Weight of each king-attack term, in the order of the constants of `danger`.
#[rustfmt::skip]
pub static DANGER: [i16; DANGERS] = [
    // Soldier, horse, chariot, cannon at the palace
    40, 66, 28, -2,
    // Attacked square of the palace
    8,
    // Attacked square near the king
    4,
    // Safe check by soldier, horse, chariot, cannon
    72, 93, 79, 27,
    // Weak square
    10,
    // Advisor missing, elephant missing
    4, 17,
    // No chariot
    -105,
    // Hollow cannon
    36,
    // Aimed cannon
    83,
    // Shield
    19,
    // King off the central file, ranks out
    13, 38,
    // Attacker beyond the river
    42,
    // Defender
    -7,
    // Constant term
    -10,
];
