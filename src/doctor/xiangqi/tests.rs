//! Tests of the generator with faults and of the explanations, against each other and against the real generator.

use super::*;
use crate::base::rng::SplitMix64;
use crate::doctor::faults::Faults;
use crate::doctor::tests::{explained, legal_of, list_of};
use crate::explain::xiangqi::Rule;
use crate::game::random_play::positions;
use crate::xiangqi::types::Square;
use std::collections::{BTreeMap, BTreeSet};

/// Positions of the suites, and of random games from them.
fn sample() -> Vec<Position> {
    let suites = [
        include_str!("../../../perft-suites/xiangqi/standard.epd"),
        include_str!("../../../perft-suites/xiangqi/tricky.epd"),
        include_str!("../../../tests/data/diagnosis_xiangqi.epd"),
    ];
    let mut rng = SplitMix64::new(7);
    let lines = suites.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
    let fens = lines.filter_map(|line| line.split(" ;").next()).filter(|fen| !fen.is_empty());
    let starts: Vec<Position> = fens.map(|fen| Position::from_fen(fen).unwrap()).collect();
    assert!(starts.len() > 80);
    let (games, walks) = crate::base::sample((2, 1), (6, 2));
    let long = (0..games).flat_map(|_| positions(Position::default(), 120, &mut rng)).collect();
    let mut all: Vec<Position> = long;
    for start in starts {
        all.extend((0..walks).flat_map(|_| positions(start, 10, &mut rng)));
    }
    all
}

#[test]
fn without_faults_it_is_the_generator() {
    let none = Faults::default();
    for pos in sample() {
        assert_eq!(list_of(&Mailbox::from(&pos), &none), legal_of(&pos), "{pos:?}");
        let setup = Setup::of(&pos);
        let board = <crate::xiangqi::Board as Diagnosis>::board_of(&setup);
        assert_eq!(list_of(&board, &none), legal_of(&pos), "{pos:?}");
    }
}

/// Every move that an engine with a fault adds is explained by the rules of the fault.
#[test]
fn the_moves_of_every_fault_are_explained_by_its_rules() {
    let mut positions = sample();
    // Both colours of the small positions: games seldom show what a fault of one side alone does.
    let exchanged = |pos: &Position| {
        let setup = Setup::of(pos);
        if setup.men().len() > 8 { None } else { setup.exchanged().position::<crate::xiangqi::Board>() }
    };
    positions.extend(Vec::from_iter(positions.iter().filter_map(exchanged)));
    explained::<crate::xiangqi::Board>(&Vec::from_iter(positions.into_iter().map(|pos| (0, pos))), 10);
}

/// Every pair of squares: legal exactly if it is a move, and always with a rule; every rule from at least ten
/// positions.
#[test]
fn every_pair_of_squares_is_explained() {
    let mut shown: BTreeMap<Rule, BTreeSet<String>> = BTreeMap::new();
    let mut rng = SplitMix64::new(3);
    let all = sample();
    for _ in 0..300 {
        let pos = all[rng.below(all.len())];
        let right = legal_of(&pos);
        for from in Square::all().filter(|&from| pos.piece_on(from).is_some()) {
            for to in Square::all() {
                let text = format!("{from}{to}");
                let explained = pos.explain(&text).unwrap();
                assert_eq!(explained.legal, right.contains(&text), "{pos:?} {text}");
                assert_ne!(explained.sentence, crate::explain::xiangqi::NO_RULE, "{pos:?} {text}");
                shown.entry(explained.rule).or_default().insert(pos.to_fen());
            }
        }
    }
    // These are rare; the faults show them.
    let rare = [Rule::SoldierCheck, Rule::HorseCheck, Rule::Answer];
    assert!(shown.len() >= 24, "{:?}", shown.keys());
    for (rule, positions) in shown.iter().filter(|(rule, _)| !rare.contains(rule)) {
        assert!(positions.len() >= 10, "{rule:?}: {} positions", positions.len());
    }
}

/// One sentence for each rule, by hand.
#[test]
fn sentences_name_pieces_and_squares() {
    for (fen, text, rule, sentence) in [
        (
            "4k4/9/9/9/9/9/4C4/9/9/4K4 w - - 0 1",
            "e3d3",
            Rule::FlyingGeneral,
            "the cannon on e3 leaves the e-file, on which the kings would face each other",
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
            "e0d0",
            Rule::FlyingGeneral,
            "the king on e0 would face the king on d9 on the open d-file",
        ),
        (
            "3k5/9/9/9/4c4/9/9/4N4/9/4K4 w - - 0 1",
            "e2d4",
            Rule::CannonCheck,
            "the horse on e2 is the screen of the check by the cannon on e5, and leaves",
        ),
        (
            "3k5/9/9/9/9/9/9/4N4/9/4K4 w - - 0 1",
            "e2d4",
            Rule::HorseJump,
            "the horse on e2 moves to d4; its leg on e3 is free",
        ),
        (
            "3k5/9/9/9/4c4/9/9/9/9/R3K4 w - - 0 1",
            "a0e0",
            Rule::OwnPiece,
            "the chariot on a0 takes the king on e0 of its own side",
        ),
        (
            "3k5/9/9/9/4c4/R8/9/9/9/4K4 w - - 0 1",
            "a4e4",
            Rule::CannonCheck,
            "the chariot on a4 becomes the screen between the cannon on e5 and the king on e0",
        ),
        (
            "3k5/9/9/9/4c4/4R4/9/4N4/9/4K4 w - - 0 1",
            "e4a4",
            Rule::CannonCheck,
            "the chariot on e4 leaves one screen only between the cannon on e5 and the king on e0",
        ),
        (
            "3k5/9/9/9/9/9/9/3n5/3R5/4K4 w - - 0 1",
            "d1a1",
            Rule::HorseCheck,
            "the chariot on d1 frees the leg of the horse on d2, which attacks the king on e0",
        ),
        (
            "3k5/9/9/9/9/9/4r4/9/4p4/4K4 w - - 0 1",
            "e0e1",
            Rule::ChariotCheck,
            "the king on e0 takes the soldier on e1, which the chariot on e3 protects",
        ),
        (
            "3k5/9/9/4p4/4n4/9/4C4/9/9/4K4 w - - 0 1",
            "e3e6",
            Rule::CannonScreen,
            "the cannon on e3 takes the soldier on e6 over the horse on e5",
        ),
        (
            "3k5/9/9/4p4/4n4/9/4C4/9/9/4K4 w - - 0 1",
            "e3e5",
            Rule::CannonScreen,
            "the cannon on e3 has no screen to take the horse on e5",
        ),
        (
            "3k5/9/9/9/9/9/9/9/9/2B1K4 w - - 0 1",
            "c0a4",
            Rule::ElephantStep,
            "the elephant on c0 cannot reach a4: it steps two squares diagonally",
        ),
    ] {
        let pos = Position::from_fen(fen).unwrap();
        let explained = pos.explain(text).unwrap();
        assert_eq!((explained.rule, explained.sentence.as_str()), (rule, sentence), "{fen} {text}");
    }
    // Ranks are named as the position names them.
    let pos = Position::default().with_first_rank(1);
    let explained = pos.explain("b1d2").unwrap();
    assert!(explained.sentence.ends_with("the leg of the horse on b1 on the way to d2"));
    assert!(Position::default().explain("b1").is_err());
}
