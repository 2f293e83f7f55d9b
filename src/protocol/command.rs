//! Commands: what a line of either protocol asks for ([`Command`]), its words, and the commands that both have.
//!
//! `uci` and `ucci` read lines, by way of this; `session` executes them. Numbers are as the other program sent them,
//! and any value is accepted. No input makes this code panic.

use super::games::{Bench, BenchLimit};
use crate::base::cpu;
use crate::base::text::hint;
use crate::engine::{Clock, Limits};
use crate::game::Side;
use crate::game::text::fault::quoted;
use std::time::Duration;

/// The words of `go` that a number follows.
const UCI_NUMBERS: [&str; 9] = ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"];
/// Those that only UCCI has, for its own clock; the last two have no effect.
const UCCI_NUMBERS: [&str; 5] = ["time", "opptime", "increment", "oppincrement", "oppmovestogo"];

/// How long a `go` searches whose limits could not be read.
const UNREAD_LIMIT: Duration = Duration::from_secs(1);

/// The error of a `setoption` without a name.
pub const NAMELESS_OPTION: &str = "setoption: expected the name of an option";

/// Longest line in characters that is repeated in a hint.
const MAX_HINTED: usize = 40;

/// The protocols.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
}

/// What a line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A search.
    Go(Box<Go>),
    /// `go perft` to this depth.
    Perft(u32),
    /// UCCI's `go depth 0`: the static evaluation and no search.
    StaticScore,
    Stop,
    /// The opponent has played the expected move, and may offer a `draw`.
    PonderHit {
        draw: bool,
    },
    IsReady,
    Position(PositionText),
    /// The name and the value of an option.
    SetOption(String, String),
    NewGame,
    Uci,
    Ucci,
    Debug(bool),
    /// Moves, separated by blanks.
    BanMoves(String),
    Probe(PositionText),
    /// `d`
    Diagram,
    /// `eval`
    Evaluation,
    Bench(Bench),
    Help,
    Quit,
    /// A command with an error that the user should see.
    Refused(String),
    /// Nothing to do: `register`, or what was not understood.
    Nothing,
}

/// Something in a line that was not understood, although it may have been meant to change what the line means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oddity {
    /// The word; it is reported once. If it is empty, the text is reported each time.
    pub word: String,
    /// What to report.
    pub text: String,
}

/// A position: a FEN (`None` for the initial position) and the moves from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionText {
    /// The FEN, its fields separated by single blanks.
    pub fen: Option<String>,
    /// The command names no position: neither `startpos` nor `fen` nor moves.
    pub is_missing: bool,
    /// The command has a form that only programs with ranks from 0 use.
    pub ranks_from_zero: bool,
    /// The moves as given, separated by blanks.
    pub moves: String,
}

/// A search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Its limits. There is a clock if one was given; which one counts is up to [`clock`](Self::clock).
    pub limits: Limits,
    /// The only moves to search, as given; empty for all.
    pub moves: Vec<String>,
    /// The opponent offers a draw.
    pub draw: bool,
    /// A `stop` was read before it could begin.
    pub is_stopped: bool,
    numbers: Numbers,
}

impl Protocol {
    /// All commands, separated by blanks.
    pub fn commands(self) -> &'static str {
        match self {
            Protocol::Uci => {
                "uci ucci debug isready setoption register ucinewgame position fen startpos go stop ponderhit quit d \
                 eval bench speedtest help"
            }
            Protocol::Ucci => "ucci isready setoption position banmoves go stop ponderhit probe quit d eval bench help",
        }
    }

    /// Whether the protocol has this command.
    pub fn has_command(self, word: &str) -> bool {
        self.commands().split(' ').any(|command| command == word)
    }

    /// The command of a line and the words after it. Unknown words before the command are skipped.
    pub fn command_of(self, line: &str) -> Option<(&str, Words<'_>)> {
        let mut words = Words::new(line);
        let command = words.by_ref().find(|word| self.has_command(word))?;
        Some((command, words))
    }
}

impl Command {
    /// The command `word` with the words after it, for commands that mean the same in both protocols.
    pub fn read(word: &str, mut words: Words<'_>, protocol: Protocol, odd: &mut Vec<Oddity>) -> Command {
        match word {
            "go" => Go::read(words, protocol, odd),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit { draw: words.any(|word| word == "draw") },
            "isready" => Command::IsReady,
            "ucci" => Command::Ucci,
            "d" => Command::Diagram,
            "eval" => Command::Evaluation,
            "bench" => words.bench().map_or_else(Command::Refused, Command::Bench),
            "help" => Command::Help,
            "quit" => Command::Quit,
            _ => Command::Nothing,
        }
    }

    /// A line without a known command.
    pub fn unknown(line: &str, protocol: Protocol, odd: &mut Vec<Oddity>) -> Command {
        let line = line.trim();
        let word = Words::new(line).next().unwrap_or_default();
        let hint = if belongs_to_go(word) && line.chars().count() <= MAX_HINTED {
            format!("did you mean go {line}?")
        } else if belongs_to_go(word) || word.len() < 3 {
            // A word like `x` resembles too many commands.
            String::new()
        } else {
            hint(word, protocol.commands().split(' '), "")
        };
        let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
        odd.push(Oddity { word: String::new(), text: format!("unknown command {}{hint}", quoted(line)) });
        Command::Nothing
    }
}

// --- words ------------------------------------------------------------------------------------------

/// The words of a line that have not been read yet.
#[derive(Clone, Debug)]
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of `line`.
    pub fn new(line: &'a str) -> Self {
        Words { rest: line }
    }

    /// The rest of the line, trimmed.
    pub fn rest(&self) -> &'a str {
        self.rest.trim()
    }

    /// The next word, without consuming it.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The next word if it is a number. `place` is for remarks.
    fn number(&mut self, place: &str, odd: &mut Vec<Oddity>) -> Option<i64> {
        let number = number(self.peek()?, place, odd)?;
        self.next();
        Some(number)
    }

    /// Skips `word`, which is unknown to the command `command`, and the words after it up to one that `is_known`.
    fn skip_unknown(&mut self, command: &str, word: &str, is_known: impl Fn(&str) -> bool, odd: &mut Vec<Oddity>) {
        let mut skipped = word.to_string();
        while let Some(next) = self.peek().filter(|next| !is_known(next)) {
            skipped.push(' ');
            skipped.push_str(next);
            self.next();
        }
        let text = format!("{command}: {} is not understood and ignored", quoted(&skipped));
        odd.push(Oddity { word: word.to_string(), text });
    }

    /// The next words that are numbers from 1, at most three.
    fn three_numbers(&mut self) -> Vec<u64> {
        let mut numbers = Vec::new();
        while numbers.len() < 3
            && let Some(number) = self.peek().and_then(|word| word.parse().ok()).filter(|&number| number > 0)
        {
            numbers.push(number);
            self.next();
        }
        numbers
    }

    /// `speedtest [<threads> [<hash> [<seconds>]]]`, as in Stockfish: all positions in so many seconds.
    pub fn speedtest(mut self) -> Result<Bench, String> {
        let numbers = self.three_numbers();
        if let Some(word) = self.next() {
            return Err(format!("speedtest: {} is not a number of threads, megabytes or seconds", quoted(word)));
        }
        let threads = numbers.first().copied().unwrap_or(cpu::threads(0) as u64);
        let hash = numbers.get(1).copied().unwrap_or(threads.saturating_mul(128));
        let seconds = numbers.get(2).copied().unwrap_or(150);
        let (hash, threads, limit) = (Some(hash), Some(threads), Some(seconds.saturating_mul(1000)));
        Ok(Bench { hash, threads, limit, kind: BenchLimit::TotalTime })
    }

    /// `bench [<depth>]`, or as in Stockfish `bench <hash> <threads> [<limit> [default [depth | nodes | movetime]]]`.
    fn bench(mut self) -> Result<Bench, String> {
        let numbers = self.three_numbers();
        let mut bench = match numbers[..] {
            [] => Bench::default(),
            [depth] => Bench { limit: Some(depth), ..Bench::default() },
            [hash, threads, ref limit @ ..] => {
                Bench { hash: Some(hash), threads: Some(threads), limit: limit.first().copied(), ..Bench::default() }
            }
        };
        for word in self {
            match word.to_ascii_lowercase().as_str() {
                "depth" => bench.kind = BenchLimit::Depth,
                "nodes" => bench.kind = BenchLimit::Nodes,
                "movetime" => bench.kind = BenchLimit::Time,
                // There is only one set of positions, and one evaluation.
                "default" | "mixed" | "classical" | "nnue" => {}
                _ => {
                    let form = "bench DEPTH, or bench HASH THREADS LIMIT with depth, nodes or movetime";
                    return Err(format!("bench: unexpected {}; expected {form}", quoted(word)));
                }
            }
        }
        Ok(bench)
    }

    /// The next words that look like moves.
    fn moves(&mut self) -> Vec<String> {
        let mut moves = Vec::new();
        while let Some(word) = self.peek().filter(|word| looks_like_move(word)) {
            moves.push(word.to_string());
            self.next();
        }
        moves
    }

    /// `[fen <FEN> | startpos] [moves <list>]` for `command`; other words are skipped. The word `fen` may be missing.
    pub fn position(mut self, command: &str, odd: &mut Vec<Oddity>) -> PositionText {
        let (mut fen, mut is_missing) = (None, true);
        if self.peek().is_some_and(|word| word.contains('/')) {
            let text = format!("{command}: the word fen before the FEN is missing");
            odd.push(Oddity { word: "fen".to_string(), text });
            (fen, is_missing) = (Some(self.fen()), false);
        }
        while let Some(word) = self.next() {
            match word {
                "moves" => return PositionText { fen, moves: self.rest().to_string(), ..PositionText::default() },
                "startpos" => (fen, is_missing) = (None, false),
                "fen" => (fen, is_missing) = (Some(self.fen()), false),
                _ if looks_like_move(word) => {
                    self.skip_unknown(command, word, |next| next == "moves", odd);
                    if let Some(last) = odd.last_mut() {
                        last.text.push_str("; the word moves must come before the moves");
                    }
                }
                _ => self.skip_unknown(command, word, |next| ["moves", "startpos", "fen"].contains(&next), odd),
            }
        }
        PositionText { fen, is_missing, ..PositionText::default() }
    }

    /// The words up to `moves`.
    fn fen(&mut self) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| *word != "moves") {
            words.push(word);
            self.next();
        }
        words.join(" ")
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

/// The number that `word` is; one out of range is clamped. Some programs write whole numbers as decimal ones, such as
/// `wtime 300.0`: then it is the whole part, with a remark about `place`, which is made once.
pub fn number(word: &str, place: &str, odd: &mut Vec<Oddity>) -> Option<i64> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    if digits.is_empty() || !(digits.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Parsing can only fail on size here.
    let number = whole.parse().unwrap_or(if whole.starts_with('-') { i64::MIN } else { i64::MAX });
    if whole.len() < word.len() {
        let text = format!("{place} expects a whole number; {} is read as {number}", quoted(word));
        odd.push(Oddity { word: "whole number".to_string(), text });
    }
    Some(number)
}

/// Whether a word has the form of a move in coordinates in some game.
pub(super) fn looks_like_move(word: &str) -> bool {
    // The length of a square name; rank 10 has two digits.
    let square = |text: &[u8]| match text {
        [b'a'..=b'i', b'1', b'0', ..] => 3,
        [b'a'..=b'i', b'0'..=b'9', ..] => 2,
        _ => 0,
    };
    let text = word.as_bytes();
    let from = square(text);
    let to = square(&text[from..]);
    let promotion = &text[from + to..];
    text == b"0000" || from > 0 && to > 0 && matches!(promotion, [] | [b'a'..=b'z' | b'A'..=b'Z'])
}

// --- go ---------------------------------------------------------------------------------------------

/// Whether a word belongs after `go`; people type such words alone.
fn belongs_to_go(word: &str) -> bool {
    matches!(word, "infinite" | "searchmoves" | "perft") || UCI_NUMBERS.contains(&word)
}

/// The numbers after `go`, each with the word before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Numbers(Vec<(String, i64)>);

impl Numbers {
    /// The last number after `word`.
    fn get(&self, word: &str) -> Option<i64> {
        self.0.iter().rfind(|(other, _)| other == word).map(|&(_, number)| number)
    }
}

impl Go {
    /// Reads the words after `go`.
    fn read(mut words: Words<'_>, protocol: Protocol, odd: &mut Vec<Oddity>) -> Command {
        let is_ucci = protocol == Protocol::Ucci;
        let has_number = |word: &str| UCI_NUMBERS.contains(&word) || is_ucci && UCCI_NUMBERS.contains(&word);
        let is_known =
            |word: &str| belongs_to_go(word) || has_number(word) || word == "ponder" || is_ucci && word == "draw";
        let mut go = Go::default();
        let (limits, mut perft) = (&mut go.limits, None);
        while let Some(word) = words.next() {
            match word {
                "ponder" => limits.ponder = true,
                "infinite" => limits.infinite = true,
                "searchmoves" => go.moves.extend(words.moves()),
                "draw" if is_ucci => go.draw = true,
                // Without a depth it is later refused as too deep.
                "perft" => {
                    let depth = words.number("go: perft", odd).and_then(|number| u32::try_from(number).ok());
                    perft = Some(depth.unwrap_or(u32::MAX));
                }
                _ if has_number(word) => match words.number(&format!("go: {word}"), odd) {
                    Some(number) => go.numbers.0.push((word.to_string(), number)),
                    None => {
                        let text = format!("go: {word} expects a whole number");
                        odd.push(Oddity { word: word.to_string(), text });
                    }
                },
                _ => words.skip_unknown("go", word, is_known, odd),
            }
        }
        if let Some(depth) = perft {
            return Command::Perft(depth);
        }
        let number = |word| go.numbers.get(word);
        if is_ucci && number("depth").is_some_and(|depth| depth <= 0) && !limits.infinite {
            return Command::StaticScore;
        }
        limits.depth = number("depth").map(|depth| clamped(depth, 1));
        limits.nodes = number("nodes").map(|nodes| nodes.max(1).unsigned_abs());
        limits.mate = number("mate").map(|moves| clamped(moves, 1));
        limits.movetime = number("movetime").map(|ms| milliseconds(ms.max(1)));
        limits.clock = clock(&go.numbers, Side::First, 1);
        if !odd.is_empty() && limits.is_endless() && !limits.infinite {
            limits.movetime = Some(UNREAD_LIMIT);
            let text = "go: no limit was read, so the search takes a second".to_string();
            odd.push(Oddity { word: String::new(), text });
        }
        if is_ucci {
            // Pondering is for a search on the clock.
            limits.ponder &= limits.clock.is_some() || limits.is_endless() && !limits.infinite;
            limits.infinite |= limits.is_endless();
            limits.until_mate = limits.infinite;
        }
        Command::Go(Box::new(go))
    }

    /// The clock of `side`, which is the side to move. UCCI's own times are in `unit` milliseconds.
    pub fn clock(&self, side: Side, unit: i64) -> Option<Clock> {
        clock(&self.numbers, side, unit)
    }
}

fn clamped(number: i64, least: i64) -> u32 {
    u32::try_from(number.max(least)).unwrap_or(u32::MAX)
}

/// A time in milliseconds; zero if negative.
fn milliseconds(ms: i64) -> Duration {
    Duration::from_millis(ms.max(0).unsigned_abs())
}

/// The clock of `side`. UCCI's own words, whose times are in `unit` milliseconds, count first. Clocks may be negative,
/// absurd, or given for one side only; then the other side's clock is used, because an answer is expected in finite
/// time. UCCI's clock without moves to go and increment is the time for one move.
fn clock(numbers: &Numbers, side: Side, unit: i64) -> Option<Clock> {
    /// A hundred years; keeps sums of times far from overflow.
    const MAX: i64 = 3_155_760_000_000;
    let [own, own_increment, other] = match side {
        Side::First => ["wtime", "winc", "btime"],
        Side::Second => ["btime", "binc", "wtime"],
    };
    let in_units = |word| numbers.get(word).map(|time| time.saturating_mul(unit));
    let [time, other_time, increment] = ["time", "opptime", "increment"].map(in_units);
    let is_one_move = (time.is_some() || other_time.is_some()) && increment.is_none();
    let moves_to_go = numbers.get("movestogo").or(is_one_move.then_some(1)).filter(|&moves| moves > 0);
    let remaining = time.or(numbers.get(own)).or(other_time).or(numbers.get(other))?;
    Some(Clock {
        remaining: milliseconds(remaining.min(MAX)),
        increment: milliseconds(increment.or(numbers.get(own_increment)).unwrap_or(0).min(MAX)),
        moves_to_go: moves_to_go.map(|moves| clamped(moves, 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_clamped_and_the_whole_part_of_decimals_is_read() {
        for (word, whole) in [
            ("12", 12),
            ("-3", -3),
            ("+4", 4),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
            ("1.5", 1),
            ("-2.75", -2),
            ("300.0", 300),
        ] {
            let mut odd = Vec::new();
            assert_eq!(number(word, "x", &mut odd), Some(whole), "{word}");
            assert_eq!(!odd.is_empty(), word.contains('.'), "{word}");
        }
        for word in ["", "x", "-", "+", ".5", "1.5.2", "1,5", "1e3", "-.", "1:00", "0x10"] {
            let mut odd = Vec::new();
            assert_eq!((number(word, "x", &mut odd), odd), (None, vec![]), "{word}");
        }
    }

    #[test]
    fn moves_are_distinguished_from_other_words() {
        for word in ["e2e4", "a7a8q", "0000", "h2e2", "i9i0", "a10a9", "i9i10", "b10d10"] {
            assert!(looks_like_move(word), "{word}");
        }
        for word in ["", "e2", "e2e4qq", "e2e44", "j1j2", "depth", "e-e4", "E2E4", "ä2e4", "a11a1", "a1", "a10"] {
            assert!(!looks_like_move(word), "{word}");
        }
        let mut words = Words::new(" h2e2\th9g7 nodes 5");
        assert_eq!(words.moves(), ["h2e2", "h9g7"]);
        assert_eq!(words.rest(), "nodes 5");
    }

    #[test]
    fn bench_does_what_it_is_asked_or_refuses() {
        let bench = |line| Words::new(line).bench();
        let of = |hash, threads, limit, kind| Ok(Bench { hash, threads, limit, kind });
        use BenchLimit::{Depth, Nodes, Time};
        for (line, expected) in [
            ("", of(None, None, None, Depth)),
            ("7", of(None, None, Some(7), Depth)),
            ("16 2", of(Some(16), Some(2), None, Depth)),
            ("16 1 13 default depth NNUE", of(Some(16), Some(1), Some(13), Depth)),
            ("16 1 100 NODES", of(Some(16), Some(1), Some(100), Nodes)),
            ("16 1 100 default Movetime", of(Some(16), Some(1), Some(100), Time)),
        ] {
            assert_eq!(bench(line), expected, "{line}");
        }
        for (line, word) in [
            ("16 1 100 current nodes", "current"),
            ("1 deep x", "deep"),
            ("16 1 5 default perft", "perft"),
            ("16 1 5 default eval", "eval"),
            ("16 1 5 default mate", "mate"),
            ("16 1 5 positions.epd depth", "positions.epd"),
            ("16 1 5 depth 7", "7"),
            ("1.5", "1.5"),
            ("0", "0"),
            ("16 -1 5", "-1"),
            ("depth 5", "5"),
            ("99999999999999999999", "99999999999999999999"),
        ] {
            let fault = format!("bench: unexpected \"{word}\"; expected bench DEPTH, or ");
            assert!(bench(line).is_err_and(|error| error.starts_with(&fault)), "{line}");
        }
    }

    fn read(protocol: Protocol, line: &str) -> Command {
        Go::read(Words::new(line), protocol, &mut Vec::new())
    }

    fn go(protocol: Protocol, line: &str) -> Go {
        match read(protocol, line) {
            Command::Go(go) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn uci(line: &str) -> Go {
        go(Protocol::Uci, line)
    }

    #[test]
    fn parameters_are_read_in_any_order() {
        let expected = Limits {
            clock: Some(Clock { increment: Duration::from_millis(1), ..Clock::default() }),
            depth: Some(u32::MAX),
            ..Limits::default()
        };
        for line in [
            "searchmoves e2e4 a7a8q wtime -12 btime 300 winc 1 depth 99999999999999999999",
            "depth 99999999999999999999 winc 1 foo btime +300 searchmoves e2e4 a7a8q wtime -12",
            "searchmoves e2e4 depth 99999999999999999999 searchmoves a7a8q winc 1.9 btime 300 wtime -12 binc",
        ] {
            let go = uci(line);
            assert_eq!((go.limits, go.moves), (expected, vec!["e2e4".into(), "a7a8q".into()]), "{line}");
        }
        let limits = |line| uci(line).limits;
        assert_eq!(limits("depth infinite"), Limits::infinite());
        assert_eq!(limits("nodes -99999999999999999999").nodes, Some(1));
        let mate = Limits { mate: Some(3), ..Limits::default() };
        assert_eq!(limits("movetime x mate 3"), mate);
        assert_eq!((uci("searchmoves nodes 5").moves, limits("searchmoves nodes 5").nodes), (vec![], Some(5)));
        for (line, depth) in
            [("perft 3", 3), ("perft 2.9", 2), ("perft", u32::MAX), ("perft x", u32::MAX), ("perft -3", u32::MAX)]
        {
            assert_eq!(read(Protocol::Uci, line), Command::Perft(depth), "{line}");
        }
        assert_eq!(limits("draw depth 0 time 3"), Limits::depth(1), "words of UCCI");
        assert!(!uci("draw").draw);
        for unread in ["wtime 1:00 btime 1:00", "depth5", "movtime 500", "ponder wtime x"] {
            assert_eq!(limits(unread).movetime, Some(UNREAD_LIMIT), "{unread}");
        }
        assert!(limits("").is_endless() && limits("infinite x").is_endless());
    }

    #[test]
    fn ucci_has_its_own_clock_beside_the_words_of_uci() {
        let clock = |side, unit, line| {
            let clock = go(Protocol::Ucci, line).clock(side, unit)?;
            let ms = [clock.remaining, clock.increment].map(|time| time.as_millis());
            Some((ms[0], ms[1], clock.moves_to_go))
        };
        for side in Side::BOTH {
            assert_eq!(clock(side, 1000, "time 60"), Some((60_000, 0, Some(1))));
            assert_eq!(clock(side, 1, "time 60 increment 2"), Some((60, 2, None)));
            assert_eq!(clock(side, 1, "time 60 movestogo 9"), Some((60, 0, Some(9))));
            assert_eq!(clock(side, 1, "opptime 60 oppincrement 5"), Some((60, 0, Some(1))));
            assert_eq!(clock(side, 1, "depth 3"), None);
            assert_eq!(clock(side, 1, "time 60 wtime 1 btime 2 increment 0"), Some((60, 0, None)));
        }
        assert_eq!(clock(Side::First, 1000, "wtime 60 btime 70"), Some((60, 0, None)));
        assert_eq!(clock(Side::Second, 1000, "wtime 60 btime 70 binc 5"), Some((70, 5, None)));
        let ucci = |line| go(Protocol::Ucci, line);
        assert!(ucci("draw").draw && !ucci("depth 1").draw);
        assert_eq!(read(Protocol::Ucci, "depth 0"), Command::StaticScore);
        assert!(ucci("depth 0 infinite").limits.infinite);
        for (line, ponder, infinite) in [
            ("", false, true),
            ("ponder", true, true),
            ("ponder depth 3", false, false),
            ("ponder time 3", true, false),
            ("ponder infinite", false, true),
            ("ponder infinite time 3", true, true),
        ] {
            let Limits { ponder: ponders, infinite: is_infinite, until_mate, .. } = ucci(line).limits;
            assert_eq!((ponders, is_infinite, until_mate), (ponder, infinite, infinite), "{line}");
        }
    }

    #[test]
    fn clocks_accept_any_number() {
        let clock = |side: Side, line: &str| uci(line).clock(side, 1);
        assert_eq!(clock(Side::First, ""), None);
        for side in Side::BOTH {
            assert_eq!(clock(side, "wtime -12").map(|c| c.remaining), Some(Duration::ZERO));
        }
        let line = "wtime 9223372036854775807 btime 100 winc 9223372036854775807 binc -9999999999999999999";
        for moves in ["0", "-5", "-9223372036854775808"] {
            let given = format!("{line} movestogo {moves}");
            assert_eq!(clock(Side::First, &given).and_then(|c| c.moves_to_go), None);
        }
        let black = clock(Side::Second, line).unwrap();
        assert_eq!(black.remaining, Duration::from_millis(100));
        assert_eq!(black.increment, Duration::ZERO);
        let white = clock(Side::First, line).unwrap();
        assert!(white.remaining.checked_mul(1000).is_some());
    }
}
