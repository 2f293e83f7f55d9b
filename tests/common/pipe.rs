//! Drives a program over real pipes, with time-outs everywhere and a record of the dialogue.
//!
//! A dialogue with our own program ends with `quit` and a check of every line ([`Pipe::check_dialogue`]) when it is
//! dropped, so that no test can forget that.

use super::own::own;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::chess;
use tabiya::game::{Position, Rules};

/// The time-out of a wait, far more than any answer needs.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The time-out for the program's exit, for a busy machine; the aim is a second.
pub const LEAVING: Duration = Duration::from_secs(5);

/// No lines.
pub const SILENCE: [&str; 0] = [];

/// Marks a last line of output that has no newline.
pub const TORN: &str = " (no newline)";

/// The median of some times. A single time may be an outlier: a busy machine now and then keeps any process
/// waiting for tenths of a second.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The first of up to five attempts that takes less than `most`, or else the last, with its time.
pub fn quickest<T>(most: Duration, mut attempt: impl FnMut() -> T) -> (T, Duration) {
    let mut tries = 0;
    loop {
        let start = Instant::now();
        let result = attempt();
        let time = start.elapsed();
        tries += 1;
        if time < most || tries == 5 {
            return (result, time);
        }
    }
}

/// Waits up to some hundred microseconds at random, mostly little or not at all.
pub fn dither(rng: &mut SplitMix64) {
    match rng.below(8) {
        0..=3 => {}
        4 => std::thread::yield_now(),
        5 | 6 => {
            let (start, most) = (Instant::now(), rng.below(150) as u128);
            while start.elapsed().as_micros() < most {
                std::hint::spin_loop();
            }
        }
        _ => std::thread::sleep(Duration::from_micros(rng.below(600) as u64)),
    }
}

/// One line of the dialogue.
#[derive(Clone, Debug)]
pub enum Event {
    Sent(String),
    Received(String),
}

/// A running program.
pub struct Pipe {
    child: Child,
    /// To the writing thread. Only that thread blocks if the program does not read.
    input: Option<Sender<Vec<u8>>>,
    /// From the writing thread, once bytes are written.
    written: Receiver<io::Result<()>>,
    lines: Receiver<String>,
    record: Arc<Mutex<Vec<Event>>>,
    /// Whether the program is ours, and its dialogue is checked in the end.
    is_own: bool,
}

impl Pipe {
    /// Starts the program without arguments.
    pub fn start() -> Pipe {
        Pipe::start_with(&[])
    }

    /// Starts the program with additional environment variables.
    pub fn start_with(environment: &[(&str, &str)]) -> Pipe {
        Pipe::launch(&[], environment)
    }

    /// Starts the program with arguments and additional environment variables.
    pub fn launch(arguments: &[&str], environment: &[(&str, &str)]) -> Pipe {
        let mut command = Command::new(own());
        command.args(arguments).envs(environment.iter().copied());
        Pipe::of_own(&mut command)
    }

    /// Starts a command that runs the program.
    pub fn of_own(command: &mut Command) -> Pipe {
        let mut pipe = Pipe::of(command).expect("the program starts");
        pipe.is_own = true;
        pipe
    }

    /// Starts a program.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn of(command: &mut Command) -> io::Result<Pipe> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().expect("a pipe");
        let mut stdin = child.stdin.take().expect("a pipe");
        let (input, texts) = channel::<Vec<u8>>();
        let (done, written) = channel();
        std::thread::spawn(move || {
            for bytes in texts {
                if done.send(stdin.write_all(&bytes).and_then(|()| stdin.flush())).is_err() {
                    return;
                }
            }
        });
        let (sender, lines) = channel();
        let record = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&record);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut bytes = Vec::new();
                if !output.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
                    return;
                }
                let torn = bytes.pop_if(|byte| *byte == b'\n').is_none();
                let mut line = String::from_utf8(bytes).expect("the output is UTF-8");
                if torn {
                    line.push_str(TORN);
                }
                log.lock().unwrap().push(Event::Received(line.clone()));
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Pipe { child, input: Some(input), written, lines, record, is_own: false })
    }

    /// Starts the program and goes through `uci`.
    pub fn uci() -> Pipe {
        Pipe::uci_with("1")
    }

    /// The same with limits of time that are divided by `divisor`, such as that before the first report of a search's
    /// current move.
    pub fn uci_with(divisor: &str) -> Pipe {
        let mut pipe = Pipe::start_with(&[("TABIYA_TIME_LIMIT_DIVISOR", divisor)]);
        pipe.ask("uci", "uciok");
        pipe
    }

    /// Sends a line, or several.
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let mut record = self.record.lock().unwrap();
        if !self.is_own {
            // A reference answers hundreds of thousands of times.
            let old = record.len().saturating_sub(100);
            record.drain(..old);
        }
        record.extend(String::from_utf8_lossy(bytes).lines().map(|line| Event::Sent(line.to_string())));
        drop(record);
        let input = self.input.as_ref().expect("stdin is open");
        input.send(bytes.to_vec()).expect("the thread that writes");
        let written = self.written.recv_timeout(PATIENCE).expect("the program reads in time");
        written.expect("the program reads");
    }

    /// The next line, if there is one in time.
    pub fn line(&self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// All lines up to the first that begins with the word `word`, that one included.
    pub fn until(&self, word: &str) -> Vec<String> {
        self.until_within(word, PATIENCE)
    }

    /// The same with a given time-out.
    pub fn until_within(&self, word: &str, patience: Duration) -> Vec<String> {
        self.until_any_within(&[word], patience)
    }

    /// All lines up to the first that begins with one of `words`, that one included.
    pub fn until_any_within(&self, words: &[&str], patience: Duration) -> Vec<String> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        loop {
            let left = patience.saturating_sub(start.elapsed());
            let Some(line) = self.line(left) else {
                panic!("no {words:?} within {patience:?}; dialogue: {:#?}", self.dialogue());
            };
            let found = line.split_whitespace().next().is_some_and(|word| words.contains(&word));
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends one command and returns the lines up to the answer that begins with `word`.
    pub fn ask(&mut self, command: &str, word: &str) -> Vec<String> {
        self.send(command);
        self.until(word)
    }

    /// The lines up to the answer of a search.
    pub fn answer(&self) -> Vec<String> {
        self.until_any_within(&["bestmove", "nobestmove"], PATIENCE)
    }

    /// Sends `go …`, or what ends a search, and returns the lines up to the answer.
    pub fn go(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        self.answer()
    }

    /// Sends a search, with what comes before it, and waits for its first line.
    pub fn begin(&mut self, commands: &str) {
        self.ask(commands, "info");
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines
    }

    /// Sends commands and returns what the program says of them before it is ready again.
    pub fn says(&mut self, commands: &str) -> Vec<String> {
        let mut lines = self.ask(&format!("{commands}\nisready"), "readyok");
        lines.pop();
        lines
    }

    /// The median time from `isready` to the answer, of 41 times while it thinks, without an answer of the search.
    pub fn ready_time(&mut self) -> Duration {
        let times = (0..41).map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            let asked = Instant::now();
            let lines = self.sync();
            assert!(lines.iter().all(|line| !line.contains("bestmove")), "disturbed: {lines:?}");
            asked.elapsed()
        });
        median(times.collect())
    }

    /// Asserts that it thinks for `time` without an answer; returns its lines.
    pub fn thinks(&self, time: Duration) -> Vec<String> {
        let lines = self.listen(time);
        assert!(lines.iter().all(|line| line.starts_with("info ")), "it has answered: {lines:?}");
        lines
    }

    /// All lines that come within `time`.
    pub fn listen(&self, time: Duration) -> Vec<String> {
        self.listen_until(time, |_| false)
    }

    /// All lines that come within `time`, or until there are enough.
    pub fn listen_until(&self, time: Duration, enough: impl Fn(&[String]) -> bool) -> Vec<String> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        while let Some(line) = self.line(time.saturating_sub(start.elapsed())).filter(|_| !enough(&lines)) {
            lines.push(line);
        }
        lines
    }

    /// All remaining lines of a program that has ended or is about to end.
    pub fn rest(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("the output does not end; dialogue: {:#?}", self.dialogue())
                }
            }
        }
    }

    /// Closes the program's stdin.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The exit status, if the program ends in time.
    pub fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the program can be waited for") {
                return Some(status);
            }
            if start.elapsed() > patience {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The CPU time of all threads so far, in steps of 10 ms; `None` where the system does not report it.
    pub fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The twelfth and thirteenth fields after the name, which may contain anything: user and system time.
        let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
        let mut ticks = || fields.next()?.parse::<u64>().ok();
        Some(Duration::from_millis(10 * (ticks()? + ticks()?)))
    }

    /// How many threads the program has now; `None` where the system does not report it.
    pub fn threads(&self) -> Option<usize> {
        Some(std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?.count())
    }

    /// Leaves the dialogue unchecked, in which it cannot be known which `go` is answered.
    pub fn leave_unchecked(&mut self) {
        self.is_own = false;
    }

    /// All lines so far, in both directions.
    pub fn dialogue(&self) -> Vec<Event> {
        self.record.lock().unwrap().clone()
    }

    /// Asserts that every line has a form of the protocol, unless a command prints something for people, that each `go`
    /// has one answer, that analysis comes only during a search, and that `nobestmove` without a `go` comes only for an
    /// idle `stop`.
    pub fn check_dialogue(&self) {
        let events = self.dialogue();
        let was_sent = |words: &[&str]| {
            let of = |line: &str| line.split_whitespace().any(|word| words.contains(&word));
            events.iter().any(|event| matches!(event, Event::Sent(line) if of(line)))
        };
        let check = if was_sent(&["ucci"]) { check_ucci_line } else { check_line };
        let prints = was_sent(&["d", "eval", "perft", "bench", "speedtest"]);
        let (mut pending, mut stops) = (0, 0);
        for event in &events {
            match event {
                Event::Sent(line) => match line.split_whitespace().next() {
                    Some("go") => pending += 1,
                    Some("stop") => stops += 1,
                    _ => {}
                },
                Event::Received(line) => {
                    if !prints {
                        check(line);
                    }
                    match line.split(' ').next() {
                        Some("bestmove" | "nobestmove") if pending > 0 => pending -= 1,
                        Some("bestmove") => panic!("{line:?} was not asked for"),
                        Some("nobestmove") if stops > 0 => stops -= 1,
                        Some("nobestmove") => panic!("{line:?} without a stop"),
                        Some("info") if !line.starts_with("info string") && !line.starts_with("info message") => {
                            assert!(pending > 0, "analysis without a search: {line:?}");
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        if self.is_own && self.input.is_some() && !std::thread::panicking() && self.ended(Duration::ZERO).is_none() {
            // It may have been about to end by itself: then nobody reads this.
            self.record.lock().unwrap().push(Event::Sent("quit".to_string()));
            let _ = self.input.as_ref().expect("stdin is open").send(b"quit\n".to_vec());
            let status = self.ended(LEAVING).expect("exit after quit");
            assert!(status.success(), "{status}");
            self.check_dialogue();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// a line begins with one of eight words, without blanks before it or a carriage return at the end. An
/// `info` line has known fields only.
pub fn check_line(line: &str) {
    let words = ["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];
    let word = line.split(' ').next().unwrap_or("");
    assert!(words.contains(&word), "{line:?}");
    assert_eq!(line, line.trim(), "blanks around {line:?}");
    assert!(!line.ends_with(TORN), "{line:?}");
    if word == "info" {
        info_fields(line).unwrap_or_else(|fault| panic!("{fault}: {line:?}"));
    }
}

/// Asserts that a line has one of UCCI's forms.
pub fn check_ucci_line(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(line, line.trim(), "blanks around {line:?}");
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    let well_formed = match words[..] {
        ["ucciok" | "readyok" | "nobestmove" | "bye"] => true,
        ["id", "name" | "copyright" | "author" | "user", _, ..] => true,
        ["option", _, "type", _, ..] | ["pophash", ..] | ["info", "message", _, ..] => true,
        ["bestmove", _, ref rest @ ..] => {
            matches!(rest, [] | ["draw" | "resign"] | ["ponder", _] | ["ponder", _, "draw" | "resign"])
        }
        ["info", "currmove", m] => m.len() == 4,
        ["info", "time", time, "nodes", nodes] => is_number(time) && is_number(nodes),
        ["info", "depth", depth, "score", score] => is_number(depth) && is_number(score),
        ["info", "depth", depth, "score", score, "pv", _, ..] => is_number(depth) && is_number(score),
        _ => false,
    };
    assert!(well_formed, "not a UCCI line: {line:?}");
}

/// The names of the fields of an `info` line of any game.
///
/// # Errors
/// A field that is unknown, repeated, without its value or with an invalid one.
pub fn info_fields(line: &str) -> Result<Vec<&str>, String> {
    let mut words = line.split(' ').skip(1).peekable();
    let mut fields = Vec::new();
    let is_move = |word: &str| {
        let mut ranks = word.split(|c: char| c.is_ascii_lowercase());
        let promotes = word.ends_with(['n', 'b', 'r', 'q']);
        ranks.next() == Some("")
            && [ranks.next(), ranks.next()]
                .map(|rank| rank.unwrap_or("").parse())
                .iter()
                .all(|r| matches!(r, Ok(0..=10)))
            && ranks.next() == promotes.then_some("")
    };
    while let Some(field) = words.next() {
        let range = match field {
            "depth" | "seldepth" | "time" | "nodes" | "nps" | "tbhits" | "sbhits" => 0..=i64::MAX,
            "multipv" | "currmovenumber" => 1..=i64::MAX,
            "hashfull" | "cpuload" => 0..=1000,
            _ => 0..=0,
        };
        let fault = |what: &str| Err(format!("{field}: {what}"));
        let mut integer = || words.next().and_then(|word| word.parse::<i64>().ok());
        match field {
            "score" => {
                let kind = words.next();
                let value = words.next().map(str::parse::<i64>);
                if !matches!((kind, value), (Some("cp" | "mate"), Some(Ok(_)))) {
                    return fault("expected cp or mate and a number");
                }
                words.next_if(|word| ["lowerbound", "upperbound"].contains(word));
            }
            "wdl" => {
                if [integer(), integer(), integer()].iter().flatten().sum::<i64>() != 1000 {
                    return fault("expected three shares of 1000");
                }
            }
            "currmove" => {
                if !words.next().is_some_and(is_move) {
                    return fault("expected a move");
                }
            }
            "pv" => {
                if words.peek().is_none() || !words.by_ref().all(is_move) {
                    return fault("expected moves");
                }
            }
            "string" => {
                if words.by_ref().count() == 0 {
                    return fault("expected text");
                }
            }
            _ if range == (0..=0) => return fault("unknown field"),
            _ => {
                if !integer().is_some_and(|value| range.contains(&value)) {
                    return fault("expected a number in its range");
                }
            }
        }
        if fields.contains(&field) {
            return fault("twice");
        }
        fields.push(field);
    }
    if fields.is_empty() { Err("nothing in it".to_string()) } else { Ok(fields) }
}

/// The number after the word `name`.
pub fn number(line: &str, name: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|word| *word != name);
    words.next()?;
    words.next()?.parse().ok()
}

/// The moves after `pv`.
pub fn pv(line: &str) -> Vec<&str> {
    line.split(' ').skip_while(|word| *word != "pv").skip(1).collect()
}

/// The lines that carry a PV.
pub fn analysis(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info ") && line.contains(" pv ")).collect()
}

/// The move of the `bestmove` line that ends `lines`.
pub fn best(lines: &[String]) -> String {
    let last = lines.last().expect("an answer");
    last.split(' ').nth(1).unwrap_or_else(|| panic!("no move in {last:?}")).to_string()
}

/// The expected reply in the `bestmove` line.
pub fn reply(lines: &[String]) -> Option<String> {
    let last = lines.last().expect("an answer");
    let mut words = last.split(' ').skip_while(|word| *word != "ponder");
    words.next()?;
    words.next().map(str::to_string)
}

/// Replays moves from a position; panics at the first that is not legal.
pub fn replay(fen: &str, moves: &[&str]) -> chess::Position {
    replay_in(fen, moves)
}

/// The same for any game.
pub fn replay_in<B: Rules>(fen: &str, moves: &[&str]) -> Position<B> {
    let fen = if fen == "startpos" { B::START_FEN } else { fen };
    let mut pos = Position::<B>::from_fen(fen).expect("a position");
    for text in moves {
        let m = pos.parse_move(text).unwrap_or_else(|error| panic!("{moves:?}: {error}"));
        pos.make(m);
    }
    pos
}

/// Asserts that the best move, the ponder move and every PV are legal in `fen`; returns the best move.
pub fn legal_best<B: Rules>(fen: &str, lines: &[String]) -> String {
    let (answer, reply) = (best(lines), reply(lines));
    let mut moves = vec![answer.as_str()];
    moves.extend(reply.as_deref());
    replay_in::<B>(fen, &moves);
    for line in analysis(lines) {
        replay_in::<B>(fen, &pv(line));
    }
    answer
}

/// The FEN that `d` shows.
pub fn fen(pipe: &mut Pipe) -> String {
    let lines = pipe.ask("d", "Checkers:");
    let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
    line.expect("a line with the FEN").trim_end().to_string()
}
