//! Random endgame positions, for tests of tablebases and of the search with them.

use tabiya::base::rng::SplitMix64;
use tabiya::chess::{Kind, Placement, Position};
use tabiya::game::Side;

/// A random position with the material of a table's name or file name. Either colour gets the first side's pieces.
pub fn random_position(name: &str, dice: &mut SplitMix64) -> Position {
    let material = name.split('.').next().unwrap_or(name);
    let (first, second) = material.split_once('v').unwrap();
    loop {
        let swap = dice.below(2) == 1;
        let side = if dice.below(2) == 1 { Side::First } else { Side::Second };
        let mut placement = Placement { side, ..Placement::default() };
        for (letters, white) in [(first, !swap), (second, swap)] {
            for letter in letters.bytes() {
                let (_, kind) = Kind::from_fen_letter(letter).unwrap();
                let side = if white { Side::First } else { Side::Second };
                let free = loop {
                    let square = dice.below(64);
                    if placement.pieces[square].is_none() {
                        break square;
                    }
                };
                placement.pieces[free] = Some((side, kind));
            }
        }
        if let Ok(pos) = Position::new(&placement) {
            return pos;
        }
    }
}
