//! The commands of UCCI for batches (`pipeline`), and what is sent without waiting for answers besides.

use super::*;
use crate::protocol::pipeline::{Batch, Script, any, legal, set_position};

const FENS: [&str; 5] = [
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
    MATE_IN_ONE,
    LOST,
    MATED,
];

const GO: &str = "\
    go,go infinite,go draw infinite,go ponder,go ponder time 40 increment 0,\
    go ponder time 900 increment 10,go depth 1,go depth 3,go draw depth 2,go nodes 30,go nodes 2000,\
    go time 2 movestogo 1,go time 40 increment 0,go draw time 60 increment 1 opptime 50 oppincrement 1,\
    go time 1 increment 0";

const OPTIONS: &str = "\
    hashsize 1,hashsize 2,hashsize 0,batch true,batch false,debug true,debug false,ponder true,\
    usebook true,usebook false,repetition alwaysdraw,repetition asianrule,newgame,loadbook";

/// The position to search and its banned moves.
pub struct Root {
    pos: Position,
    banned: Vec<String>,
}

impl Default for Root {
    fn default() -> Root {
        Root { pos: Position::from_fen(START).expect("a position"), banned: Vec::new() }
    }
}

impl Root {
    fn moves(&self) -> Vec<String> {
        legal(&self.pos).into_iter().filter(|m| !self.banned.contains(m)).collect()
    }
}

impl Script for Ucci {
    type Root = Root;

    fn open(threads: usize) -> Batch {
        let mut batch = Batch::default();
        batch.ask("ucci", "ucciok");
        batch.tell("setoption usemillisec true");
        batch.tell(format!("setoption threads {threads}"));
        batch
    }

    fn command(batch: &mut Batch, root: &mut Root, rng: &mut SplitMix64) {
        match rng.below(32) {
            0..=7 => batch.go(any(GO, rng), root.moves()),
            8 => batch.go("go depth 0", Vec::new()),
            9..=13 => {
                let (line, pos) = set_position(if rng.below(2) == 0 { &[] } else { &FENS[..] }, rng);
                batch.tell(line);
                *root = Root { pos, banned: Vec::new() };
            }
            14 | 15 => {
                // Often all moves but one, so that the answer identifies the search.
                let moves = root.moves();
                let keep = if rng.below(2) == 0 { 1 } else { 1 + moves.len() / 2 };
                let first = if moves.is_empty() { 0 } else { rng.below(moves.len()) };
                let banned: Vec<_> = (0..moves.len())
                    .filter(|i| (i + moves.len() - first) % moves.len() >= keep)
                    .map(|i| moves[i].clone())
                    .collect();
                batch.tell(format!("banmoves {}", banned.join(" ")));
                root.banned.extend(banned);
            }
            16..=19 => Self::stop(batch),
            20 => batch.tell("ponderhit"),
            21 => batch.tell("ponderhit draw"),
            22 | 23 => batch.ask("isready", "readyok"),
            24 | 25 => batch.tell(format!("setoption {}", any(OPTIONS, rng))),
            26 => batch.ask("probe startpos moves h2e2", "pophash"),
            27 => batch.ask("d", "Fen: "),
            28 => batch.ask("eval", "evaluation: "),
            29 => batch.ask("ucci", "ucciok"),
            _ => match rng.below(3) {
                0 => batch.ask("nonsense", "info message unknown command \"nonsense\""),
                1 => batch.ask("help", "info message commands"),
                _ => batch.ask("go perft 2", "Nodes searched: "),
            },
        }
    }

    fn set_out(batch: &mut Batch, root: &mut Root) {
        batch.tell("position startpos moves h2e2");
        *root = Root::default();
        let m = root.pos.parse_move("h2e2").expect("a move");
        root.pos.make(m);
    }

    fn moves(root: &Root) -> Vec<String> {
        root.moves()
    }
}

#[test]
fn a_draw_offered_with_a_ponder_hit_is_for_its_own_search() {
    let mut pipe = ucci();
    let mut rng = SplitMix64::new(3);
    for _ in 0..50 {
        // Bare kings: a draw offer is accepted, but only in the search for which it was made.
        let fen = "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
        pipe.send(&format!("position fen {fen}\ngo ponder time 60000 increment 0"));
        dither(&mut rng);
        let first = pipe.go("stop\ngo ponder time 20 increment 0\nponderhit draw");
        let second = pipe.answer();
        assert!(!first[first.len() - 1].ends_with("draw"), "{first:?}");
        assert!(second[second.len() - 1].ends_with("draw"), "{second:?}");
    }
}
