//! Tests of the generator with faults and of the explanations, against each other and against the real generator.

use super::*;
use crate::base::rng::SplitMix64;
use crate::doctor::faults::{Fault, FaultKind, FaultyBoard, Switches};
use crate::game::position::random_play::positions;
use crate::xiangqi::Rule;
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
    let long = (0..6).flat_map(|_| positions(Position::default(), 120, &mut rng)).collect();
    let mut all: Vec<Position> = long;
    for start in starts {
        all.extend((0..2).flat_map(|_| positions(start, 10, &mut rng)));
    }
    all
}

/// The moves of each of the engines, by their text; a move twice is there twice.
fn lists(pos: &Position, switches: &Switches, engines: usize) -> Vec<Vec<String>> {
    let board = crate::xiangqi::Board::sound_board(pos);
    let mut list = Vec::new();
    board.moves(switches, !0 >> (128 - engines), &mut list);
    let mut lists = vec![Vec::new(); engines];
    for (m, who) in list {
        assert_ne!(who, 0);
        for (engine, list) in lists.iter_mut().enumerate().filter(|(i, _)| who >> i & 1 != 0) {
            let text = board.move_text(m).to_string();
            assert!(!list.contains(&text), "engine {engine} generates {text} twice in {pos:?}");
            list.push(text);
        }
    }
    lists.iter_mut().for_each(|list| list.sort());
    lists
}

fn legal(pos: &Position) -> Vec<String> {
    let list = pos.legal_moves();
    let mut list: Vec<String> = list.iter().map(|&m| pos.move_text(m).to_string()).collect();
    list.sort();
    list
}

#[test]
fn without_faults_it_is_the_generator() {
    let none = Switches::new::<XiangqiFault>(&[]);
    for pos in sample() {
        assert_eq!(lists(&pos, &none, 1), [legal(&pos)], "{pos:?}");
    }
}

/// Every move that an engine with a fault adds is explained by the rules of the fault, in at least ten positions. A
/// move that is left out may have more than one cause; most are explained by a rule of the fault.
#[test]
fn the_moves_of_every_fault_are_explained_by_its_rules() {
    let kinds = XiangqiFault::ALL;
    let engines: Vec<_> = kinds.iter().map(|&kind| vec![Fault { kind, side: None }]).collect();
    let switches = Switches::new(&engines);
    // The positions that show each fault, and the moves left out that other rules explain.
    let mut shown = vec![BTreeSet::new(); kinds.len()];
    let mut others = vec![0; kinds.len()];
    for pos in sample() {
        let right = legal(&pos);
        for (at, list) in lists(&pos, &switches, kinds.len()).iter().enumerate() {
            let rules = kinds[at].rules();
            for text in list.iter().filter(|m| !right.contains(m)) {
                let explained = pos.explain(text).unwrap();
                assert!(!explained.legal, "{pos:?} {text}");
                let rule = explained.rule;
                assert!(rules.contains(&rule), "{:?} {pos:?} {text} {rule:?}", kinds[at]);
                shown[at].insert(pos.to_fen());
            }
            for text in right.iter().filter(|m| !list.contains(m)) {
                let explained = pos.explain(text).unwrap();
                assert!(explained.legal, "{pos:?} {text}");
                match rules.contains(&explained.rule) {
                    true => _ = shown[at].insert(pos.to_fen()),
                    false => others[at] += 1,
                }
            }
        }
    }
    for (at, kind) in kinds.iter().enumerate() {
        assert!(shown[at].len() >= 10, "{kind:?}: {} positions", shown[at].len());
        assert!(others[at] < 2 * shown[at].len(), "{kind:?}: {} {}", others[at], shown[at].len());
    }
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
        let right = legal(&pos);
        for from in Square::all().filter(|&from| pos.piece_on(from).is_some()) {
            for to in Square::all() {
                let text = format!("{from}{to}");
                let explained = pos.explain(&text).unwrap();
                assert_eq!(explained.legal, right.contains(&text), "{pos:?} {text}");
                assert_ne!(explained.sentence, crate::xiangqi::explain::NO_RULE, "{pos:?} {text}");
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
