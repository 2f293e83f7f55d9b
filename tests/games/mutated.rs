//! Millions of mutated texts, inside this process: FENs of both games, lines of both protocols, suites, and divides
//! of other programs.
//!
//! Every text is refused with one short line or gives a valid result; nothing may panic, overflow or use unbounded
//! memory. The normal run is short; the large one is
//! `cargo test --release --test tabiya games::mutated:: -- --ignored`, and with assertions the same without
//! `--release`.

use crate::common::{by_build, chess_suites, root, xiangqi_suites};
use crate::games::invariants::{Tested, check_moves};
use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tabiya::base::rng::SplitMix64;
use tabiya::chess;
use tabiya::doctor::Wrong;
use tabiya::doctor::diff::differences;
use tabiya::doctor::read::read;
use tabiya::game::text::fen::Tolerance;
use tabiya::game::{Position, Rules, Side};
use tabiya::perft::Divide;
use tabiya::perft::suite_reader;
use tabiya::protocol::command::{Command, Protocol};
use tabiya::protocol::games::Variant;
use tabiya::protocol::{ucci, uci};
use tabiya::xiangqi;

/// Texts of the short run.
const FEW: usize = by_build(40_000, 28_000);
/// Texts of the long run.
const MANY: usize = 10_000_000;

const LETTERS: &[u8] = b"kqrbnpKQRBNPacehACEH0123456789/ -wb;D:|#\t.=+xO\"\\<>\x00\x7f\xc3\xff\r\n";
const WORDS: &str = "startpos fen moves go depth infinite ponder setoption name value Hash -1 \
                     99999999999999999999999 9223372036854775807 e7e8q e1g1 h10h9 é \u{202e} perft wtime searchmoves D6 ; ♔ K";

/// Changes a text in at most `places`.
pub fn mutate(seed: &str, other: &str, places: usize, rng: &mut SplitMix64) -> String {
    let mut text = seed.as_bytes().to_vec();
    for _ in 0..1 + rng.below(places) {
        let at = rng.below(text.len() + 1);
        match rng.below(14) {
            0 if at < text.len() => text[at] ^= 1 << rng.below(8),
            1 | 2 if at < text.len() => _ = text.remove(at),
            3 => text.insert(at, LETTERS[rng.below(LETTERS.len())]),
            4 | 5 if at < text.len() => text[at] = LETTERS[rng.below(LETTERS.len())],
            6 => {
                let words: Vec<&str> = WORDS.split_whitespace().collect();
                let word = words[rng.below(words.len())];
                text.splice(at..at, format!(" {word} ").into_bytes());
            }
            7 => text.truncate(at),
            8 => {
                let end = (at + rng.below(40)).min(text.len());
                let piece = text[at..end].to_vec();
                text.splice(at..at, piece);
            }
            // Append the end of another text.
            9 => {
                let from = rng.below(other.len() + 1);
                text.truncate(at);
                text.extend_from_slice(&other.as_bytes()[from..]);
            }
            // Swaps two fields, or takes one of another text.
            10 | 11 => {
                let whole = String::from_utf8_lossy(&text).into_owned();
                let mut fields: Vec<&str> = whole.split(' ').collect();
                let others: Vec<&str> = other.split(' ').collect();
                let (a, b) = (rng.below(fields.len()), rng.below(fields.len()));
                match others.get(a).filter(|_| rng.below(2) == 0) {
                    Some(other) => fields[a] = other,
                    None => fields.swap(a, b),
                }
                text = fields.join(" ").into_bytes();
            }
            _ if rng.below(50) == 0 => text = text.repeat(1 + rng.below(40)),
            _ if text.len() > 1 => {
                let (a, b) = (rng.below(text.len()), rng.below(text.len()));
                text.swap(a, b);
            }
            _ => {}
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Asserts that an error can be shown: one line, no control characters, not the whole input.
pub fn brief(error: &impl Display, text: &str) {
    let shown = error.to_string();
    assert!(!shown.is_empty() && shown.len() < 600, "{text:?}: {} bytes of reason", shown.len());
    assert!(!shown.contains(|c: char| c.is_control()), "{text:?}: {shown:?}");
}

/// Reads a FEN in lenient and strict mode. An accepted position survives the FEN round trip, and its moves are sound.
/// Returns whether it was accepted.
fn fen<B: Tested>(text: &str, rng: &mut SplitMix64) -> bool {
    let strict = Position::<B>::read_fen(text, &mut Tolerance::strict());
    let mut tolerance = Tolerance::lenient();
    let lenient = Position::<B>::read_fen(text, &mut tolerance);
    if let Some(warning) = tolerance.warning().filter(|_| lenient.is_ok()) {
        brief(&warning, text);
    }
    if let Ok(strict) = &strict {
        assert!(lenient.as_ref() == Ok(strict), "{text:?} is another position when strict");
        assert_eq!(tolerance.warning(), None, "{text:?}");
    }
    let pos = match lenient {
        Ok(pos) => pos,
        Err(error) => {
            brief(&error, text);
            assert!(text.is_char_boundary(error.offset), "{text:?}: offset {}", error.offset);
            return false;
        }
    };
    let written = pos.to_fen();
    let again = Position::<B>::read_fen(&written, &mut Tolerance::lenient());
    assert!(again.as_ref() == Ok(&pos), "{text:?} is written as {written}");
    check_moves(&pos, rng);
    for m in pos.legal_moves() {
        let child = pos.play_unchecked(m).to_fen();
        assert!(Position::<B>::read_fen(&child, &mut Tolerance::lenient()).is_ok(), "{text:?} by {m:?}: {child}");
    }
    true
}

/// Parses a line of a protocol, and the FEN and moves in it.
fn line<B: Rules>(protocol: Protocol, text: &str) -> bool {
    let mut odd = Vec::new();
    let command = match protocol {
        Protocol::Uci => uci::read(text, &mut odd),
        Protocol::Ucci => ucci::read(text, &mut odd),
    };
    let game = match command {
        Command::Nothing => return false,
        Command::Go(go) => {
            let side = if text.len().is_multiple_of(2) { Side::First } else { Side::Second };
            let unit = if text.len().is_multiple_of(3) { 1 } else { 1000 };
            let _ = go.clock(side, unit);
            return true;
        }
        Command::Position(game) | Command::Probe(game) => game,
        _ => return true,
    };
    let given = game.fen.as_deref().unwrap_or(B::START_FEN);
    let _ = Variant::of_fen(given).inspect_err(|error| brief(error, text));
    let Ok(mut pos) = Position::<B>::read_fen(given, &mut Tolerance::lenient()) else { return true };
    for word in game.moves.split_whitespace() {
        match pos.parse_move(word) {
            Ok(m) => pos.make(m),
            Err(error) => {
                brief(&error, text);
                break;
            }
        }
    }
    true
}

fn suite_text<B: Rules>(text: &str) -> bool {
    let read = suite_reader::read::<B>(text, &Tolerance::lenient());
    read.inspect_err(|error| brief(error, text)).is_ok()
}

fn divide(text: &str) -> bool {
    let pos = chess::Position::from_fen(chess::Position::START_FEN).unwrap();
    let list = pos.legal_moves();
    let ours = Divide { total: 400, moves: list.iter().map(|&m| (m, 20)).collect() };
    let with = |rank_offset| read(&pos, text, Some(rank_offset)).map(|theirs| differences(&pos, &ours, &theirs));
    if let Ok(found) = with(1) {
        assert!(!found.is_empty(), "nothing has our ranks plus one");
    }
    with(0).is_ok_and(|found| found.iter().filter(|(wrong, _)| *wrong == Wrong::Missing).count() < 20)
}

/// Valid texts of each kind, from which the mutations start: FENs of chess and of xiangqi, lines of UCI and of UCCI,
/// suites of both games, divides.
fn seeds() -> [Vec<String>; 7] {
    let fens =
        |entries: Vec<crate::common::Entry>| -> Vec<String> { entries.into_iter().map(|entry| entry.fen).collect() };
    let (chess, xiangqi) = (fens(chess_suites()), fens(xiangqi_suites()));
    let lines = |fens: &[String], moves: &str, others: &[&str]| -> Vec<String> {
        let position = |fen: &String| format!("position fen {fen}");
        let mut lines: Vec<String> = fens.iter().map(position).collect();
        lines.push(format!("position startpos moves {moves}"));
        lines.extend(others.iter().map(|line| line.to_string()));
        lines
    };
    let common = [
        "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 40",
        "go depth 6 nodes 1000 searchmoves e2e4 d2d4",
        "go ponder infinite",
        "go mate 3",
        "go perft 5",
        "setoption name Hash value 64",
        "setoption name Clear Hash",
        "setoption name UCI_Elo value 1500",
        "register later",
        "setoption name SyzygyPath value /tmp;/x y",
        "ponderhit",
        "debug on",
        "isready",
        "stop",
    ];
    let others = [
        "go time 60000 increment 0 opptime 1000 oppincrement 0",
        "go depth 6 draw",
        "banmoves h2e2",
        "setoption hashsize 64",
        "setoption bookfiles a;b",
        "setoption repetition alwaysdraw",
        "probe startpos",
        "setoption name usemillisec value true",
        "ponderhit draw",
        "go nodes 100 movestogo 3",
    ];
    let cut = |folder: &str| -> Vec<String> {
        let mut pieces = Vec::new();
        for file in std::fs::read_dir(root().join("perft-suites").join(folder)).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            pieces.extend(lines.chunks(6).map(|chunk| chunk.join("\n")));
        }
        pieces
    };
    let lines_of_uci = lines(&chess, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", &common);
    let lines_of_ucci = lines(&xiangqi, "h2e2 h9g7 h0g2 i9h9", &others);
    let divides = [
        "e2e4: 20\ne2e3: 20\n\nNodes searched: 400",
        "1. e2-e4 = 20\n2. Ng1xf3+ 1,234\nO-O: 7\n  e7e8=Q 12",
        "a2a4 20 | 600 moves\nbestmove e2e4\ninfo depth 3 pv e2e4",
    ];
    let (suites, xiangqi_suites) = (cut("chess"), cut("xiangqi"));
    [chess, xiangqi, lines_of_uci, lines_of_ucci, suites, xiangqi_suites, divides.map(String::from).into()]
}

/// Reads `count` mutated texts on two threads. Some texts of each kind must be accepted, or the test would only cover
/// errors.
fn read_mutated(count: usize, seed: u64) {
    let seeds = seeds();
    let accepted: [AtomicUsize; 7] = Default::default();
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (seeds, accepted) = (&seeds, &accepted);
            scope.spawn(move || {
                let mut rng = SplitMix64::new(seed + thread);
                for _ in 0..count / 2 {
                    let kind = [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6][rng.below(13)];
                    let pool = &seeds[kind];
                    let (from, other) = (&pool[rng.below(pool.len())], &pool[rng.below(pool.len())]);
                    let text = mutate(from, other, 4, &mut rng);
                    let well = match kind {
                        0 => fen::<chess::Board>(&text, &mut rng),
                        1 => fen::<xiangqi::Board>(&text, &mut rng),
                        2 => line::<chess::Board>(Protocol::Uci, &text),
                        3 => line::<xiangqi::Board>(Protocol::Ucci, &text),
                        4 => suite_text::<chess::Board>(&text),
                        5 => suite_text::<xiangqi::Board>(&text),
                        _ => divide(&text),
                    };
                    accepted[kind].fetch_add(usize::from(well), Relaxed);
                }
            });
        }
    });
    let accepted = accepted.map(AtomicUsize::into_inner);
    println!("{count} texts, accepted by kind: {accepted:?}");
    assert!(accepted.iter().all(|&n| n > count / 10_000), "{accepted:?} of {count}");
}

#[test]
fn mutated_texts_are_refused_or_sound() {
    read_mutated(FEW, 0x7e47);
}

#[test]
#[ignore = "minutes; run by .ci/nightly"]
fn ten_million_mutated_texts_are_refused_or_sound() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    read_mutated(MANY, seed);
}
