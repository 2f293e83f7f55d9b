//! Xiangqi games that end by repetition, the half-move clock or material: a position, a cycle of moves, a verdict.

use crate::common::game::{Game, position};
use crate::common::mirrored;
use tabiya::game::Verdict;
use tabiya::xiangqi::{Board, Position, Repetition, Ruleset};

/// The verdict for the side to move in `pos`, after `cycle` has been made twice.
///
/// Also asserts that there is no verdict before the third occurrence, that the second occurrence gives a bound that
/// agrees with it if the search made both, and that the verdict for the other side is the opposite one.
fn verdict_after_two_cycles(pos: Position, cycle: &str) -> Verdict {
    let cycle: Vec<&str> = cycle.split(' ').collect();
    let mut game = Game::new(pos);
    let mut bound = None;
    for (i, text) in cycle.iter().chain(&cycle).enumerate() {
        assert_eq!(game.verdict(0), None, "{pos} after {i} plies");
        if i == cycle.len() {
            assert_eq!(game.verdict(i), None, "the first occurrence is the root");
            bound = game.verdict(i + 1);
        }
        game.play_text(text);
    }
    let verdict = game.verdict(0).expect("the third occurrence ends the game");
    assert_eq!(game.verdict(cycle.len() + 1), Some(verdict), "{pos}: in the search");
    game.play_text(cycle[0]);
    let (turned, wanted) = match verdict {
        Verdict::Draw => (Verdict::Draw, Verdict::Draw),
        Verdict::Win => (Verdict::Loss, Verdict::AtLeastDraw),
        Verdict::Loss => (Verdict::Win, Verdict::AtMostDraw),
        bound => panic!("{pos}: {bound:?} outside a search"),
    };
    assert_eq!(game.verdict(0), Some(turned), "{pos}: one ply later");
    assert_eq!(bound, Some(wanted), "{pos}: one cycle in the search");
    verdict
}

/// The verdict by these rules for a position and a cycle; asserts that it is the same with the colours exchanged.
fn verdict_by(repetition: Repetition, fen: &str, cycle: &str) -> Verdict {
    let pos = Position::from_fen(fen).unwrap();
    let turned: String =
        cycle.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from_digit(9 - d, 10).unwrap())).collect();
    let by_rules = |pos: Position, cycle: &str| {
        verdict_after_two_cycles(pos.with_ruleset(Ruleset { repetition, ..Ruleset::default() }), cycle)
    };
    let found = by_rules(pos, cycle);
    assert_eq!(by_rules(mirrored(&pos), &turned), found, "{fen} {cycle}: colours exchanged");
    found
}

fn verdict(fen: &str, cycle: &str) -> Verdict {
    verdict_by(Repetition::Asian, fen, cycle)
}

#[test]
fn repetitions_are_judged_by_the_asian_rules() {
    use Verdict::{Draw, Loss, Win};
    for (what, fen, cycle, wanted) in [
        ("nothing is attacked", Position::START_FEN, "b0c2 b9c7 c2b0 c7b9", Draw),
        ("perpetual check loses", "3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e1d1 d9e9 d1e1 e9d9", Loss),
        ("checks by both sides", "3c5/9/4k4/4n4/9/9/3C5/9/9/3KR4 w", "d3e3 e6d4 e3d3 d4e6", Draw),
        // Red checks with the chariot, then with the cannon over the black chariot. With every reply the black chariot
        // threatens the horse on g7, which it could not capture while Black was in check.
        ("check outweighs chase", "4k4/9/r5N2/9/R8/9/4C4/9/9/3K5 w", "a5e5 a7e7 e5a5 e7a7", Loss),
        ("one quiet move", "3k5/9/9/9/9/9/9/9/4R4/5K3 w", "e1d1 d9e9 d1d2 e9e8 d2e2 e8d8 e2e1 d8d9", Draw),
        ("an unprotected piece is chased", "4k4/9/9/c8/1R7/9/9/9/9/3K5 w", "b5b6 a6a5 b6b5 a5a6", Loss),
        ("a chariot on the file protects it", "r3k4/9/9/c8/1R7/9/9/9/9/3K5 w", "b5b6 a6a5 b6b5 a5a6", Draw),
        // The chariot on e5 protects a5, and nothing protects a6: the cannon is chased with every other move.
        ("protected on one of two squares", "5k3/9/9/c8/1R2r4/9/9/9/9/3KR4 w", "b5b6 a6a5 b6b5 a5a6", Draw),
        ("a pinned piece protects nothing", "4k4/9/9/c8/1R2r4/9/9/9/9/3KR4 w", "b5b6 a6a5 b6b5 a5a6", Loss),
        ("kings may chase", "3k5/9/9/9/9/9/9/9/4K4/5p3 w", "e1f1 f0e0 f1e1 e0f0", Draw),
        ("soldiers may chase", "3k5/9/4c4/3P5/9/9/9/9/9/5K3 w", "d6e6 e7d7 e6d6 d7e7", Draw),
        ("a soldier beyond the river is chased", "4k4/9/9/9/1R7/9/p8/9/9/3K5 w", "b5a5 a3b3 a5b5 b3a3", Loss),
        ("horses offer an exchange", "4k4/9/9/4n4/9/9/5N3/9/9/3K5 w", "f3d4 e6g5 d4f3 g5e6", Draw),
        // The black horse's moves back are blocked on both sides.
        ("horses, but only one attacks", "4k4/9/9/4n4/4P4/6P2/5N3/9/9/3K5 w", "f3d4 e6g5 d4f3 g5e6", Loss),
        ("chariots offer an exchange", "4k4/9/9/r8/1R7/9/9/9/9/3K5 w", "b5b6 a6a5 b6b5 a5a6", Draw),
        // Over one screen the cannons attack each other.
        ("cannons offer an exchange", "4k4/9/9/c1p6/2p4C1/9/9/9/9/3K5 w", "h5h6 a6a5 h6h5 a5a6", Draw),
        ("a protected chariot, by a cannon", "r3k4/9/9/r1p6/2p4C1/9/9/9/9/3K5 w", "h5h6 a6a5 h6h5 a5a6", Loss),
        // The cannon unblocks one of the elephant's eyes or the other; a chariot protects the elephant's target.
        ("a protected chariot, by an elephant", "4k4/9/9/9/9/r1r6/3C5/4B4/9/5K3 w", "d3f3 c4g4 f3d3 g4c4", Loss),
        ("a protected cannon, by an elephant", "4k4/9/9/9/9/r1c6/3C5/4B4/9/5K3 w", "d3f3 c4g4 f3d3 g4c4", Loss),
        ("a pinned elephant chases nothing", "3k5/4r4/9/9/9/r1c6/3C5/4B4/9/4K4 w", "d3f3 c4g4 f3d3 g4c4", Draw),
        // The chariot attacks the horse where it is unprotected, the elephant attacks it where it is protected.
        ("a horse, by chariot and elephant", "2r1k4/9/9/9/9/2n6/3R5/4B4/9/5K3 w", "d3d1 c4a3 d1d3 a3c4", Loss),
        // The advisor attacks the chariot; when it steps back, it opens the rank for the cannon.
        ("a chariot, by advisor and cannon", "3r1k3/9/9/9/9/9/9/3r5/6pC1/4KA3 w", "f0e1 d2d1 e1f0 d1d2", Loss),
        // Black attacks the cannon with every move, and also gives check with every other one.
        ("a check may be a chase too", "3k5/9/9/9/9/9/9/9/cr1CAK3/9 w", "d1d3 b1b3 d3d1 b3b1", Win),
        // With every move Red's elephant opens the line from one cannon to the chariot. Black's horse opens or blocks
        // the same line, which protects the other cannon. The chariot attacks that one all the time.
        (
            "an attack outweighs cutting off a protector",
            "3akab2/9/4b4/r3p4/p1p6/4P2n1/P1P6/NCr1B2C1/4A4/R2AK1B2 b",
            "h4g2 e2g4 g2h4 g4e2",
            Win,
        ),
        (
            "if no side makes a new attack, the side that cuts off protectors is at fault",
            "2ca1k3/4a4/b8/2P5P/2b3p2/1c7/9/B7N/2nR5/2BAK4 b",
            "c5e7 c6b6 e7c5 b6c6",
            Win,
        ),
        ("two pieces by turns", "4k4/9/9/c8/cR7/9/9/9/9/3K5 w", "b5b6 e9e8 b6b5 e8e9", Draw),
        ("a standing attack is no chase", "4k4/9/9/cR7/9/9/9/9/9/3K5 w", "d0d1 e9e8 d1d0 e8e9", Draw),
        // Red's king frees one chariot and then the other to take the cannon on d3.
        ("an attack changes hands", "3c1k3/9/3R5/9/9/9/3cR4/9/4A4/3K1A3 w", "d0e0 d9e9 e0d0 e9d9", Loss),
    ] {
        assert_eq!(verdict(fen, cycle), wanted, "{what}: {fen} {cycle}");
    }
}

#[test]
fn cycles_with_different_offences_are_judged_together() {
    // Black chases the cannon, then checks; either alone loses at the third occurrence.
    let fen = "3aka3/4n4/9/9/9/9/2C6/9/6r2/3AK4 b";
    let (chase, check) = ("g1c1 c3g3 c1g1 g3c3", "g1g0 e0e1 g0g1 e1e0");
    assert_eq!(verdict(fen, chase), Verdict::Loss);
    assert_eq!(verdict(fen, check), Verdict::Loss);
    for [first, second] in [[chase, check], [check, chase]] {
        let mut game = Game::<Board>::new(position(fen));
        for text in first.split(' ').chain(second.split(' ')) {
            assert_eq!(game.verdict(0), None);
            game.play_text(text);
        }
        // However far back the search began.
        for ply in [0, 4, 5, 8, 9] {
            assert_eq!(game.verdict(ply), Some(Verdict::Draw), "{first}, {second}: {ply}");
        }
    }
}

/// The lines of the rule book: position, cycle, verdict by the Asian rules, label.
fn rule_book() -> Vec<[&'static str; 4]> {
    let text = include_str!("../data/repetitions_xiangqi.epd");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(" ;").collect::<Vec<_>>().try_into().unwrap()).collect()
}

#[test]
fn the_rule_book() {
    let lines = rule_book();
    assert_eq!(lines.len(), 150);
    for [fen, cycle, wanted, label] in lines {
        let found = format!("{:?}", verdict(fen, cycle)).to_lowercase();
        assert_eq!(found, wanted, "{label}: {fen} {cycle}");
    }
}

/// Confirmed by pyffish 0.0.90, with `perpetualCheckIllegal = false` and `chasingRule = none`.
#[test]
fn every_repetition_is_a_draw_if_the_rules_say_so() {
    for [fen, cycle, ..] in rule_book() {
        assert_eq!(verdict_by(Repetition::Draw, fen, cycle), Verdict::Draw, "{fen} {cycle}");
    }
}

/// By articles 26 and 27 of the Chinese rules (2011): a perpetual check by one side is never allowed; of other attacks
/// with every move, by checks, threats of mate and chases, those of one side alone are not. Kings and soldiers may
/// chase.
#[test]
fn by_the_chinese_rules_attacks_of_all_kinds_add_up() {
    use Verdict::{Draw, Loss, Win};
    let by_chinese = |fen, cycle| verdict_by(Repetition::Chinese, fen, cycle);
    let (mut checks, mut same) = (0, 0);
    for [fen, cycle, asian, label] in rule_book() {
        let found = format!("{:?}", by_chinese(fen, cycle)).to_lowercase();
        checks += i32::from(label == "perpetual check");
        same += i32::from(found == asian);
        assert!(label != "perpetual check" || found == asian, "{fen} {cycle}: {found}");
    }
    assert_eq!((checks, same), (5, 108));
    for (fen, cycle, wanted) in [
        // A threat of mate with every move: the chariots next check on the d-file. One alone threatens nothing.
        ("3k5/9/9/9/9/9/9/9/4R4/R4K3 w", "a0a1 d9d8 a1a0 d8d9", Loss),
        ("3k5/9/9/9/9/9/9/9/R8/5K3 w", "a1a2 d9d8 a2a1 d8d9", Draw),
        // The same in the rule book, where the Asian rules draw.
        ("3ak4/4a4/4b3b/r3C1R2/p8/9/P8/4p4/4p4/5K3 w", "g6h6 i7g9 h6g6 g9i7", Loss),
        // Check and threat of mate by turns.
        ("3r1k3/4P4/9/c1p4r1/9/7R1/9/4B4/4A4/4K1B2 w", "h4f4 h6f6 f4i4 f6i6 i4h4 i6h6", Loss),
        // A chase against threats of mate by the cannon over the advisors: a win by the Asian rules.
        ("3aka3/2R6/2c6/9/9/9/9/9/4A4/3AK1p2 b", "c7h7 c8h8 h7c7 h8c8", Draw),
        ("3aka3/4n4/9/9/9/9/2C6/9/6r2/3AK4 b", "g1c1 c3g3 c1g1 g3c3", Draw),
        // Two and more pieces are chased by turns, which the Asian rules allow; once the other side does so too.
        ("4k4/9/9/c8/cR7/9/9/9/9/3K5 w", "b5b6 e9e8 b6b5 e8e9", Loss),
        ("4k4/9/9/9/C8/9/pp5pp/4B4/9/r1BAKA1r1 b", "a0b0 a5h5 h0i0 h5b5 b0a0 b5i5 i0h0 i5a5", Win),
        ("1rbakab2/9/6c1n/4p3p/p8/6R2/P1P1P1P1P/2N3N2/4A4/2BAK1B2 b", "g7c7 g4c4 c7g7 c4g4", Draw),
        // One piece is chased.
        ("4k4/9/9/c8/1R7/9/9/9/9/3K5 w", "b5b6 a6a5 b6b5 a5a6", Loss),
        // Nothing is attacked, and an attack that stands is no new one.
        (Position::START_FEN, "b0c2 b9c7 c2b0 c7b9", Draw),
        ("4k4/9/9/cR7/9/9/9/9/9/3K5 w", "d0d1 e9e8 d1d0 e8e9", Draw),
        // Kings and soldiers may chase.
        ("3k5/9/9/9/9/9/9/9/4K4/5p3 w", "e1f1 f0e0 f1e1 e0f0", Draw),
        ("3k5/9/4c4/3P5/9/9/9/9/9/5K3 w", "d6e6 e7d7 e6d6 d7e7", Draw),
        // A check with every move outweighs a chase with every move; checks by both are a draw.
        ("4k4/9/r5N2/9/R8/9/4C4/9/9/3K5 w", "a5e5 a7e7 e5a5 e7a7", Loss),
        ("3c5/9/4k4/4n4/9/9/3C5/9/9/3KR4 w", "d3e3 e6d4 e3d3 d4e6", Draw),
    ] {
        assert_eq!(by_chinese(fen, cycle), wanted, "{fen} {cycle}");
    }
}

#[test]
fn the_sixty_move_rule_draws_unless_there_is_no_move() {
    let game = |fen: &str| Game::<Board>::new(position(fen)).verdict(0);
    assert_eq!(game("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 119 90"), None);
    assert_eq!(game("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 120 90"), Some(Verdict::Draw));
    let stalemate = "3k5/1P2P4/9/9/9/9/9/9/9/4K4 b - - 120 90";
    assert_eq!(Position::from_fen(stalemate).unwrap().count_legal(), 0);
    assert_eq!(game(stalemate), None);
}

/// Confirmed by pyffish 0.0.90, with `nMoveRule` of 50 and 0.
#[test]
fn the_move_limit_is_a_rule() {
    for (move_limit, plies) in [(50, 100), (60, 120), (100, 200), (0, 10_000)] {
        for clock in [99, 100, 119, 120, 199, 200, 9_999] {
            let mut game = Game::<Board>::new(position(&format!("3k5/9/9/9/9/9/9/9/R8/5K3 w - - {clock} 90")));
            game.pos = game.pos.with_ruleset(Ruleset { move_limit, ..Ruleset::default() });
            let wanted = (clock >= plies).then_some(Verdict::Draw);
            assert_eq!(game.verdict(0), wanted, "{move_limit} {clock}");
        }
    }
}

#[test]
fn nothing_that_can_cross_the_river_is_a_draw() {
    let game = |fen: &str| Game::<Board>::new(position(fen)).verdict(0);
    assert_eq!(game("2bak4/4a4/b8/9/9/9/9/4B4/4A4/3A1KB2 w"), Some(Verdict::Draw));
    assert_eq!(game("2bak4/4a4/b8/9/9/8P/9/4B4/4A4/3A1KB2 w"), None);
}
