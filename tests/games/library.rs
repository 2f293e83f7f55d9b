//! What programs that use the crate build on: games as text, null moves, draws by claim, material, equality, styles of
//! FEN, names of values, and lines of moves.

use crate::common::{play, xiangqi as random};
use std::fmt::{Debug, Display};
use std::str::FromStr;
use tabiya::base::rng::SplitMix64;
use tabiya::chess::{self, Kind, Position, Side, Square};
use tabiya::game::{self, text::fen::Tolerance};
use tabiya::game::{Fault, Game, GameResult, Kernel, Outcome, Rules};
use tabiya::search::{Engine, Limits};
use tabiya::xiangqi;

/// A random game from `start` with null moves in it.
fn random_game<B: Rules>(start: game::Position<B>, plies: usize, rng: &mut SplitMix64) -> Game<B> {
    let mut game = Game::new(start);
    for _ in 0..plies {
        let list = game.position().legal_moves();
        if list.is_empty() {
            break;
        }
        if rng.below(10) == 0 && game.play_null().is_ok() {
            continue;
        }
        game.play(list[rng.below(list.len())]).expect("a legal move");
    }
    game
}

/// The game survives its text; going back restores every position.
fn check_text<B: Rules>(game: &Game<B>, start: game::Position<B>) {
    let text = game.to_string();
    let again: Game<B> = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.moves(), game.moves(), "{text}");
    assert_eq!(again.to_string(), text);
    let mut back = game.clone();
    while back.undo().is_some() {}
    assert_eq!((back.position(), back.repetitions()), (&start, 1), "{text}");
}

/// The line of a game is read back, also with all that a PGN may have between the moves.
fn check_line<B: Rules>(game: &Game<B>, line: &str) {
    let mut again = Game::new(*game.start());
    again.play_line(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(&again, game, "{line}");
    let between = [" {a comment (1-0)} ", " ?! ", " $1 ", " (1. e4 {)} (c4) d5) ", " ; 1. e4\n", "\n% e4\n", " (=) "];
    let mut words = String::new();
    for (word, between) in line.split(' ').zip(between.iter().cycle()) {
        words += word;
        words += between;
    }
    let mut again = Game::new(*game.start());
    again.play_line(&format!("{words} 1/2-1/2")).unwrap_or_else(|error| panic!("{words}: {error}"));
    assert_eq!(&again, game, "{words}");
}

#[test]
fn games_are_read_back_from_their_text() {
    let mut rng = SplitMix64::new(0x5eed_4001);
    for i in 0..60 {
        let start = match i % 3 {
            0 => Position::default(),
            1 => play::chess960_start(&mut rng),
            _ => play::positions(1, true, i)[0],
        };
        let game = random_game(start, 40, &mut rng);
        check_text(&game, start);
        check_line(&game, &start.san_line(game.moves()).unwrap());
        let start = random::random_positions(i, 1)[0].with_first_rank((i % 2) as u8);
        let game = random_game(start, 40, &mut rng);
        check_text(&game, start);
        check_line(&game, &start.wxf_line(game.moves()).unwrap());
    }
    for (text, offset) in [
        ("startpos moves e2e4 e7e6 e4e6", 25),
        ("startpos moves e2e4 e4", 20),
        ("startpos e2e4", 0),
        ("moves e2e4", 0),
        ("startpos moves 1. e4 (1. d4 e5", 21),
        ("startpos moves 1. e4 * e5", 23),
    ] {
        assert_eq!(text.parse::<chess::Game>().unwrap_err().offset, offset, "{text}");
    }
}

#[test]
fn null_moves_pass_the_turn_and_end_the_reach_of_repetitions() {
    let mut game = chess::Game::default();
    for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split(' ') {
        game.play_text(text).unwrap();
    }
    let mut repeated = game.clone();
    repeated.play_text("Ng8").unwrap();
    assert_eq!((repeated.repetitions(), repeated.outcome()), (3, Some(Outcome::Repetition)));
    for null in ["--", "Z0", "0000", " null"] {
        let mut game = game.clone();
        assert_eq!(game.play_text(null), Ok(chess::Move::NONE));
        assert_eq!((game.position().side(), game.repetitions()), (Side::WHITE, 1));
        game.play_text("a3").unwrap();
        let found = Engine::new().search_with(&game, Limits::depth(2), |_| {});
        assert!(game.position().legal_moves().contains(&found.best.unwrap()));
        assert_eq!((game.undo().is_some(), game.undo()), (true, Some(chess::Move::NONE)));
        game.play_text("Ng8").unwrap();
        assert_eq!(game.repetitions(), 3);
    }
    let mut check: chess::Game = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse().unwrap();
    assert_eq!(check.play_text("--").unwrap_err().fault, Fault::Illegal);
    assert_eq!((check.play_null().is_err(), check.position().play_null()), (true, None));
    assert!(check.moves().is_empty());
    // No other reader takes it for a move.
    let start = Position::default();
    for null in ["--", "Z0", "0000"] {
        assert!(start.parse_move(null).is_err() && start.parse_coordinates(null).is_err());
        assert!(xiangqi::Position::default().parse_move(null).is_err());
    }
    assert_eq!(start.san(chess::Move::NONE).as_str(), "--");
    assert_eq!(start.move_text(chess::Move::NONE).as_str(), "0000");
    let line = [start.parse_move("e4").unwrap(), chess::Move::NONE, start.parse_move("d4").unwrap()];
    assert_eq!(start.san_line(&line).as_deref(), Ok("1. e4 -- 2. d4"));
    assert_eq!(start.line_text(&line).as_deref(), Ok("e2e4 0000 d2d4"));
    assert_eq!(start.san_line(&[line[0], line[2]]).unwrap_err().0, line[2]);
}

#[test]
fn draws_by_claim_and_without() {
    let dance = "Nf3 Nf6 Ng1 Ng8";
    let mut game = chess::Game::default();
    for occurrence in 2..=5 {
        for text in dance.split(' ') {
            assert_eq!(game.automatic_outcome(), None);
            game.play_text(text).unwrap();
        }
        assert_eq!(game.repetitions(), occurrence);
        let claim = (3..5).contains(&occurrence).then_some(Outcome::Repetition);
        assert_eq!(game.claimable_draw(), claim, "occurrence {occurrence}");
    }
    assert_eq!(game.automatic_outcome(), Some(Outcome::Repetition));
    for (clock, claim, automatic) in [
        (98, None, None),
        (99, None, None),
        (100, Some(Outcome::MoveRule), None),
        (149, Some(Outcome::MoveRule), None),
        (150, None, Some(Outcome::MoveRule)),
    ] {
        let game: chess::Game = format!("4k3/8/8/8/8/8/R7/4K3 w - - {clock} 90").parse().unwrap();
        assert_eq!((game.claimable_draw(), game.automatic_outcome()), (claim, automatic), "{clock}");
        let m = game.position().parse_move("Ra3").unwrap();
        let by = (99..149).contains(&clock).then_some(Outcome::MoveRule);
        assert_eq!(game.claimable_draw_by(m), by, "{clock}");
    }
    // Mate comes before every draw.
    let mate: chess::Game = "7k/5KQ1/8/8/8/8/8/8 b - - 150 90".parse().unwrap();
    assert_eq!((mate.claimable_draw(), mate.automatic_outcome()), (None, Some(Outcome::Checkmate)));
}

#[test]
fn the_same_position_has_the_same_key() {
    let mut positions = Vec::<Position>::new();
    for text in [
        "8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1",
        "8/8/8/8/R2pP2k/8/8/4K3 b - - 0 1",
        "8/8/8/8/3pP2k/8/8/4K3 b - e3 0 1",
        "8/8/8/8/3pP2k/8/8/4K3 b - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 40 1",
    ] {
        positions.push(text.parse().unwrap());
    }
    let mut same = 0;
    for a in &positions {
        for b in &positions {
            assert_eq!(a.same_position(b), a.key() == b.key(), "{a} and {b}");
            assert!(a.same_position(b) || a != b);
            same += usize::from(a.same_position(b) && a != b);
        }
    }
    assert!(same >= 4, "{same} pairs that differ only for ==");
}

/// Every value is read back from its text, and something else is refused.
fn check_names<T: Copy + PartialEq + Debug + Display + FromStr<Err = chess::NotationError>>(values: &[T]) {
    for &value in values {
        assert_eq!(value.to_string().parse::<T>(), Ok(value));
    }
    for bad in ["", "?", "é", &"x".repeat(10_000)] {
        let error = bad.parse::<T>().unwrap_err().to_string();
        assert!(error.len() < 400 && !error.contains('\n'), "{error}");
    }
}

#[test]
fn values_are_read_back_from_their_names() {
    check_names(&Side::BOTH);
    check_names(&Kind::ALL);
    check_names(&xiangqi::Kind::ALL);
    check_names(&Kernel::ALL);
    check_names(&[GameResult::Win, GameResult::Draw, GameResult::Loss]);
    check_names(&[
        Outcome::Checkmate,
        Outcome::Stalemate,
        Outcome::InsufficientMaterial,
        Outcome::MoveRule,
        Outcome::Repetition,
        Outcome::Perpetual(Side::RED),
        Outcome::Perpetual(Side::BLACK),
    ]);
    check_names(&Square::all().collect::<Vec<_>>());
}

#[test]
fn errors_say_what_kind_of_fault_it_is() {
    let error = Position::from_fen("rnbqkbnX/8/8/8/8/8/8/8").unwrap_err();
    assert_eq!(error.fault, Fault::Malformed);
    let error = Position::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap_err();
    assert_eq!(error.fault, Fault::Impossible);
    let error = xiangqi::Position::from_fen("3k5/9/9/9/9/9/9/9/9/9 w").unwrap_err();
    assert_eq!(error.fault, Fault::Impossible);
    let rooks = "3k5/9/R8/9/9/9/9/9/9/R4K3 w - - 0 1".parse::<xiangqi::Position>().unwrap();
    for (text, fault) in [
        ("R9=8", Fault::Ambiguous),
        ("車九平八", Fault::Ambiguous),
        ("R9+9", Fault::Illegal),
        ("a0i9", Fault::Illegal),
        ("Q9=8", Fault::Malformed),
    ] {
        assert_eq!(rooks.parse_move(text).unwrap_err().fault, fault, "{text}");
    }
    let strict = Position::read_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 0", &mut Tolerance::strict());
    assert_eq!(strict.unwrap_err().field, "FEN full-move number");
}
