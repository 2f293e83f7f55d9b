//! Chooses the positions of the diagnosis suites: every fault that a generator can be seeded with changes the count of
//! at least three of them, and every pattern of `patterns.rs` is in one, for as few nodes as possible.
//!
//! ```text
//! cargo test --release --test tabiya -- --ignored --nocapture make_diagnosis_suites
//! ```
//!
//! writes `perft-suites/*/diagnosis*.epd` and prints the tables of `perft-suites/README.md`. Candidates are the
//! positions of the suites and those in `tests/data/diagnosis*.epd`, which were made for rare faults, as they are and
//! with the sides exchanged. The suites are checked with all other tests.

use crate::common;
use crate::tools::patterns::{patterns, required};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tabiya::doctor::expect::divides_of;
use tabiya::doctor::faults::{Diagnosis, Fault, FaultKind};
use tabiya::game::{Position, Rules, Side};
use tabiya::{chess, xiangqi};

/// How many positions have to catch each fault.
const WANTED: usize = 3;
/// The most nodes of a candidate of the suites, and of one made for the purpose.
const MOST_NODES: [u64; 2] = [1_000, 12_000];
/// What a position costs besides its nodes.
const OVERHEAD: u64 = 400;

/// A position to a depth.
struct Candidate<B: Rules> {
    position: Position<B>,
    depth: u32,
    nodes: u64,
    /// The indices in `Fault::all()` of the faults that change the count.
    caught: BTreeSet<usize>,
    /// The required patterns that it has.
    patterns: BTreeSet<String>,
}

/// The required patterns of a game, and those that a position has to a depth.
struct Patterns<B: Rules> {
    required: Vec<String>,
    of: fn(&Position<B>, u32) -> BTreeSet<String>,
}

/// The patterns of chess.
fn chess_patterns() -> Patterns<chess::Board> {
    let of = |pos: &chess::Position, depth| {
        let mut found = BTreeSet::new();
        patterns(pos, &mut Vec::new(), depth, &mut found);
        found
    };
    Patterns { required: required(), of }
}

/// No patterns.
fn none<B: Rules>() -> Patterns<B> {
    Patterns { required: Vec::new(), of: |_, _| BTreeSet::new() }
}

/// The faults that change the count.
fn caught<B: Diagnosis>(position: &Position<B>, depth: u32, ours: u64) -> BTreeSet<usize> {
    let divides = divides_of(position, depth, &Fault::<B::Fault>::all());
    let is_wrong = |i: &usize| divides[*i].values().sum::<u128>() != u128::from(ours);
    (0..divides.len()).filter(is_wrong).collect()
}

/// Every candidate to every depth that is small enough.
fn candidates<B: Diagnosis>(positions: &[(Position<B>, u64)], patterns: &Patterns<B>) -> Vec<Candidate<B>> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&(position, most)) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for depth in 1..=5 {
                        let nodes = position.perft(depth);
                        if nodes > most {
                            break;
                        }
                        let caught = caught(&position, depth, nodes);
                        let patterns = (patterns.of)(&position, depth);
                        let candidate = Candidate { position, depth, nodes, caught, patterns };
                        found.lock().unwrap().push(candidate);
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_cached_key(|c: &Candidate<B>| (c.nodes, c.depth, c.position.to_fen()));
    found
}

/// Chooses candidates, the best value first, until every fault is caught often enough and every pattern is there, and
/// leaves out those that later ones have made superfluous.
fn choose<B: Diagnosis>(candidates: Vec<Candidate<B>>, required: &[String]) -> Vec<Candidate<B>> {
    let faults = Fault::<B::Fault>::all().len();
    let wanted = |i: usize| if i < faults { WANTED } else { 1 };
    let goals = |c: &Candidate<B>| {
        let has = (0..required.len()).filter(|&i| c.patterns.contains(&required[i]));
        Vec::from_iter(c.caught.iter().copied().chain(has.map(|i| faults + i)))
    };
    let mut candidates: Vec<_> = candidates.into_iter().map(|c| (goals(&c), c)).collect();
    let mut times = vec![0; faults + required.len()];
    let mut chosen: Vec<(Vec<usize>, Candidate<B>)> = Vec::new();
    let gain = |goals: &[usize], nodes: u64, times: &[usize]| {
        let new = goals.iter().filter(|&&i| times[i] < wanted(i)).count() as f64;
        new / (nodes + OVERHEAD) as f64
    };
    loop {
        let rated = candidates.iter().map(|(goals, c)| gain(goals, c.nodes, &times)).enumerate();
        let best = rated.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|best| best.1 > 0.0);
        let Some((best, _)) = best else { break };
        let best = candidates.remove(best);
        // A position counts once, to its largest depth.
        let fen = best.1.position.to_fen();
        candidates.retain(|(_, c)| c.depth > best.1.depth || c.position.to_fen() != fen);
        if let Some(known) = chosen.iter().position(|(_, c)| c.position.to_fen() == fen) {
            for &i in chosen.remove(known).0.iter() {
                times[i] -= 1;
            }
        }
        for &i in best.0.iter() {
            times[i] += 1;
        }
        chosen.push(best);
    }
    chosen.sort_by_cached_key(|(_, c)| (c.nodes, c.position.to_fen()));
    for i in (0..chosen.len()).rev() {
        if chosen[i].0.iter().all(|&goal| times[goal] > wanted(goal)) {
            for &goal in chosen[i].0.iter() {
                times[goal] -= 1;
            }
            chosen.remove(i);
        }
    }
    let missing: Vec<_> = (0..required.len()).filter(|i| times[faults + i] == 0).map(|i| &required[i]).collect();
    assert!(missing.is_empty(), "no candidate has {missing:?}");
    chosen.into_iter().map(|(_, c)| c).collect()
}

/// A FEN of chess or xiangqi with the sides exchanged.
fn exchanged(fen: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut fields: Vec<String> = fen.split(' ').map(String::from).collect();
    let ranks: Vec<&str> = fields[0].split('/').rev().collect();
    fields[0] = ranks.join("/").chars().map(swap).collect();
    fields[1] = if fields[1] == "w" { "b".into() } else { "w".into() };
    fields[2] = fields[2].chars().map(swap).collect();
    fields[3] = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    fields.join(" ")
}

/// The positions of the files with the most nodes that they may cost; those made for the purpose also with the sides
/// exchanged.
fn positions<B: Diagnosis>(files: &[&str]) -> Vec<(Position<B>, u64)> {
    let mut fens = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(common::root().join(file)).unwrap();
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            let fen = line.split(';').next().unwrap().trim();
            let made = file.starts_with("tests");
            let both = made || file.contains("xiangqi");
            for fen in [fen.to_string(), exchanged(fen)].into_iter().take(1 + usize::from(both)) {
                let pos = Position::<B>::from_fen_lenient(&fen).unwrap_or_else(|e| panic!("{fen}: {e}")).0;
                fens.insert(pos.to_fen(), MOST_NODES[usize::from(made)]);
            }
        }
    }
    let read = |(fen, most): (&String, &u64)| (Position::<B>::from_fen_lenient(fen).unwrap().0, *most);
    fens.iter().map(read).collect()
}

/// The kinds of `caught`.
fn kinds<B: Diagnosis>(caught: &BTreeSet<usize>) -> BTreeSet<B::Fault> {
    let all = Fault::<B::Fault>::all();
    caught.iter().map(|&i| all[i].kind).collect()
}

/// Makes a suite; `head` is the comment at its beginning.
fn make<B: Diagnosis>(name: &str, head: &str, files: &[&str], patterns: &Patterns<B>, only: fn(&Position<B>) -> bool) {
    let positions = positions(files).into_iter().filter(|(pos, _)| only(pos));
    let positions: Vec<(Position<B>, u64)> = positions.collect();
    let chosen = choose(candidates(&positions, patterns), &patterns.required);
    let mut text = head.to_string();
    text += "# Format: FEN ;D1 count ... ;c0 \"the kinds of fault that change a count\" (see ../README.md)\n\n";
    for c in &chosen {
        text += &c.position.to_fen();
        for depth in 1..=c.depth {
            let _ = write!(text, " ;D{depth} {}", c.position.perft(depth));
        }
        let kinds: Vec<String> = kinds::<B>(&c.caught).iter().map(|k| format!("{k:?}")).collect();
        let _ = writeln!(text, " ;c0 \"{}\"", kinds.join(" "));
    }
    fs::write(common::root().join("perft-suites").join(name), text).unwrap();
    let nodes: u64 = chosen.iter().map(|c| c.nodes).sum();
    println!("{name}: {} positions of {}, {nodes} nodes", chosen.len(), positions.len());
    table::<B>(chosen.iter().map(|c| &c.caught));
}

/// Prints how many positions catch each fault: of both sides, of the first, of the second.
fn table<'a, B: Diagnosis>(caught: impl Iterator<Item = &'a BTreeSet<usize>>) {
    let mut times: BTreeMap<B::Fault, [usize; 3]> = BTreeMap::new();
    let all = Fault::<B::Fault>::all();
    for i in caught.flatten() {
        let column = all[*i].side.map_or(0, |side| 1 + side.index());
        times.entry(all[*i].kind).or_default()[column] += 1;
    }
    println!("| An engine that … | both | {} | {} |", B::SIDES[0], B::SIDES[1]);
    println!("| --- | ---: | ---: | ---: |");
    for &kind in B::Fault::ALL {
        let [both, first, second] = times.get(&kind).copied().unwrap_or_default();
        println!("| {} (`{kind:?}`) | {both} | {first} | {second} |", kind.symptom());
    }
}

#[test]
#[ignore = "writes the suites; minutes"]
fn make_diagnosis_suites() {
    let head = |what: &str| {
        format!(
            "# {what}: every fault that the test generator can be seeded with changes a count of at least\n\
             # three of these positions. Chosen by tests/tools/diagnosis.rs; ordered by nodes.\n"
        )
    };
    let own = ["standard", "tricky", "chess960"].map(|n| format!("perft-suites/chess/{n}.epd"));
    let files = |made: &'static str| {
        let mut files: Vec<&str> = own.iter().map(String::as_str).collect();
        files.push(made);
        files
    };
    make::<chess::Board>(
        "chess/diagnosis.epd",
        &head("Diagnosis of a generator of chess moves"),
        &files("tests/data/diagnosis.epd"),
        &chess_patterns(),
        |pos| !pos.is_chess960(),
    );
    make::<chess::Board>(
        "chess/diagnosis960.epd",
        &head("Diagnosis of castling in Chess960"),
        &files("tests/data/diagnosis960.epd"),
        &none(),
        |pos| pos.is_chess960(),
    );
    make::<xiangqi::Board>(
        "xiangqi/diagnosis.epd",
        &head("Diagnosis of a generator of xiangqi moves"),
        &["perft-suites/xiangqi/standard.epd", "perft-suites/xiangqi/tricky.epd", "tests/data/diagnosis_xiangqi.epd"],
        &none(),
        |_| true,
    );
}

/// Checks a suite: the counts, which kinds each line says it catches, and the patterns; lines with many nodes are taken
/// at their word in the normal run. Returns how often each fault is caught.
fn check<B: Diagnosis>(name: &str, most_nodes: u64, patterns: &Patterns<B>) -> Vec<usize> {
    let text = fs::read_to_string(common::root().join("perft-suites").join(name)).unwrap();
    let mut times = vec![0; Fault::<B::Fault>::all().len()];
    let mut all_nodes = 0;
    let (mut found, mut wrong, mut all_caught) = (BTreeSet::new(), Vec::new(), Vec::new());
    for entry in common::read_suite(name, &text) {
        let pos = Position::<B>::from_fen_lenient(&entry.fen).unwrap().0;
        for &(depth, nodes) in &entry.counts {
            assert_eq!(pos.perft(depth), nodes, "{}", entry.place());
        }
        let &(depth, nodes) = entry.counts.last().unwrap();
        all_nodes += nodes;
        let line = text.lines().nth(entry.line - 1).unwrap();
        let said: Vec<&str> = line.split('"').nth(1).unwrap().split(' ').collect();
        let all = Fault::<B::Fault>::all();
        let is_said = |&i: &usize| said.contains(&format!("{:?}", all[i].kind).as_str());
        let caught = if nodes > common::sample(150, u64::MAX) {
            (0..all.len()).filter(is_said).collect()
        } else {
            caught(&pos, depth, nodes)
        };
        let kinds: Vec<String> = kinds::<B>(&caught).iter().map(|k| format!("{k:?}")).collect();
        if said != kinds {
            wrong.push(format!("{}: {}", entry.fen, kinds.join(" ")));
        }
        for &i in caught.iter() {
            times[i] += 1;
        }
        found.append(&mut (patterns.of)(&pos, depth));
        all_caught.push(caught);
    }
    println!("{name}: {} positions of {0}, {all_nodes} nodes", all_caught.len());
    table::<B>(all_caught.iter());
    assert!(wrong.is_empty(), "{name} should say\n{}", wrong.join("\n"));
    let missing: Vec<_> = patterns.required.iter().filter(|pattern| !found.contains(*pattern)).collect();
    assert!(missing.is_empty(), "{name}: {missing:?}");
    assert!(all_nodes <= most_nodes, "{name}: {all_nodes}");
    times
}

/// Every fault is caught by at least three positions of a suite, and the suites are small.
#[test]
fn diagnosis_suites_catch_every_fault() {
    let usual = check("chess/diagnosis.epd", 1_000_000, &chess_patterns());
    let free = check::<chess::Board>("chess/diagnosis960.epd", 500_000, &none());
    for (i, fault) in Fault::<tabiya::doctor::chess::ChessFault>::all().iter().enumerate() {
        assert!(usual[i].max(free[i]) >= WANTED, "{fault:?}: {} and {}", usual[i], free[i]);
    }
    let times = check::<xiangqi::Board>("xiangqi/diagnosis.epd", 500_000, &none());
    for (fault, times) in Fault::<<xiangqi::Board as Diagnosis>::Fault>::all().iter().zip(times) {
        assert!(times >= WANTED, "{fault:?}: {times}");
    }
    assert_eq!(Side::BOTH.len(), chess::Board::SIDES.len());
}
