//! The Universal Chinese Chess Interface (UCCI), version 3.0: parses lines and formats output.
//!
//! `session` decides which commands are allowed when. What the protocol leaves open is decided as follows:
//!
//! * A clock without `movestogo` and `increment` is the time for one move.
//! * Words of UCI's `go` that UCCI lacks, such as `movetime` and `wtime`, mean what they mean there.
//! * `ponder` applies to a search on the clock only; with other limits it is ignored.
//! * A mate in `n` plies scores 10000 − `n`, above all other scores.
//! * The engine accepts a draw if its position is worse, if its score is an exact draw, or if the score is level and
//!   there has been no capture for long. It offers a draw if the score is level and there has been none for very long.
//!   It resigns if it will be mated soon.

use super::command::{Command, NAMELESS_OPTION, Oddity, Protocol, Words};
use super::games::ProgramGame;
use super::output::{self, View};
use crate::engine::{Bound, Entry, Event, Info, SearchResult, Value, score};
use crate::game::{GameMove, Position};
use crate::xiangqi;
use crate::xiangqi::eval::see::VALUES;
use std::fmt::Write as _;
use std::sync::atomic::Ordering::Relaxed;

/// The value of a horse or a cannon in centipawns, which is 100 points in UCCI.
const MINOR: Value = VALUES[xiangqi::Kind::Horse.index()];
/// The score of checkmate on the board, in points.
const MATE_POINTS: Value = 10_000;
/// The same for a game won because the opponent repeats forbidden moves.
const FORFEIT_POINTS: Value = 9_000;

/// Accept a draw if the score is at most this, in points.
const WORSE: Value = -8;
/// Scores of at most this size, in points, are level.
const LEVEL: Value = 5;
/// Accept a draw if the score is level and there has been no capture for this many plies.
const ACCEPT_DRAW_PLIES: u16 = 40;
/// Offer a draw if the score is level and there has been no capture for this many plies.
const OFFER_DRAW_PLIES: u16 = 80;
/// Resign if mated within this many plies.
const HOPELESS_PLIES: i32 = 8;

// --- words ------------------------------------------------------------------------------------------

/// Reads a line.
pub fn read(line: &str, odd: &mut Vec<Oddity>) -> Command {
    let Some((word, words)) = Protocol::Ucci.command_of(line) else {
        return Command::unknown(line, Protocol::Ucci, odd);
    };
    match word {
        "setoption" => read_option(words),
        "position" => Command::Position(words.position("position", odd)),
        "banmoves" => Command::BanMoves(words.rest().to_string()),
        "probe" => Command::Probe(words.position("probe", odd)),
        _ => Command::read(word, words, Protocol::Ucci, odd),
    }
}

/// Reads `setoption <name> [<value>]`. Some programs send UCI's `setoption name <name> [value <value>]`, so this is
/// accepted too; no option is called `name`.
fn read_option(mut words: Words<'_>) -> Command {
    let Some(mut name) = words.next() else { return Command::Refused(NAMELESS_OPTION.to_string()) };
    if name == "name"
        && let Some(next) = words.next()
    {
        name = next;
        if words.peek() == Some("value") {
            words.next();
        }
    }
    // Its name in earlier versions of UCCI.
    if name.eq_ignore_ascii_case("loadbook") {
        name = "newgame";
    }
    Command::SetOption(name.to_string(), words.rest().to_string())
}

// --- lines ------------------------------------------------------------------------------------------

/// Converts a score to points.
fn points(value: Value) -> Value {
    match score::mate_plies(value) {
        Some(plies) if value > 0 => MATE_POINTS - plies,
        Some(plies) => -MATE_POINTS - plies,
        None if score::is_forfeit(value) => value.signum() * (FORFEIT_POINTS - (score::FORFEIT - value.abs())),
        None => value * 100 / MINOR,
    }
}

/// The suffix of `bestmove`: nothing, ` draw` or ` resign`.
fn draw_or_resign<B: ProgramGame>(view: &View<B>) -> &'static str {
    let [Some(last), before] = view.scores else { return "" };
    let value = points(last);
    let level = |score: Value| points(score).abs() <= LEVEL;
    let quiet_plies = view.root.halfmove_clock();
    let is_offered = view.draw_offered.load(Relaxed);
    if is_offered && (value <= WORSE || last == score::DRAW || level(last) && quiet_plies >= ACCEPT_DRAW_PLIES) {
        return " draw";
    }
    // A single score may come from a search that was stopped before it saw the defence.
    let hopeless =
        |score: Value| score < 0 && score::mate_plies(score).is_some_and(|plies| plies.abs() <= HOPELESS_PLIES);
    if hopeless(last) && before.is_some_and(hopeless) {
        return " resign";
    }
    if quiet_plies >= OFFER_DRAW_PLIES && level(last) && before.is_some_and(level) {
        return " draw";
    }
    ""
}

/// The lines for a PV.
fn info_lines<B: ProgramGame>(view: &View<B>, info: &Info<'_, B::Move>) -> String {
    // UCCI cannot mark a score as a bound, so bounds are printed only with the move played.
    if info.bound != Bound::Exact && !info.last {
        return String::new();
    }
    let mut out = format!("info depth {} score {}", info.depth, points(info.score));
    if !info.pv.is_empty() {
        let _ = write!(out, " pv{}", output::moves(view.root, info.pv));
    }
    let progress = info.progress;
    let _ = write!(out, "\ninfo time {} nodes {}", progress.time.as_millis(), progress.nodes);
    if view.debug {
        let (depth, nps, full) = (info.selective_depth, progress.nps(), progress.hash_full);
        let _ = write!(out, "\ninfo message seldepth {depth} nps {nps} hashfull {full}");
    }
    out
}

/// The answer to `ucci`, with the lines that announce the options.
pub fn hello(options: &str) -> String {
    let licence = "id copyright 2026 the Tabiya authors, MIT or Apache-2.0 licence";
    let authors = "id author the Tabiya authors\nid user everybody";
    format!("id name {}\n{licence}\n{authors}\n{options}ucciok", output::NAME)
}

/// The lines for what a search reports; empty where the protocol has no word for it.
pub fn format<B: ProgramGame>(view: &View<B>, event: &Event<'_, B::Move>) -> String {
    match *event {
        Event::Line(ref info) => info_lines(view, info),
        Event::Progress(progress) => format!("info time {} nodes {}", progress.time.as_millis(), progress.nodes),
        Event::Move { m, .. } => format!("info currmove {}", view.root.move_text(m)),
        Event::Message(text) => Protocol::Ucci.remark(text),
        Event::Error(text) => Protocol::Ucci.error(text),
        Event::Best(SearchResult { best: Some(best), ponder, .. }) => {
            output::best_line(&view.root, best, ponder) + draw_or_resign(view)
        }
        Event::Best(_) => "nobestmove".to_string(),
    }
}

/// The answer to `probe`: the hash table entry of a position.
pub fn table_entry<B: ProgramGame>(pos: &Position<B>, entry: Option<Entry>) -> String {
    let mut out = String::from("pophash");
    let Some(entry) = entry else { return out };
    let m = B::Move::from_raw(entry.m);
    if pos.is_legal(m) {
        let _ = write!(out, " bestmove {}", pos.move_text(m));
    }
    let value = points(score::from_tt(entry.score, 0));
    for (word, other) in [("lowerbound", Bound::Upper), ("upperbound", Bound::Lower)] {
        if entry.bound != other {
            let _ = write!(out, " {word} {value} depth {}", entry.depth);
        }
    }
    out
}

/// The complete answer to a `go` that requests the static evaluation.
pub fn static_score<B: ProgramGame>(pos: &Position<B>) -> String {
    let score = if pos.count_legal() == 0 {
        format!("info depth 0 score {}", points(score::mated_in(0)))
    } else if pos.in_check() {
        Protocol::Ucci.remark("no static score: the side to move is in check")
    } else {
        format!("info depth 0 score {}", points(B::evaluate(pos, &mut Default::default())))
    };
    format!("{score}\nnobestmove")
}

/// The static evaluation, for a person.
pub fn evaluation<B: ProgramGame>(pos: &Position<B>) -> String {
    match output::evaluation(pos) {
        None => "evaluation: none (in check)\n".to_string(),
        Some(value) => format!("evaluation: {} points for Red\n", points(value)),
    }
}
