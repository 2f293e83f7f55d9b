//! The Universal Chess Interface: words to commands, reports to lines, and the options of chess.
//!
//! The only file that knows how UCI is spelt. Called by `session` through [`Dialect`]; it decides nothing
//! about what is allowed when.

use super::options::{Kind, OptionId, Options, Spec, Style};
use super::session::{Command, Context, Dialect, Go, View};
use crate::base::rng::SplitMix64;
use crate::chess::book::Book;
use crate::chess::{Move, Position, Square};
use crate::engine::{self, Bound, Info, Score, score};
use crate::game::{Notation, Playable, Side};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What `id name` and `UCI_EngineAbout` say.
const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));
const ABOUT: &str = concat!(
    "Tabiya ",
    env!("CARGO_PKG_VERSION"),
    ", a table-driven chess engine, MIT or Apache-2.0 licence"
);

/// Environment variable that fixes the book's choices, for tests.
const SEED_VARIABLE: &str = "TABIYA_SEED";

/// Largest table, in mebibytes. A size the system cannot give is refused when it is asked for.
const MAX_HASH: i64 = 131_072;

const fn check(id: OptionId, name: &'static str, default: bool) -> Spec {
    Spec { id, name, kind: Kind::Check { default } }
}

const fn spin(id: OptionId, name: &'static str, default: i64, min: i64, max: i64) -> Spec {
    Spec { id, name, kind: Kind::Spin { default, min, max } }
}

const fn text(id: OptionId, name: &'static str, default: &'static str) -> Spec {
    Spec { id, name, kind: Kind::Text { default } }
}

/// The options of UCI, in the order they are announced.
static OPTIONS: [Spec; 18] = [
    spin(OptionId::Hash, "Hash", engine::DEFAULT_HASH as i64, 1, MAX_HASH),
    Spec { id: OptionId::ClearHash, name: "Clear Hash", kind: Kind::Button },
    spin(OptionId::Threads, "Threads", 1, 1, engine::MAX_THREADS as i64),
    check(OptionId::Ponder, "Ponder", false),
    spin(OptionId::MultiPv, "MultiPV", 1, 1, engine::MAX_MULTI_PV as i64),
    check(OptionId::OwnBook, "OwnBook", false),
    text(OptionId::BookFile, "BookFile", ""),
    spin(OptionId::MoveOverhead, "Move Overhead", 30, 0, 5000),
    check(OptionId::Chess960, "UCI_Chess960", false),
    check(OptionId::LimitStrength, "UCI_LimitStrength", false),
    spin(OptionId::Elo, "UCI_Elo", 1500, engine::MIN_ELO as i64, engine::MAX_ELO as i64),
    check(OptionId::AnalyseMode, "UCI_AnalyseMode", false),
    text(OptionId::Opponent, "UCI_Opponent", ""),
    check(OptionId::ShowCurrLine, "UCI_ShowCurrLine", false),
    check(OptionId::ShowRefutations, "UCI_ShowRefutations", false),
    check(OptionId::ShowWdl, "UCI_ShowWDL", false),
    text(OptionId::About, "UCI_EngineAbout", ABOUT),
    text(OptionId::SetPositionValue, "UCI_SetPositionValue", ""),
];

/// UCI for chess.
#[derive(Debug)]
pub struct Uci {
    book: Book,
    dice: SplitMix64,
}

impl Default for Uci {
    fn default() -> Self {
        let fixed = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed = fixed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64)
        });
        Uci { book: Book::embedded(), dice: SplitMix64::new(seed) }
    }
}

// --- words ------------------------------------------------------------------------------------------

/// The words of a line, with what follows them.
#[derive(Clone)]
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The next word, if it is a number; numbers too large are moved into range.
    fn number(&mut self) -> Option<i64> {
        let word = self.peek()?;
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        self.next();
        let negative = word.starts_with('-');
        // All that can fail now is the size.
        Some(word.parse().unwrap_or(if negative { i64::MIN } else { i64::MAX }))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Whether a word has the form of a move, legal or not.
fn looks_like_move(word: &str) -> bool {
    if word == "0000" {
        return true;
    }
    let b = word.as_bytes();
    matches!(b.len(), 4 | 5)
        && Square::parse(&b[..2]).is_some()
        && Square::parse(&b[2..4]).is_some()
        && b.get(4).is_none_or(u8::is_ascii_alphabetic)
}

fn parse_set_option(mut words: Words<'_>) -> Command<'_> {
    if !words.by_ref().any(|word| word == "name") {
        return Command::SetOption(None);
    }
    let mut name = String::new();
    for word in words.by_ref() {
        if word == "value" {
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    Command::SetOption((!name.is_empty()).then(|| (name, words.rest.trim())))
}

fn parse_position(mut words: Words<'_>) -> Command<'_> {
    let mut fen = None;
    while let Some(word) = words.next() {
        match word {
            "moves" => return Command::Position(fen, words.collect()),
            "startpos" => fen = None,
            "fen" => {
                let mut text = String::new();
                while let Some(word) = words.peek().filter(|word| *word != "moves") {
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(word);
                    words.next();
                }
                fen = Some(text);
            }
            _ => {}
        }
    }
    Command::Position(fen, Vec::new())
}

fn parse_go(mut words: Words<'_>) -> Command<'_> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let (white, black) = (Side::First, Side::Second);
        // A sub-command without its number counts as absent: the word behind it is looked at again.
        match word {
            "searchmoves" => {
                let moves = go.search_moves.get_or_insert_default();
                while let Some(word) = words.peek().filter(|word| looks_like_move(word)) {
                    moves.push(word);
                    words.next();
                }
            }
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.time[white] = words.number().or(go.time[white]),
            "btime" => go.time[black] = words.number().or(go.time[black]),
            "winc" => go.increment[white] = words.number().or(go.increment[white]),
            "binc" => go.increment[black] = words.number().or(go.increment[black]),
            "movestogo" => go.moves_to_go = words.number().or(go.moves_to_go),
            "depth" => go.depth = words.number().or(go.depth),
            "nodes" => go.nodes = words.number().or(go.nodes),
            "mate" => go.mate = words.number().or(go.mate),
            "movetime" => go.movetime = words.number().or(go.movetime),
            "perft" => go.perft = words.number().or(go.perft),
            _ => {}
        }
    }
    Command::Go(go)
}

// --- lines ------------------------------------------------------------------------------------------

/// Expected shares of wins, draws and losses in thousandths, for a score seen from the same side.
///
/// A model, not a statistic: a win has probability `1 / (1 + exp((100 − score) / 75))`, a loss the same of
/// the negated score, and the rest is drawn. The constants are round numbers; nothing was fitted.
fn expectation(value: Score) -> [i32; 3] {
    const EVEN: f64 = 100.0;
    const SCALE: f64 = 75.0;
    if score::is_mate(value) {
        return if value > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let share = |cp: f64| (1000.0 / (1.0 + ((EVEN - cp) / SCALE).exp())).round() as i32;
    let (win, loss) = (share(f64::from(value)), share(-f64::from(value)));
    [win, 1000 - win - loss, loss]
}

/// Appends moves played from `pos`, each behind a blank; stops at the first that is not legal, which no
/// reader could make sense of.
fn push_line(out: &mut String, mut pos: Position, line: &[Move]) {
    for &m in line {
        if !Playable::is_legal(&pos, m) {
            break;
        }
        let _ = write!(out, " {}", pos.move_text(m));
        pos.make(m);
    }
}

impl Dialect for Uci {
    type Position = Position;
    const COMMANDS: &'static [&'static str] = &[
        "uci",
        "debug",
        "isready",
        "setoption",
        "register",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
        "d",
        "eval",
        "flip",
        "bench",
        "compiler",
        "help",
    ];
    const OPTIONS: &'static [Spec] = &OPTIONS;

    fn parse<'a>(line: &'a str, _context: Context<'_>) -> Command<'a> {
        let mut words = Words { rest: line };
        // Unknown words in front of a command are skipped.
        let Some(command) = words.by_ref().find(|word| Self::COMMANDS.contains(word)) else {
            return Command::Unknown;
        };
        match command {
            "uci" => Command::Hello,
            "debug" => Command::Debug(words.find_map(|word| match word {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            })),
            "isready" => Command::IsReady,
            "setoption" => parse_set_option(words),
            "ucinewgame" => Command::NewGame,
            "position" => parse_position(words),
            "go" => parse_go(words),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "d" => Command::Diagram,
            "eval" => Command::Evaluate,
            "flip" => Command::Flip,
            "bench" => Command::Bench(words.number()),
            "compiler" => Command::Compiler,
            "help" => Command::Help,
            // `register`: there is nothing to be registered.
            _ => Command::Nothing,
        }
    }

    fn hello() -> String {
        let mut out = format!("id name {NAME}\nid author the Tabiya authors\n");
        for spec in Self::OPTIONS {
            let _ = writeln!(out, "{}", spec.announce(Style::Uci));
        }
        out.push_str("uciok");
        out
    }

    fn adapt(pos: Position, options: &Options) -> Position {
        pos.with_chess960(options.check(OptionId::Chess960))
    }

    fn info(view: &View<Position>, info: &Info<'_, Move>) -> String {
        let mut out = format!("info depth {}", info.depth);
        if info.depth > 0 {
            let _ = write!(out, " seldepth {}", info.selective_depth);
        }
        if view.several_lines {
            let _ = write!(out, " multipv {}", info.multi_pv);
        }
        let _ = match score::mate_moves(info.score) {
            Some(moves) => write!(out, " score mate {moves}"),
            None => write!(out, " score cp {}", info.score),
        };
        out.push_str(match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        if view.wdl {
            let [win, draw, loss] = expectation(info.score);
            let _ = write!(out, " wdl {win} {draw} {loss}");
        }
        let (full, hits) = (info.hash_full, info.table_base_hits);
        let _ = write!(out, " nodes {} nps {} hashfull {full} tbhits {hits}", info.nodes, info.nps);
        let _ = write!(out, " time {}", info.time.as_millis());
        if !info.pv.is_empty() {
            out.push_str(" pv");
            push_line(&mut out, view.root, info.pv);
        }
        out
    }

    fn remark(text: &str) -> String {
        let lines: Vec<_> = text.lines().map(|line| format!("info string {line}")).collect();
        lines.join("\n")
    }

    fn current_move(view: &View<Position>, depth: u32, m: Move, number: u32) -> String {
        let text = view.root.move_text(m);
        format!("info depth {depth} currmove {text} currmovenumber {number}")
    }

    fn current_line(view: &View<Position>, cpu: u32, line: &[Move]) -> String {
        let mut out = format!("info currline {cpu}");
        push_line(&mut out, view.root, line);
        out
    }

    fn refutation(view: &View<Position>, line: &[Move]) -> String {
        let mut out = String::from("info refutation");
        push_line(&mut out, view.root, line);
        out
    }

    fn best(root: &Position, best: Option<Move>, ponder: Option<Move>) -> String {
        let Some(best) = best else { return "bestmove (none)".to_string() };
        let mut out = format!("bestmove {}", root.move_text(best));
        let mut pos = *root;
        pos.make(best);
        if let Some(ponder) = ponder.filter(|&m| Playable::is_legal(&pos, m)) {
            let text = pos.move_text(ponder);
            pos.make(ponder);
            // Nobody can think about a game that is over.
            if pos.count_legal() > 0 {
                let _ = write!(out, " ponder {text}");
            }
        }
        out
    }

    fn open_book(&mut self, path: &Path) -> String {
        if path.as_os_str().is_empty() {
            self.book = Book::embedded();
            return format!("the embedded book has {} entries", self.book.len());
        }
        match Book::open(path) {
            Ok(book) => {
                self.book = book;
                format!("the book file has {} entries", self.book.len())
            }
            Err(error) => format!("option BookFile: {error}; the earlier book stays"),
        }
    }

    fn book_move(&mut self, pos: &Position) -> Option<(Move, String)> {
        let choice = self.book.choose(pos, &mut self.dice)?;
        let (weight, total) = (choice.weight, choice.total);
        let remark = format!("book move {}, weight {weight} of {total}", pos.move_text(choice.m));
        Some((choice.m, remark))
    }

    fn diagram(pos: &Position) -> String {
        let rule = " +---+---+---+---+---+---+---+---+\n";
        let mut out = format!("\n{rule}");
        for rank in (0..8).rev() {
            for file in 0..8 {
                let piece = Square::at(file, rank).and_then(|square| pos.piece_on(square));
                let letter = piece.map_or(' ', |(side, kind)| char::from(kind.fen_letter(side)));
                let _ = write!(out, " | {letter}");
            }
            let _ = write!(out, " | {}\n{rule}", rank + 1);
        }
        out.push_str("   a   b   c   d   e   f   g   h\n\n");
        let _ = writeln!(out, "Fen: {}\nKey: {:016X}", pos.to_fen(), pos.key());
        out.push_str("Checkers:");
        for square in pos.checkers() {
            let _ = write!(out, " {square}");
        }
        out
    }

    fn evaluation(pos: &Position) -> String {
        if pos.in_check() {
            return "Final evaluation: none (in check)".to_string();
        }
        let own = pos.evaluate(&mut Default::default());
        let white = if pos.side() == Side::First { own } else { -own };
        format!("Final evaluation: {:+.2} (white side)", f64::from(white) / 100.0)
    }

    fn flip(pos: &Position) -> Option<Position> {
        let fen = pos.to_fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let [board, side, castling, en_passant, counters @ ..] = &fields[..] else { return None };
        let swap = |c: char| {
            if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        let board: Vec<String> =
            board.split('/').rev().map(|r| r.chars().map(swap).collect()).collect();
        let side = if *side == "w" { "b" } else { "w" };
        let castling: String = castling.chars().map(swap).collect();
        let en_passant = en_passant.replace('3', "#").replace('6', "3").replace('#', "6");
        let (board, counters) = (board.join("/"), counters.join(" "));
        let flipped = format!("{board} {side} {castling} {en_passant} {counters}");
        Position::from_fen(&flipped).ok().map(|new| new.with_chess960(pos.is_chess960()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PerSide, Rules};

    fn parse(line: &str) -> Command<'_> {
        let options = Options::new(Uci::OPTIONS);
        Uci::parse(line, Context { side: Side::First, options: &options })
    }

    fn go(line: &str) -> Go<'_> {
        match parse(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn unknown_words_are_skipped_in_front_and_inside() {
        assert_eq!(parse("joho debug on"), Command::Debug(Some(true)));
        assert_eq!(parse("\t debug \t joho  off  "), Command::Debug(Some(false)));
        assert_eq!(parse("debug"), Command::Debug(None));
        assert_eq!(parse("foo bar"), Command::Unknown);
        assert_eq!(parse("isready go"), Command::IsReady);
        assert_eq!(parse("register name A code 1"), Command::Nothing);
        assert_eq!(
            parse("position foo startpos bar moves e2e4"),
            Command::Position(None, vec!["e2e4"])
        );
    }

    #[test]
    fn set_option_keeps_the_case_and_the_blanks_of_values() {
        let set = |line| match parse(line) {
            Command::SetOption(Some((name, value))) => (name, value),
            other => panic!("{other:?}"),
        };
        assert_eq!(set("setoption name Clear  Hash"), ("Clear Hash".into(), ""));
        let (name, value) = set(r"setoption name Nalimov Path value  d:\tb;c\My  Files ");
        assert_eq!((name.as_str(), value), ("Nalimov Path", r"d:\tb;c\My  Files"));
        assert_eq!(set("setoption name X value"), ("X".into(), ""));
        for nameless in
            ["setoption", "setoption value 3", "setoption name", "setoption name value 3"]
        {
            assert_eq!(parse(nameless), Command::SetOption(None), "{nameless}");
        }
    }

    #[test]
    fn go_takes_its_parts_in_any_order() {
        let expected = Go {
            search_moves: Some(vec!["e2e4", "a7a8q"]),
            time: PerSide([Some(-12), Some(300)]),
            increment: PerSide([Some(1), None]),
            depth: Some(i64::MAX),
            ..Go::default()
        };
        for line in [
            "go searchmoves e2e4 a7a8q wtime -12 btime 300 winc 1 depth 99999999999999999999",
            "go depth 99999999999999999999 winc 1 foo btime +300 searchmoves e2e4 a7a8q wtime -12",
            "go searchmoves e2e4 depth 99999999999999999999 searchmoves a7a8q winc 1 btime 300 wtime -12 binc",
        ] {
            assert_eq!(go(line), expected, "{line}");
        }
        assert_eq!(go("go depth infinite"), Go { infinite: true, ..Go::default() });
        assert_eq!(go("go nodes -99999999999999999999").nodes, Some(i64::MIN));
        assert_eq!(go("go movetime 1.5 mate 3"), Go { mate: Some(3), ..Go::default() });
        assert_eq!(go("go searchmoves nodes 5").search_moves, Some(vec![]));
    }

    #[test]
    fn expectations_are_shares() {
        for value in
            [-20_000, -300, -1, 0, 1, 77, 300, 20_000, score::mate_in(3), score::mated_in(4)]
        {
            let [win, draw, loss] = expectation(value);
            assert_eq!(win + draw + loss, 1000, "{value}");
            assert!(win >= 0 && draw >= 0 && loss >= 0, "{value}");
            assert_eq!(expectation(-value), [loss, draw, win], "{value}");
        }
        assert_eq!(expectation(score::mate_in(1)), [1000, 0, 0]);
        let [win, draw, _] = expectation(0);
        assert!(draw > win);
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "rk3r2/pppppppp/8/8/8/8/PPPPPPPP/RK3R2 w FAfa - 0 1",
        ] {
            let pos = Position::from_fen(fen).unwrap();
            let flipped = Uci::flip(&pos).unwrap();
            assert_ne!(flipped.side(), pos.side());
            assert_eq!(flipped.perft(3), pos.perft(3), "{fen}");
            assert_eq!(Uci::flip(&flipped), Some(pos), "{fen}");
        }
    }
}
