//! `tabiya datagen`: the same file for any number of threads and interruptions, correct records, and no change to
//! files that it refuses.

use crate::common::program::{Folder, run};
use crate::common::xiangqi::random_positions;
use crate::common::{play, sample};
use std::fs::{self, File};
use tabiya::base::rng::SplitMix64;
use tabiya::game::GameResult;
use tabiya::game::record::{Labels, RECORD_BYTES, Record, Recorded};
use tabiya::game::{Notation, Side};
use tabiya::{chess, xiangqi};

/// Options for games that take a moment.
const QUICK: [&str; 4] = ["--nodes", "60", "--hash", "1"];

fn datagen(file: &str, options: &[&str]) -> String {
    let run = run(&[&["datagen", "--out", file], &QUICK[..], options].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
    run.out
}

/// The positions and labels of a file, after every check that a record allows.
fn records<P: Recorded + Notation>(bytes: &[u8]) -> Vec<(P, Labels)> {
    let (records, rest) = bytes.as_chunks::<RECORD_BYTES>();
    assert!(rest.is_empty());
    let mut read: Vec<(P, Labels)> = Vec::new();
    for record in records {
        let (pos, labels) = P::from_record(record).expect("a record");
        assert_eq!(pos.to_record(labels), *record);
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
fn games_of<P: Recorded + Notation>(name: &str, game: &str) -> Vec<(P, Labels)> {
    let folder = Folder::new(name);
    let (whole, by_three, cut) = (folder.text("whole"), folder.text("three"), folder.text("cut"));
    let printed = datagen(&whole, &["--games", "8", "--threads", "1", "--game", game]);
    datagen(&by_three, &["--games", "8", "--threads", "3", "--game", game]);
    let bytes = fs::read(&whole).unwrap();
    assert!(bytes == fs::read(&by_three).unwrap(), "the threads make a difference");
    let read = records::<P>(&bytes);
    let opened = read.iter().filter(|(_, labels)| labels.opens_game).count();
    assert_eq!(printed, format!("8 games, {} positions\n", read.len()));
    assert_eq!(opened, 8);
    // Interrupted anywhere, even inside a record, before the start or after the end.
    let record = RECORD_BYTES;
    for length in [0, 1, record, 5 * record + 7, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&cut, &bytes[..length]).unwrap();
        datagen(&cut, &["--games", "8", "--threads", "2", "--game", game]);
        assert!(fs::read(&cut).unwrap() == bytes, "the file differs when resumed after {length} bytes");
    }
    // A longer run begins with the shorter one.
    datagen(&cut, &["--games", "10", "--game", game]);
    let longer = fs::read(&cut).unwrap();
    assert!(longer.len() > bytes.len() && longer.starts_with(&bytes));
    read
}

#[test]
fn chess_games_do_not_depend_on_threads_or_interruptions() {
    let read = games_of::<chess::Position>("datagen-chess", "chess");
    assert!(read.len() > 100, "{}", read.len());
    assert!(read.iter().any(|(pos, _)| pos.castling() == chess::Bitboard::EMPTY));
    assert!(read.iter().any(|(pos, _)| pos.castling() != chess::Bitboard::EMPTY));
    for side in Side::BOTH {
        assert!(read.iter().any(|(pos, _)| pos.side() == side));
    }
}

#[test]
fn chess_labels_are_from_whites_point_of_view() {
    let folder = Folder::new("datagen-labels");
    let file = folder.text("data");
    let (games, least) = sample(("80", [200, 12]), ("200", [500, 30]));
    datagen(&file, &["--games", games]);
    let read = records::<chess::Position>(&fs::read(&file).unwrap());
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
    let read = games_of::<xiangqi::Position>("datagen-xiangqi", "xiangqi");
    assert!(read.len() > 100, "{}", read.len());
}

#[test]
fn faults_are_reported_and_no_file_is_changed() {
    let folder = Folder::new("datagen-faults");
    let file = folder.text("data");
    datagen(&file, &["--games", "3"]);
    let bytes = fs::read(&file).unwrap();
    let refused = |options: &[&str], word: &str| {
        run(&[&["datagen"], options, &QUICK[..]].concat()).assert_refused(&[word]);
        assert!(fs::read(&file).unwrap() == bytes, "{options:?} changed the file");
    };
    let out = ["--out", file.as_str()];
    refused(&[], "--out FILE is missing");
    refused(&["--out", ""], "--out FILE is missing");
    refused(&["--out", folder.path().to_str().unwrap()], "--out");
    refused(&["--out", &folder.text("no/such")], "--out");
    refused(&[&out[..], &["--games", "2"]].concat(), "already has 3 games");
    refused(&[&out[..], &["--seed", "2"]].concat(), "other options");
    refused(&[&out[..], &["--random-plies", "4"]].concat(), "other options");
    refused(&[&out[..], &["--game", "xiangqi"]].concat(), "record 1");
    refused(&[&out[..], &["--game", "go"]].concat(), "--game");
    refused(&[&out[..], &["more"]].concat(), "\"more\"");
    refused(&[&out[..], &["--games", "0"]].concat(), "--games");
    refused(&[&out[..], &["--threads", "1000"]].concat(), "--threads");
    for text in ["no training data at all, but somebody's letter", "x", &"?".repeat(64)] {
        let letter = folder.write("letter", text);
        run(&[&["datagen", "--out", &letter], &QUICK[..]].concat()).assert_refused(&[]);
        assert_eq!(fs::read_to_string(&letter).unwrap(), text);
    }
    let held = File::open(&file).unwrap();
    held.lock().unwrap();
    refused(&out, "another process");
}

/// Random labels.
fn labels(rng: &mut SplitMix64) -> Labels {
    Labels {
        score: rng.next_u64() as i16,
        result: GameResult::from_number(rng.below(3) as u8).unwrap(),
        opens_game: rng.below(2) == 0,
    }
}

/// Changes single bits and whole bytes of records. Records that can still be read give a legal position, and nothing
/// panics.
fn damage<P: Recorded + Notation>(record: Record, rng: &mut SplitMix64) -> u32 {
    let mut read = 0;
    for _ in 0..20 {
        let mut bytes = record;
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(RECORD_BYTES);
            bytes[at] = if rng.below(2) == 0 { rng.next_u64() as u8 } else { bytes[at] ^ 1 << rng.below(8) };
        }
        if let Some((pos, labels)) = P::from_record(&bytes) {
            assert!(P::from_fen(&pos.to_fen()).is_ok(), "{}", pos.to_fen());
            let again = P::from_record(&pos.to_record(labels)).expect("what was written");
            assert_eq!(again.1, labels);
            assert_eq!(again.0.key(), pos.key());
            read += 1;
        }
    }
    read
}

/// Each position survives its record, with the first `kept` of its two counters; of damaged records more than 1,000 can
/// still be read.
fn survive_their_records<P: Recorded + Notation>(positions: &[P], kept: usize) {
    let (mut rng, mut damaged) = (SplitMix64::new(14), 0);
    for pos in positions {
        let labels = labels(&mut rng);
        let record = pos.to_record(labels);
        let (read, read_labels) = P::from_record(&record).expect("a valid record");
        let counters = |pos: &P| Vec::from_iter(pos.to_fen().split(' ').skip(4).take(kept).map(String::from));
        assert_eq!((read.key(), read_labels), (pos.key(), labels), "{}", pos.to_fen());
        assert_eq!(counters(&read), counters(pos), "{}", pos.to_fen());
        damaged += damage::<P>(record, &mut rng);
    }
    assert!(damaged > 1_000, "{damaged}");
}

#[test]
fn positions_survive_their_records() {
    let chess = [play::positions(2_500, true, 14), play::positions(2_500, false, 15)].concat();
    survive_their_records(&chess, 2);
    survive_their_records(&random_positions(41, 3_000), 1);
}
