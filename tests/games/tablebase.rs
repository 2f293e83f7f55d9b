//! The reader of Syzygy tables: values equal to python-chess's, consistency of every position of the small tables with
//! its successors, damaged files, which only give a message, and disks that do not answer.
//!
//! The committed tables are in `tests/data/syzygy`; `TABIYA_SYZYGY` names a folder with more tables for the nightly
//! run.

use crate::common::endings::random_position;
use crate::common::program::Folder;
use crate::common::{by_build, sample};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::tablebase::{Material, Metric, PATIENT, Refusal, Source, TableFile, Tablebases, checksum};
use tabiya::chess::{Kind, Placement, Position};
use tabiya::game::{EndgameTables as _, Side, TableFault};

fn folder() -> PathBuf {
    crate::common::root().join("tests/data/syzygy")
}

fn tables() -> Tablebases {
    let (tables, faults) = Tablebases::open(folder().to_str().unwrap());
    assert_eq!(faults, []);
    tables
}

fn fen(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn values_are_those_of_python_chess() {
    let tables = tables();
    let path = crate::common::root().join("tests/data/syzygy_values.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let (mut count, mut passing) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [position, wdl, dtz] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let pos = fen(position);
        count += 1;
        passing += usize::from(pos.en_passant().is_some());
        assert_eq!(tables.wdl(&pos, PATIENT), Ok(wdl.parse().unwrap()), "{position}");
        assert_eq!(tables.dtz(&pos, PATIENT), Ok(dtz.parse().unwrap()), "{position}");
    }
    assert!(count >= 3000 && passing >= 50, "{count} positions, {passing} with en passant");
    assert_eq!(tables.take_faults(), [""; 0]);
}

/// Calls `each` with every legal position of the kings and one white piece, with either side to move.
fn every_position(kind: Kind, mut each: impl FnMut(&Position)) -> usize {
    let mut count = 0;
    for [white, black, man] in (0..64 * 64 * 64).map(|n| [n / 4096, n / 64 % 64, n % 64]) {
        if white == black || white == man || black == man {
            continue;
        }
        for side in Side::BOTH {
            let mut pieces = [None; 64];
            pieces[white] = Some((Side::First, Kind::King));
            pieces[black] = Some((Side::Second, Kind::King));
            pieces[man] = Some((Side::First, kind));
            let placement = Placement { pieces, side, ..Placement::default() };
            if let Ok(pos) = Position::new(&placement) {
                count += 1;
                each(&pos);
            }
        }
    }
    count
}

/// The WDL value of a position, computed from those of its successors.
fn by_successors(tables: &Tablebases, pos: &Position) -> i8 {
    let moves = pos.legal_moves();
    let values = moves.iter().map(|&m| {
        let mut child = *pos;
        child.make(m);
        -tables.wdl(&child, PATIENT).unwrap()
    });
    values.max().unwrap_or(if pos.checkers().is_empty() { 0 } else { -2 })
}

/// Compares one in `one_in` positions of three pieces with its successors.
fn agree_with_successors(one_in: usize) {
    let (tables, mut seen, mut compared) = (tables(), 0, 0);
    for (kind, positions) in
        [(Kind::Pawn, 331_352), (Kind::Knight, 0), (Kind::Bishop, 0), (Kind::Rook, 399_112), (Kind::Queen, 368_452)]
    {
        let count = every_position(kind, |pos| {
            seen += 1;
            if seen % one_in != 0 {
                return;
            }
            compared += 1;
            let wdl = tables.wdl(pos, PATIENT).unwrap();
            assert_eq!(wdl, by_successors(&tables, pos), "{pos:?}");
            let dtz = tables.dtz(pos, PATIENT).unwrap();
            assert_eq!(dtz.signum(), i32::from(wdl.signum()), "{pos:?}");
            if dtz > 1 && compared % 16 == 0 {
                // The best move agrees to one ply (distances may be one ply too small); none is a zeroing move.
                let (judged, unknown) = tables.judge_moves(pos, PATIENT);
                let best = judged[0].dtz.unwrap();
                assert!(unknown.is_empty() && judged[0].wdl == wdl && (best - dtz).abs() <= 1, "{pos:?} {dtz} {best}");
            }
        });
        assert!(count == positions || positions == 0 && count > 350_000, "{kind:?}: {count}");
    }
    assert_eq!(tables.take_faults(), [""; 0]);
}

/// An odd step, so that the sample has both sides to move and pieces on all squares.
#[test]
fn positions_of_three_pieces_agree_with_their_successors() {
    agree_with_successors(sample(37, 13));
}

#[test]
#[ignore = "run by .ci/nightly"]
fn every_position_of_three_pieces_agrees_with_its_successors() {
    agree_with_successors(1);
}

/// Without one of the tables of results or distances, what is still answered is the same.
#[test]
fn incomplete_tables_answer_as_complete_ones_or_not_at_all() {
    let (whole, files, mut dice) = (tables(), files(&folder()), SplitMix64::new(22));
    let names: Vec<_> = files.iter().map(|(name, _)| name).collect();
    let (mut answered, mut refused) = ([0; 2], [0; 2]);
    for missing in &names {
        let others = files.iter().filter(|(name, _)| name != *missing);
        let part = Tablebases::from_files(others.map(|(name, bytes)| in_memory(name, bytes.clone())).collect());
        for _ in 0..sample(400, 4_000) {
            let pos = random_position(names[dice.below(names.len())], &mut dice);
            let [answers, expected] =
                [&part, &whole].map(|tables| [tables.wdl(&pos, PATIENT).map(i32::from), tables.dtz(&pos, PATIENT)]);
            for (i, (answer, expected)) in answers.into_iter().zip(expected).enumerate() {
                // The table that is named is the missing one, or one that is in neither set.
                let is_missing = |table: &str| table == *missing || !names.iter().any(|name| *name == table);
                let named = answer.err().map(|refusal| refusal.to_string());
                let told = named.as_ref().and_then(|text| text.strip_prefix("there is no table "));
                assert!(answer == expected || told.is_some_and(is_missing), "{missing} {pos:?} {answer:?}");
                answered[i] += usize::from(answer.is_ok());
                refused[i] += usize::from(answer != expected);
            }
        }
    }
    println!("answered {answered:?}, refused {refused:?}");
    assert!(answered.iter().all(|&count| count > 5_000) && refused.iter().all(|&count| count > 100));
}

#[test]
fn without_files_dead_draws_are_answered_and_nothing_else() {
    let none = Tablebases::default();
    let no_table = |name, metric| Refusal::NoTable(Material::parse(name).unwrap(), metric);
    for (position, wdl) in [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", Ok(0)),
        ("8/8/4k3/8/8/4KB2/8/8 b - - 0 1", Ok(0)),
        ("8/8/4k3/8/8/4KR2/8/8 b - - 0 1", Err(no_table("KRvK", Metric::Wdl))),
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", Err(no_table("KPvK", Metric::Wdl))),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Err(Refusal::Castling)),
    ] {
        assert_eq!(none.wdl(&fen(position), PATIENT), wdl, "{position}");
    }
    assert_eq!(none.dtz(&fen("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), PATIENT), Err(no_table("KPvK", Metric::Wdl)));
}

/// A file in memory. Every read first waits until `gate` is open.
fn source(bytes: Arc<Vec<u8>>, gate: Arc<(Mutex<bool>, Condvar)>) -> Source {
    let len = bytes.len() as u64;
    let read_at = move |offset, buffer: &mut [u8]| {
        let guard = gate.0.lock().unwrap();
        drop(gate.1.wait_while(guard, |open| !*open).unwrap());
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let bytes = bytes.get(start..start + buffer.len());
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    };
    Source { len, read_at: Box::new(read_at) }
}

fn in_memory(name: &str, bytes: Vec<u8>) -> TableFile {
    let (stem, extension) = name.split_once('.').unwrap();
    let (bytes, open) = (Arc::new(bytes), Arc::new((Mutex::new(true), Condvar::new())));
    TableFile {
        name: name.into(),
        material: Material::parse(stem).unwrap(),
        metric: if extension == "rtbw" { Metric::Wdl } else { Metric::Dtz },
        opener: Box::new(move || Ok(source(Arc::clone(&bytes), Arc::clone(&open)))),
    }
}

/// The files of a folder: name and content.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().extension().is_some_and(|x| x == "rtbw" || x == "rtbz"))
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

/// Truncates a file or changes one to eight of its bytes, more often in the first kilobyte, which has the header.
fn damage(bytes: &[u8], dice: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match dice.below(4) {
        0 => bytes.truncate(dice.below(bytes.len())),
        kind => {
            let reach = if kind == 1 { bytes.len() } else { bytes.len().min(1024) };
            for _ in 0..=dice.below(8) {
                bytes[dice.below(reach)] ^= 1 << dice.below(8);
            }
        }
    }
    bytes
}

/// Gives damaged bytes a valid length and checksum, so that the decoder itself must detect the damage.
fn with_valid_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let text = bytes.len().saturating_sub(16) / 64 * 64;
    bytes.truncate(text.max(64));
    bytes.resize(bytes.len().max(64), 0);
    let sum = checksum(&bytes);
    bytes.extend(sum);
    bytes
}

/// Damages each of `files` in `ways` ways and probes it; returns how many damaged files were used.
fn damaged_files(files: &[(String, Vec<u8>)], ways: usize, seed: u64) -> usize {
    let mut dice = SplitMix64::new(seed);
    let mut used = 0;
    for (name, bytes) in files {
        let mut noticed = 0;
        for _ in 0..ways {
            let damaged = damage(bytes, &mut dice);
            let unsigned = Tablebases::from_files(vec![in_memory(name, damaged.clone())]);
            let signed = Tablebases::from_files(vec![in_memory(name, with_valid_checksum(damaged.clone()))]);
            let (mut answers, mut refused) = (0, false);
            for _ in 0..8 {
                let pos = random_position(name, &mut dice);
                // No answer, or one that needs no file, such as mate by a capture.
                let without_files = Tablebases::default().wdl(&pos, PATIENT);
                let answer = unsigned.wdl(&pos, PATIENT);
                if &damaged != bytes {
                    assert!(answer == without_files || answer == Err(Refusal::Damaged), "{name} {pos:?}");
                }
                refused |= answer == Err(Refusal::Damaged);
                answers += usize::from(signed.wdl(&pos, PATIENT).is_ok());
                _ = signed.dtz(&pos, PATIENT);
                _ = signed.judge_moves(&pos, PATIENT);
                for wdl in [unsigned.dtz(&pos, PATIENT), signed.dtz(&pos, PATIENT)].into_iter().flatten() {
                    assert!(wdl.abs() < 200_000, "{name}: {wdl}");
                }
            }
            used += usize::from(answers > 0);
            let faults = unsigned.take_faults();
            // Sometimes none of the positions needs the file.
            assert!(!refused || faults.len() == 1, "{name}: {faults:?}");
            assert!(faults.len() <= 1, "{name}: {faults:?}");
            assert!(faults.iter().all(|fault| fault.contains(name.as_str())), "{faults:?}");
            noticed += faults.len();
        }
        let unused = is_dead(name) || name.ends_with("rtbz");
        assert!(unused || noticed > ways / 2, "{name}: noticed {noticed} times in {ways}");
    }
    used
}

/// Whether results for this table come from the rules for dead draws.
fn is_dead(name: &str) -> bool {
    ["KBvK.", "KNvK."].iter().any(|start| name.starts_with(start))
}

#[test]
fn damaged_files_have_no_answers_and_do_no_harm() {
    let used = damaged_files(&files(&folder()), by_build(100, 20), 15);
    assert!(used > 100, "damage with a valid checksum must reach the decoder: {used}");
}

/// Nightly: 100,000 mutations in all, over all files.
#[test]
#[ignore = "minutes; run by .ci/nightly"]
fn a_hundred_thousand_damaged_files() {
    let more = std::env::var_os("TABIYA_SYZYGY").map(PathBuf::from);
    let files = files(&more.unwrap_or_else(folder));
    let ways = 100_000 / files.len() + 1;
    let used = damaged_files(&files, ways, 16);
    println!("{} files damaged {ways} ways each, {used} signed ones answered", files.len());
}

#[test]
fn a_probe_waits_for_a_sleeping_disk_up_to_its_time_limit() {
    let (name, bytes) = files(&folder()).into_iter().find(|(name, _)| name == "KRvK.rtbw").unwrap();
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (bytes, held) = (Arc::new(bytes), Arc::clone(&gate));
    let mut file = in_memory(&name, Vec::new());
    file.opener = Box::new(move || Ok(source(Arc::clone(&bytes), Arc::clone(&held))));
    let tables = Tablebases::from_files(vec![file]);
    let pos = fen("8/8/8/4k3/8/8/8/K6R w - - 0 1");
    let asked = AtomicUsize::new(0);
    let five_times = || asked.fetch_add(1, SeqCst) < 5;
    assert_eq!(tables.wdl(&pos, &five_times), Err(Refusal::TooSlow));
    assert_eq!(asked.load(SeqCst), 6);
    assert_eq!(tables.wdl(&pos, &|| false), Err(Refusal::TooSlow));
    // Dropping the tables does not wait for the disk either.
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    assert_eq!(tables.wdl(&pos, PATIENT), Ok(2));
    *gate.0.lock().unwrap() = false;
    drop(tables);
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
}

#[test]
fn many_threads_probe_at_once() {
    let tables = tables();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let tables = &tables;
            scope.spawn(move || {
                let mut dice = SplitMix64::new(seed);
                for name in ["KRvKB.rtbw", "KQvKQ.rtbw", "KRRvK.rtbw", "KQQvK.rtbw"].repeat(200) {
                    let pos = random_position(name, &mut dice);
                    tables.wdl(&pos, PATIENT).unwrap();
                    tables.dtz(&pos, PATIENT).unwrap();
                }
            });
        }
    });
}

#[test]
fn several_folders_are_read_and_faults_are_reported() {
    let here = folder();
    let here = here.to_str().unwrap();
    let foreign = Folder::new("syzygy-foreign");
    foreign.write("KQvK.rtbw", "short");
    foreign.write("NOTES.txt", "no table");
    foreign.write("KXvK.rtbz", [0; 80]);
    let damaged = vec![7; 80 + 64];
    foreign.write("KRvKN.rtbw", damaged);
    let other = foreign.path().to_str().unwrap();
    for separator in [";", if cfg!(windows) { ";" } else { ":" }] {
        let (tables, faults) = Tablebases::open(&format!("{other}{separator}{here}"));
        assert_eq!(tables.most_men(), 4);
        assert_eq!(faults.len(), 2, "{faults:?}");
        let texts: Vec<_> = faults.iter().map(TableFault::to_string).collect();
        assert!(texts.iter().any(|f| f.contains("KQvK.rtbw") && f.contains("5 bytes")));
        assert!(texts.iter().any(|f| f.contains("KXvK")));
        // The short file is skipped and the good one in a later folder used; a damaged one is detected.
        assert_eq!(tables.wdl(&fen("8/8/8/4k3/8/8/8/K6Q w - - 0 1"), PATIENT), Ok(2));
        let pos = fen("8/8/8/4k3/4n3/8/8/K6R w - - 0 1");
        assert_eq!(tables.wdl(&pos, PATIENT), Err(Refusal::Damaged));
        assert_eq!(tables.wdl(&pos, PATIENT), Err(Refusal::Damaged));
        let reported = tables.take_faults();
        assert_eq!(reported, ["KRvKN.rtbw is not used: its checksum is wrong"]);
        assert_eq!(tables.take_faults(), [""; 0]);
    }
    let (tables, faults) = Tablebases::open("/nowhere/at/all");
    assert_eq!((tables.most_men(), faults.len()), (0, 1));
    let absent = "no tables from \"/nowhere/at/all\": it does not exist";
    assert_eq!(faults, [TableFault::Absent(absent.into())]);
    let (tables, faults) = Tablebases::open("");
    assert_eq!((tables.counts(), faults.len()), ((0, 0), 0));
}
