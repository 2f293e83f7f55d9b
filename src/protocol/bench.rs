//! `bench`: a deterministic search benchmark. Its node count identifies the search and the evaluation of a
//! build.
//!
//! Fixed positions, fixed depth, one thread and empty tables give the same count on every machine and in every run. The
//! chess count is the signature of a build. Only the last line, `N nodes N nps`, is meant for programs.

use crate::engine::{Engine, Limits, Progress};
use crate::game::{Position, Searchable};
use std::time::{Duration, Instant};

/// Hash table size in mebibytes.
pub const HASH: usize = 16;

/// Openings, middlegames, endgames, checks, mates, promotions and Chess960.
pub const POSITIONS: [&str; 36] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
    "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5",
    "r1bq1rk1/pppnn1bp/3p2p1/3Ppp2/2P1P3/2N1BP2/PP2B1PP/R2QNRK1 b - - 1 11",
    "rnb1kb1r/1pq2ppp/p2ppn2/6B1/3NPP2/2N5/PPP3PP/R2QKB1R w KQkq - 1 8",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 b - - 3 12",
    "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 w - - 2 14",
    "r2q1rk1/pp2ppbp/2np1np1/8/2BNP1b1/2N1BP2/PPPQ2PP/2KR3R b - - 0 10",
    "3r1rk1/p1q2ppp/1pn1p3/2p1Pn2/2P2P2/2PB1N2/P2Q2PP/R4RK1 w - - 0 17",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "1k1r3r/pp3p1p/1b2pPp1/3p4/2pP1n2/P1P1BN2/1P3P1P/R3R1K1 b - - 1 21",
    "6k1/5ppp/4p3/1p1pP3/p2P1P2/P1r5/1R3KPP/8 w - - 2 35",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/8/3k4/8/3KB3/2N5/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/3k4/2p1p3/1pPp1p1p/pP1P1P1P/P3P1p1/3K2P1/8 w - - 0 1",
    "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - - 0 23",
    "r2qk2r/ppp1bb1p/2np1p2/3Np1p1/2P1P1n1/5NP1/PP2PPBP/R1BQ1RK1 w kq - 0 12",
    "3q2k1/pb3p1p/4pbp1/2r5/PpN2N2/1P2P2P/5PP1/Q2R2K1 b - - 4 26",
    "6k1/6p1/6Pp/ppp5/3pn2P/1P3K2/1PP2P2/3N4 b - - 0 1",
    "3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1",
    "r1bqr1k1/pp1nbp1p/5np1/2pp4/3P1B2/2N1PN1P/PPQ1BPP1/R2R2K1 w - - 0 13",
    "5rk1/1p3pbp/p2p2p1/q1pPn3/2P1r3/1PN3PB/P2Q1P1P/3R1RK1 w - - 0 22",
    "8/6pk/1p6/8/PP3p1p/5P2/4KP1q/3Q4 w - - 0 1",
    "r2r2k1/5pp1/p1nqpn1p/1p6/3P4/P1N1PN2/1P1Q1PPP/2R2RK1 b - - 0 19",
    "4rrk1/2p1b1p1/p1p3q1/4p3/2P2n1p/1P1NR2P/PB3PP1/3R1QK1 b - - 2 24",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// The same for xiangqi: openings, middlegames, endgames and mates.
pub const XIANGQI_POSITIONS: [&str; 29] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn4cn/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3",
    "rnbakabnr/9/6c2/p1p1p1p1p/9/9/P1P1P1P1P/2C4CR/4K4/1RBA1ABN1 b - - 0 6",
    "rnbakabnr/9/1c7/p1p1p1p1p/9/1c1R5/P1P1P1P1P/4C2CR/9/1NBAKABN1 b - - 9 5",
    "1rbakabn1/5r3/2n1c4/p1C1p2C1/6p1p/6P1c/P1P1P4/2N1B1N2/9/R2AKABR1 w - - 10 10",
    "rnbakabn1/9/cC6r/p1p3p1p/4p4/9/P1P1c1P1P/3AB2C1/4A4/RN2K1BNR w - - 2 6",
    "2baka2r/9/c2Cb4/p3P2c1/2p4np/PC4p2/8P/B5N2/4A3R/3AK1B2 b - - 2 21",
    "1nbakabn1/9/8c/p1C1p1p1p/2P6/8P/P3P1Pr1/N1R6/4A4/2BAK1B2 w - - 1 14",
    "4ka3/4a4/b4n2n/p1pC2p2/2b1N3p/4P1P2/P6rP/4B4/R8/3AKAB2 w - - 5 29",
    "2backb2/r4c3/2n5r/p1p2Rp1p/4p4/9/P1P1P1P1P/5CN2/9/1NBAKAB1R w - - 12 11",
    "1r2kab2/5n3/C1nab4/2C5p/2p1pcp2/4P1P1P/P1P6/1cN1B1N2/7R1/2BAKA3 w - - 0 22",
    "1R1ckab2/4a4/4b1n2/1P6r/6p1p/4C3P/P3P1P2/2N1B3C/4A2r1/4KABcR w - - 3 23",
    "2b1kab2/4aR3/9/9/1R7/3pp4/1pr3r2/9/4N4/3AKAB2 b - - 31 47",
    "2bakabr1/4n4/8n/p1p1p4/8p/6B2/P1r6/4BR3/9/R2AKAC1N w - - 0 20",
    "2bak4/4a4/4b1nr1/p3p1R1p/2r6/4c1P1P/2C6/4C4/2R1A4/2B1KAB2 w - - 9 22",
    "3aka3/4n4/9/4p4/P2n2P2/2B6/2P6/6R2/4Nr3/2BAKA3 w - - 4 31",
    "2b1kab2/4a4/2n6/4p3p/P1p2Npn1/1N3R3/2P3P1P/3r5/9/3AKA3 w - - 9 24",
    "3akab2/4n4/4b4/p3N1p2/1N1n4p/P5P2/3cP3P/2C6/9/2BAKAB2 w - - 3 26",
    "2b1ka3/4a4/4b4/9/1P2R4/6B2/9/4B1n2/4A4/r2NKA3 w - - 19 47",
    "4k4/4a4/3ab4/P1N6/6b2/4N4/7c1/4B1p2/4A4/2B1K4 b - - 16 73",
    "4ka3/9/2ra5/4p4/1P7/4P4/2NR4P/4K4/9/4cA3 w - - 1 49",
    "3akaRnr/9/9/3r5/9/7pp/9/N8/2R1A4/2B1KA3 b - - 0 31",
    "2ba1k2C/4a4/b4n3/5N3/9/2P6/9/9/4A4/1cBAK1B2 b - - 7 54",
    "9/4k4/9/9/9/2B6/3c5/9/4p4/3K2B2 w - - 100 130",
    "5a3/4a1P2/4k4/9/9/9/9/9/5K1n1/9 b - - 15 82",
    "6c2/4k4/9/9/9/9/3N5/9/3KA4/9 w - - 21 122",
    "3k1a3/8C/4b3b/4p4/9/5r2p/4n4/4K4/9/9 b - - 0 1",
    "3aka2r/4n4/b7b/p7p/4p4/9/4c4/B1r1n4/3KA4/5A3 b - - 0 1",
    "rnbaka1RC/9/4b4/p1p1p3p/2c3p2/9/P1P1P1P2/2N1C4/4K4/1RBA2B2 w - - 0 1",
];

/// What a `bench` command asks for; `None` for what is usual.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Size of the hash table in megabytes.
    pub hash: Option<i64>,
    /// Search threads.
    pub threads: Option<i64>,
    /// The limit of each search.
    pub limit: Option<i64>,
    /// What the limit counts, if not plies.
    pub kind: BenchLimit,
}

/// What the limit of a benchmark counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BenchLimit {
    /// Plies.
    #[default]
    Depth,
    /// Nodes.
    Nodes,
    /// Milliseconds.
    Time,
}

/// Searches positions, to `usual_depth` unless another limit is requested, and passes each line of output to `say`: the
/// nodes of each position, then the sums, the last ones in the words of Stockfish and in those that OpenBench reads.
/// Returns the sums.
///
/// # Errors
/// If the system has not the memory or the threads that the benchmark asks for.
pub fn run<B: Searchable>(
    positions: &[&str],
    usual_depth: u32,
    request: &Bench,
    mut say: impl FnMut(&str),
) -> Result<Progress, String> {
    let positive = |number: i64| number.max(1).unsigned_abs();
    let limits = match (request.kind, request.limit.map(positive)) {
        (_, None) => Limits::depth(usual_depth),
        // Deeper than any search gets, so no real limit.
        (BenchLimit::Depth, Some(depth)) => Limits::depth(depth.min(100) as u32),
        (BenchLimit::Nodes, Some(nodes)) => Limits::nodes(nodes),
        (BenchLimit::Time, Some(time)) => Limits::movetime(Duration::from_millis(time)),
    };
    let mut engine = Engine::<B>::new();
    let hash = request.hash.map_or(HASH, |size| positive(size) as usize);
    engine.set_hash(hash).map_err(|error| error.to_string())?;
    let threads = request.threads.map_or(1, |count| positive(count) as usize);
    engine.set_threads(threads).map_err(|error| error.to_string())?;
    let mut sum = Progress::default();
    for fen in positions {
        engine.set_position(Position::from_fen(fen).map_err(|error| error.to_string())?, &[]);
        engine.clear();
        let begin = Instant::now();
        let nodes = engine.answer(limits)?.nodes;
        sum = Progress { nodes: sum.nodes + nodes, time: sum.time + begin.elapsed(), ..sum };
        say(&format!("{nodes:>10}  {fen}"));
    }
    let Progress { nodes, time, .. } = sum;
    let nps = sum.nps();
    say(&format!("\nTotal time (ms) : {}", time.as_millis()));
    say(&format!("Nodes searched  : {nodes}\nNodes/second    : {nps}\n"));
    say(&format!("{nodes} nodes {nps} nps"));
    Ok(sum)
}
