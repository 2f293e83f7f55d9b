//! Moves in every notation of both games, with whatever people and databases write around them: the move stays the
//! same, and the method of the type and that of the trait agree. Damaged texts are refused or legal moves.

use crate::common::{play, xiangqi};
use crate::games::mutated::{brief, mutate};
use tabiya::base::rng::SplitMix64;
use tabiya::chess;
use tabiya::game::{NotationError, Position, Rules};

/// What may stand behind a move.
const MARKS: [&str; 32] = [
    "", " ", "+", "#", "!", "?", "!!", "?!", "++", "=", "□", "±", "∓", "⩲", "∞", " N", " TN", "$1", " $142", ".", ",",
    " +-", " -+", " +/-", " =/+", " +−", "+!?", "# ±", "\t", " (=)", "‼", "†",
];

/// Reads the texts of every legal move of `pos`, with marks drawn at random.
fn check<B: Rules>(
    pos: &Position<B>,
    inherent: impl Fn(&Position<B>, &str) -> Result<B::Move, NotationError>,
    texts: impl Fn(&Position<B>, B::Move) -> Vec<String>,
    rng: &mut SplitMix64,
) {
    for &m in &pos.legal_moves() {
        for text in texts(pos, m) {
            let number = ["", "", "1.", "23. ", "7...", "8... "][rng.below(6)];
            let marked = format!("{number}{text}{}", MARKS[rng.below(MARKS.len())]);
            assert_eq!(inherent(pos, &marked), Ok(m), "{} {marked:?}", pos.to_fen());
            assert_eq!(pos.parse_move(&marked), Ok(m), "{} {marked:?}", pos.to_fen());
            let damaged = mutate(&text, "O-O e7xd8=Q Rhxd1+ H2-E2 R+-4 炮二平五 前车退二", 2, rng);
            match pos.parse_move(&damaged) {
                Ok(m) => assert!(pos.is_legal(m), "{} {damaged:?}", pos.to_fen()),
                Err(error) => brief(&error, &damaged),
            }
        }
        let written = pos.move_text(m);
        assert_eq!(pos.parse_coordinates(written.as_str()), Ok(m));
        assert!(pos.parse_coordinates(&format!("{written}!")).is_err());
    }
}

#[test]
fn marks_and_numbers_do_not_change_a_move_of_chess() {
    let mut rng = SplitMix64::new(0x5eed_3001);
    for pos in play::positions(60, true, 0x5eed_3002).iter().chain(&play::suite_positions()) {
        let texts = |pos: &chess::Position, m| vec![pos.san(m).to_string(), pos.move_text(m).to_string()];
        check(pos, chess::Position::parse_move, texts, &mut rng);
    }
}

#[test]
fn marks_and_numbers_do_not_change_a_move_of_xiangqi() {
    let mut rng = SplitMix64::new(0x5eed_3003);
    for pos in xiangqi::random_positions(0x5eed_3004, 60) {
        for pos in [pos, pos.with_first_rank(1)] {
            let texts = |pos: &tabiya::xiangqi::Position, m| {
                let texts = [pos.wxf(m), pos.iccs(m), pos.move_text(m)].map(|text| text.to_string());
                [&texts[..], &[pos.chinese(m)]].concat()
            };
            check(&pos, tabiya::xiangqi::Position::parse_move, texts, &mut rng);
        }
    }
}
