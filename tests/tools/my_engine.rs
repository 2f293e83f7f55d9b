//! `my-engine`, a small UCI engine with two deliberate bugs, on which the README's recipes can be tried: it castles
//! king side through an attacked square, and captures en passant where that opens the rank to its king.
//!
//! `my-engine DEPTH FEN` prints a divide, as programs do that have no UCI.

use std::env;
use std::process::ExitCode;
use tabiya::chess::{Board, Position};

#[allow(dead_code, reason = "what only tests use")]
#[path = "../common/faulty.rs"]
mod faulty;

const FAULTS: &str = "CastlesThroughAttackKingSide EnPassantRank";

fn main() -> ExitCode {
    let arguments = Vec::from_iter(env::args().skip(1));
    let Some((depth, fen)) = arguments.split_first() else {
        faulty::serve(&format!("chess {FAULTS}"));
        return ExitCode::SUCCESS;
    };
    let fen = fen.join(" ");
    let depth = depth.parse().ok().filter(|depth| (1..=9).contains(depth));
    let (Some(depth), Ok(_)) = (depth, Position::from_fen(&fen)) else {
        eprintln!("my-engine: expected a depth from 1 to 9 and a FEN, or no arguments for UCI");
        return ExitCode::from(2);
    };
    let mut engine = faulty::Engine::<Board>::new(FAULTS);
    engine.position(&format!("fen {fen}"));
    let counts = engine.divide(depth);
    for (text, count) in &counts {
        println!("{text}: {count}");
    }
    println!("\nNodes searched: {}", counts.iter().map(|(_, count)| count).sum::<u64>());
    ExitCode::SUCCESS
}
