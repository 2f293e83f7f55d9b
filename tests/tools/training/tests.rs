//! `datagen`: the same file for any number of threads and interruptions, correct records, and no change to files that
//! it refuses.

use crate::options::Options;
use crate::record::{Labels, RECORD_BYTES, Record, Recorded};
use crate::{datagen, run};
use std::fs::{self, File};
use std::path::PathBuf;
use tabiya::base::rng::SplitMix64;
use tabiya::game::random_play::random_line;
use tabiya::game::{GameResult, Position, Side};
use tabiya::{chess, xiangqi};

/// Options for games that take a moment.
const QUICK: [&str; 4] = ["--nodes", "60", "--hash", "1"];

/// A folder of a test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tabiya-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn text(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn words(words: &[&str]) -> std::vec::IntoIter<String> {
    Vec::from_iter(words.iter().map(ToString::to_string)).into_iter()
}

/// Runs `datagen`; the numbers of games and positions in the file.
fn datagen<B: Recorded>(file: &str, options: &[&str]) -> (u64, u64) {
    let options = words(&[&["--out", file], &QUICK[..], options].concat());
    datagen::generate::<B>(&Options::read(options, datagen::NAMES).unwrap()).unwrap()
}

/// The positions and labels of a file, after every check that a record allows.
fn records<B: Recorded>(bytes: &[u8]) -> Vec<(Position<B>, Labels)> {
    let (records, rest) = bytes.as_chunks::<RECORD_BYTES>();
    assert!(rest.is_empty());
    let mut read: Vec<(Position<B>, Labels)> = Vec::new();
    for record in records {
        let (pos, labels) = B::from_record(record).expect("a record");
        assert_eq!(B::to_record(&pos, labels), *record);
        assert!(!pos.in_check() && labels.score.abs() < 20_000);
        match read.last() {
            None => assert!(labels.opens_game),
            Some((_, before)) if !labels.opens_game => assert_eq!(labels.result, before.result),
            Some(_) => {}
        }
        read.push((pos, labels));
    }
    read
}

/// Asserts that the same games give the same file with one thread, with three, and in pieces; returns the records.
fn games_of<B: Recorded>(name: &str) -> Vec<(Position<B>, Labels)> {
    let folder = Folder::new(name);
    let (whole, by_three, cut) = (folder.text("whole"), folder.text("three"), folder.text("cut"));
    let counted = datagen::<B>(&whole, &["--games", "8", "--threads", "1"]);
    datagen::<B>(&by_three, &["--games", "8", "--threads", "3"]);
    let bytes = fs::read(&whole).unwrap();
    assert!(bytes == fs::read(&by_three).unwrap(), "the threads make a difference");
    let read = records::<B>(&bytes);
    let opened = read.iter().filter(|(_, labels)| labels.opens_game).count();
    assert_eq!(counted, (8, read.len() as u64));
    assert_eq!(opened, 8);
    // Interrupted anywhere, even inside a record, before the start or after the end.
    let record = RECORD_BYTES;
    for length in [0, 1, record, 5 * record + 7, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&cut, &bytes[..length]).unwrap();
        datagen::<B>(&cut, &["--games", "8", "--threads", "2"]);
        assert!(fs::read(&cut).unwrap() == bytes, "the file differs when resumed after {length} bytes");
    }
    // A longer run begins with the shorter one.
    datagen::<B>(&cut, &["--games", "10"]);
    let longer = fs::read(&cut).unwrap();
    assert!(longer.len() > bytes.len() && longer.starts_with(&bytes));
    read
}

#[test]
fn chess_games_do_not_depend_on_threads_or_interruptions() {
    let read = games_of::<chess::Board>("chess");
    assert!(read.len() > 100, "{}", read.len());
    assert!(read.iter().any(|(pos, _)| pos.castling() == chess::Bitboard::EMPTY));
    assert!(read.iter().any(|(pos, _)| pos.castling() != chess::Bitboard::EMPTY));
    for side in Side::BOTH {
        assert!(read.iter().any(|(pos, _)| pos.side() == side));
    }
}

#[test]
fn chess_labels_are_from_whites_point_of_view() {
    let folder = Folder::new("labels");
    let file = folder.text("data");
    let least = [200, 12];
    datagen::<chess::Board>(&file, &["--games", "80"]);
    let read = records::<chess::Board>(&fs::read(&file).unwrap());
    // Scores are White's: positive if White is a rook up, negative if White is a rook down.
    let lead = |pos: &chess::Position| {
        let material = |side| {
            let count = |kind| pos.pieces(side, kind).count() as i32;
            chess::Kind::ALL.into_iter().zip([1, 3, 3, 5, 9, 0]).map(|(k, v)| v * count(k)).sum::<i32>()
        };
        material(Side::First) - material(Side::Second)
    };
    let leads: Vec<_> = read.iter().map(|(pos, labels)| (lead(pos), labels.score)).collect();
    let clear: Vec<_> = leads.iter().filter(|(lead, _)| lead.abs() >= 5).collect();
    let agree = clear.iter().filter(|(lead, score)| lead.signum() == i32::from(score.signum()));
    let agree = agree.count();
    assert!(clear.len() > least[0] && agree * 40 >= clear.len() * 39, "{agree} of {}", clear.len());
    // Results are White's too: the winner was ahead at the end, except for mates that 60 nodes did not find.
    let ends = read.windows(2).filter(|pair| pair[1].1.opens_game).map(|pair| &pair[0]);
    let (mut decided, mut ahead) = (0, 0_usize);
    for (_, labels) in ends.chain(read.last()) {
        let winner = match labels.result {
            GameResult::Win => 1,
            GameResult::Draw => continue,
            GameResult::Loss => -1,
        };
        decided += 1;
        ahead += usize::from(labels.score.signum() == winner);
    }
    assert!(decided >= least[1] && ahead * 10 >= decided * 9, "{ahead} of {decided}");
}

#[test]
fn xiangqi_games_do_not_depend_on_threads_or_interruptions() {
    let read = games_of::<xiangqi::Board>("xiangqi");
    assert!(read.len() > 100, "{}", read.len());
}

#[test]
fn faults_are_reported_and_no_file_is_changed() {
    let folder = Folder::new("faults");
    let file = folder.text("data");
    datagen::<chess::Board>(&file, &["--games", "3"]);
    let bytes = fs::read(&file).unwrap();
    let refused = |options: &[&str], word: &str| {
        let reason = run(words(&[&["datagen"], options, &QUICK[..]].concat())).unwrap_err();
        assert!(reason.contains(word) && !reason.contains('\n'), "{options:?}: {reason}");
        assert!(fs::read(&file).unwrap() == bytes, "{options:?} changed the file");
    };
    let out = ["--out", file.as_str()];
    refused(&[], "--out is missing");
    refused(&["--out", folder.0.to_str().unwrap()], "this is not a regular file");
    refused(&[&out[..], &["--games", "2"]].concat(), "already has 3 games");
    refused(&[&out[..], &["--seed", "2"]].concat(), "other options");
    refused(&[&out[..], &["--game", "xiangqi"]].concat(), "record 1 is not valid xiangqi training data");
    refused(&[&out[..], &["--game", "go"]].concat(), "--game");
    refused(&[&out[..], &["more"]].concat(), "\"more\"");
    refused(&[&out[..], &["--games", "0"]].concat(), "--games");
    refused(&[&out[..], &out[..]].concat(), "--out is given twice");
    for text in ["no training data at all, but somebody's letter", "x", &"?".repeat(64)] {
        let letter = folder.text("letter");
        fs::write(&letter, text).unwrap();
        refused(&["--out", &letter], &letter);
        assert_eq!(fs::read_to_string(&letter).unwrap(), text);
    }
    let held = File::open(&file).unwrap();
    held.lock().unwrap();
    refused(&out, "another process");
    assert!(run(words(&["datgen"])).unwrap_err().contains("expected datagen, "));
}

/// Without time for a round: the folder is prepared, and its settings are those of every round in it.
#[test]
fn rounds_keep_to_the_settings_of_their_folder() {
    let folder = Folder::new("rounds");
    let of = |name: &str, more: &[&str]| {
        run(words(&[&["rounds", "--dir", &folder.text(name), "--hours", "0"], more].concat()))
    };
    of("a", &["--games", "7"]).unwrap();
    of("a", &["--games", "7", "--threads", "1"]).unwrap();
    let network = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../src/chess/eval/network.bin")).unwrap();
    assert!(fs::read(folder.0.join("a/0/net")).unwrap() == network);
    for more in [&["--games", "8"][..], &["--games", "7", "--seed", "2"], &["--games", "7", "--game", "xiangqi"]] {
        let reason = of("a", more).unwrap_err();
        assert!(reason.starts_with("--dir: its rounds have other settings"), "{reason}");
    }
    let absent = folder.text("absent");
    assert!(of("b", &["--from", &absent]).unwrap_err().contains("absent"));
    assert!(run(words(&["rounds", "--hours", "1"])).unwrap_err().starts_with("--dir"));
    assert!(run(words(&["rounds", "--dir", &folder.text("b")])).unwrap_err().starts_with("--hours"));
}

/// Random labels.
fn labels(rng: &mut SplitMix64) -> Labels {
    Labels { score: rng.next_u64() as i16, result: GameResult::ALL[rng.below(3)], opens_game: rng.below(2) == 0 }
}

/// Changes single bits and whole bytes of records. Records that can still be read give a legal position, and nothing
/// panics.
fn damage<B: Recorded>(record: Record, rng: &mut SplitMix64) -> u32 {
    let mut read = 0;
    for _ in 0..20 {
        let mut bytes = record;
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(RECORD_BYTES);
            bytes[at] = if rng.below(2) == 0 { rng.next_u64() as u8 } else { bytes[at] ^ 1 << rng.below(8) };
        }
        if let Some((pos, labels)) = B::from_record(&bytes) {
            assert!(Position::<B>::from_fen(&pos.to_fen()).is_ok(), "{}", pos.to_fen());
            let again = B::from_record(&B::to_record(&pos, labels)).expect("what was written");
            assert_eq!(again.1, labels);
            assert_eq!(again.0.key(), pos.key());
            read += 1;
        }
    }
    read
}

/// Each position survives its record, with the first `kept` of its two counters; of damaged records more than 1,000 can
/// still be read.
fn survive_their_records<B: Recorded>(positions: &[Position<B>], kept: usize) {
    let (mut rng, mut damaged) = (SplitMix64::new(14), 0);
    for pos in positions {
        let labels = labels(&mut rng);
        let record = B::to_record(pos, labels);
        let (read, read_labels) = B::from_record(&record).expect("a valid record");
        let counters = |pos: &Position<B>| Vec::from_iter(pos.to_fen().split(' ').skip(4).take(kept).map(String::from));
        assert_eq!((read.key(), read_labels), (pos.key(), labels), "{}", pos.to_fen());
        assert_eq!(counters(&read), counters(pos), "{}", pos.to_fen());
        damaged += damage::<B>(record, &mut rng);
    }
    assert!(damaged > 1_000, "{damaged}");
}

/// The positions of random games of 120 plies from each start.
fn random_games<B: Recorded>(starts: impl Iterator<Item = Position<B>>) -> Vec<Position<B>> {
    let (mut rng, mut positions) = (SplitMix64::new(41), Vec::new());
    for start in starts {
        let mut pos = start;
        for m in random_line(pos, 120, &mut rng).into_iter().flatten() {
            pos.make(m);
            positions.push(pos);
        }
    }
    positions
}

#[test]
fn positions_survive_their_records() {
    let starts = (0..25).map(|_| chess::Position::default());
    let positions = random_games(starts.chain((0..960).step_by(40).filter_map(chess::Position::chess960_start)));
    let passed = positions.iter().filter(|pos| pos.en_passant().is_some()).count();
    let castling = positions.iter().filter(|pos| pos.castling() != chess::Bitboard::EMPTY).count();
    assert!(positions.len() > 2_500 && passed >= 20 && castling > 500, "{passed} {castling} {}", positions.len());
    survive_their_records(&positions, 2);
    let positions = random_games((0..25).map(|_| xiangqi::Position::default()));
    assert!(positions.len() > 1_500, "{}", positions.len());
    survive_their_records(&positions, 1);
}
