//! The commands of UCI for batches (`pipeline`), and what is sent without waiting for answers besides.

use super::*;
use crate::protocol::dialogue::output_of;
use crate::protocol::pipeline::{Batch, Script, any, legal, set_position};
use tabiya::game::{Position, Rules};
use tabiya::{chess, xiangqi};

/// Positions of chess; the last three have one move or none.
const CHESS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/8/8/8/8/8/K5R1 b - - 0 1",
    "R6k/6pp/8/8/8/8/8/K7 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

/// Positions of xiangqi; the last one has no move.
const XIANGQI: [&str; 4] = [
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "5k3/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1",
    "4k4/R8/1R7/9/9/9/9/9/9/3K5 b - - 0 1",
    "1R3k3/R8/9/9/9/9/9/9/9/3K5 b - - 0 1",
];

const GO: &str = "\
    go,go infinite,go ponder,go ponder wtime 40 btime 40,go ponder wtime 900 btime 900 winc 10,\
    go ponder depth 1,go ponder movetime 1,go depth 1,go depth 3,go nodes 30,go nodes 2000,go movetime 1,\
    go movetime 4,go wtime 40 btime 40,go mate 2 depth 3";

const OPTIONS: &str = "\
    Hash value 1,Hash value 2,Hash value 4,Clear Hash,MultiPV value 1,MultiPV value 3,Ponder value true,\
    Ponder value false,OwnBook value true,OwnBook value false,UCI_ShowWDL value true,\
    UCI_ShowWDL value false,Move Overhead value 5,No Such Option value 1";

/// The position that the program must have after the lines so far.
#[derive(Clone, Copy)]
pub enum Root {
    Chess(chess::Position),
    Xiangqi(xiangqi::Position),
}

fn start<B: Rules>() -> Position<B> {
    Position::<B>::from_fen(B::START_FEN).expect("a position")
}

impl Default for Root {
    fn default() -> Root {
        Root::start_of(false)
    }
}

impl Root {
    fn moves(&self) -> Vec<String> {
        match self {
            Root::Chess(pos) => legal(pos),
            Root::Xiangqi(pos) => legal(pos),
        }
    }

    fn start_of(xiangqi: bool) -> Root {
        if xiangqi { Root::Xiangqi(start()) } else { Root::Chess(start()) }
    }

    fn is_xiangqi(&self) -> bool {
        matches!(self, Root::Xiangqi(_))
    }
}

/// A `position` command, of either game, and the position that it sets.
fn position(rng: &mut SplitMix64, root: &Root) -> (String, Root) {
    // `startpos` is that of the current game; a FEN of the other one changes the game.
    let start = rng.below(2) == 0;
    if root.is_xiangqi() != (!start && rng.below(8) == 0) {
        let (line, pos) = set_position(if start { &[] } else { &XIANGQI[..] }, rng);
        (line, Root::Xiangqi(pos))
    } else {
        let (line, pos) = set_position(if start { &[] } else { &CHESS[..] }, rng);
        (line, Root::Chess(pos))
    }
}

/// Adds a search. With one move only the answer identifies it.
fn go(batch: &mut Batch, root: &Root, rng: &mut SplitMix64) {
    let (go, moves) = (any(GO, rng), root.moves());
    if rng.below(2) == 0 && !moves.is_empty() {
        let m = moves[rng.below(moves.len())].clone();
        batch.go(format!("{go} searchmoves {m}"), vec![m]);
    } else {
        batch.go(go, moves);
    }
}

impl Script for Uci {
    type Root = Root;

    fn open(threads: usize) -> Batch {
        let mut batch = Batch::default();
        batch.tell(format!("setoption name Threads value {threads}"));
        batch.tell("setoption name XiangqiRanks value 0-9");
        batch
    }

    fn command(batch: &mut Batch, root: &mut Root, rng: &mut SplitMix64) {
        match rng.below(32) {
            0..=7 => go(batch, root, rng),
            8..=13 => {
                let (line, new) = position(rng, root);
                batch.tell(line);
                *root = new;
            }
            14..=18 => Self::stop(batch),
            19 | 20 => batch.tell("ponderhit"),
            21 | 22 => batch.ask("isready", "readyok"),
            23 | 24 => {
                batch.tell(format!("setoption name {}", any(OPTIONS, rng)));
            }
            25 => {
                let xiangqi = rng.below(2) == 0;
                let name = if xiangqi { "xiangqi" } else { "chess" };
                batch.tell(format!("setoption name UCI_Variant value {name}"));
                if xiangqi != root.is_xiangqi() {
                    *root = Root::start_of(xiangqi);
                }
            }
            26 => batch.tell("ucinewgame"),
            27 => batch.ask("d", "Fen: "),
            28 => batch.ask("eval", "Final evaluation"),
            29 => batch.ask("uci", "uciok"),
            _ => match rng.below(6) {
                0 => batch.tell("debug on"),
                1 => batch.tell("debug off"),
                2 => batch.ask("help", "info string commands"),
                3 => batch.ask("nonsense", "info string unknown command \"nonsense\""),
                4 => batch.tell("register later"),
                _ => batch.ask("go perft 2", "Nodes searched: "),
            },
        }
    }

    fn set_out(batch: &mut Batch, root: &mut Root) {
        *root = Root::start_of(root.is_xiangqi());
        batch.tell(match root {
            Root::Chess(_) => "position startpos",
            Root::Xiangqi(pos) => {
                let m = pos.parse_move("h2e2").expect("a move");
                pos.make(m);
                "position startpos moves h2e2"
            }
        });
    }

    fn moves(root: &Root) -> Vec<String> {
        root.moves()
    }
}

/// The first search would go on for minutes.
#[test]
fn lines_behind_a_second_go_are_read_at_once() {
    for first in ["go mate 9", "go wtime 99999999999999999999", "go depth 90", "go movetime 9999999"] {
        let mut pipe = Pipe::uci();
        pipe.send(&format!("position startpos\n{first}\ngo depth 80 searchmoves a2a3\nisready\ndebug on"));
        let mut lines = pipe.until("readyok");
        // It stops every search before it.
        pipe.send("stop\ngo depth 3 searchmoves b2b3");
        while answers(&lines).len() < 3 {
            lines.extend(pipe.answer());
        }
        assert_eq!(answers(&lines)[1..], ["a2a3", "b2b3"], "{first}");
        assert!(lines.iter().any(|line| line.starts_with("info depth 3 ") && line.contains(" pv b2b3")), "{lines:?}");
        pipe.send(&format!("{first}\ngo depth 80 searchmoves a2a3\nquit"));
        assert!(pipe.ended(LEAVING).is_some_and(|status| status.success()), "{first}");
        assert_eq!(answers(&pipe.rest()).len(), 2, "{first}");
    }
}

#[test]
fn a_ponder_hit_is_for_the_search_that_runs() {
    let mut pipe = Pipe::uci();
    for _ in 0..sample(15, 50) {
        pipe.send("position startpos\ngo ponder wtime 20 btime 20\nposition startpos moves d2d4");
        pipe.send("go ponder wtime 20 btime 20\nponderhit");
        replay("startpos", &[&best(&pipe.answer())]);
        replay("startpos", &["d2d4", &best(&pipe.answer())]);
        // A hit after a miss is for the next search.
        pipe.send("go ponder\nstop\nposition startpos\ngo ponder movetime 5\nponderhit");
        replay("startpos", &["d2d4", &best(&pipe.answer())]);
        replay("startpos", &[&best(&pipe.answer())]);
    }
    assert_eq!(pipe.sync(), SILENCE);
}

#[test]
fn a_stop_does_not_affect_later_searches() {
    let mut pipe = Pipe::uci();
    for _ in 0..20 {
        pipe.go("position startpos\ngo infinite\nstop\nstop\ngo depth 6");
        let lines = pipe.answer();
        assert!(lines.iter().any(|line| number(line, "depth") == Some(6)), "{lines:?}");
    }
}

/// The moves of the answers.
fn answers(lines: &[String]) -> Vec<&str> {
    let answers = lines.iter().filter_map(|line| line.strip_prefix("bestmove "));
    answers.map(|line| line.split(' ').next().expect("a move")).collect()
}

#[test]
fn searches_with_limits_are_finished_at_the_end_of_the_input() {
    // Every kind of limit, mixed with searches that only a command would end.
    let gos = [
        "infinite",
        "depth 4",
        "ponder wtime 60000 btime 60000",
        "nodes 3000",
        "",
        "movetime 50",
        "infinite depth 2",
        "mate 1",
        "ponder",
        "wtime 200 btime 200",
        "ponder movetime 60000",
        "depth 2",
    ];
    let moves: Vec<String> = legal(&start::<chess::Board>()).into_iter().take(gos.len()).collect();
    let text: String = gos.iter().zip(&moves).map(|(go, m)| format!("go {go} searchmoves {m}\n")).collect();
    for before in ["", "setoption name Threads value 3\n", "setoption name MultiPV value 2\n"] {
        assert_eq!(answers(&output_of(&format!("{before}{text}"))), moves);
    }
    // A search with movetime uses its time.
    for go in ["go movetime 150", "go ponder movetime 150\nponderhit"] {
        let begin = Instant::now();
        assert_eq!(answers(&output_of(go)).len(), 1);
        assert!(begin.elapsed() >= Duration::from_millis(150), "{go}: {:?}", begin.elapsed());
    }
    // A `stop` ends the search before it only.
    let begin = Instant::now();
    let lines = output_of("go movetime 60000 searchmoves a2a3\nstop\ngo depth 4 searchmoves b2b3\n");
    assert!(begin.elapsed() < Duration::from_secs(40));
    assert_eq!(answers(&lines), ["a2a3", "b2b3"]);
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")), "{lines:?}");
}

#[test]
fn a_line_is_read_at_its_end() {
    let mut pipe = Pipe::uci();
    pipe.send_bytes(b"isready");
    assert_eq!(pipe.listen(SHORT), SILENCE, "no command without its newline");
    pipe.send_bytes(b"\n");
    assert_eq!(pipe.until("readyok"), ["readyok"]);
}
