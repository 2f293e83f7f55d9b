//! Drives the binary over real pipes, with time-outs everywhere and a record of the dialogue.
//!
//! Included by the protocol tests with `#[path]`; each uses a part of it.

#![allow(dead_code)]

use crate::own::own;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tabiya::base::rng::SplitMix64;
use tabiya::chess::Position;
use tabiya::game::Notation;

/// The time-out of a wait, far more than any answer needs.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The time-out for the program's exit, for a busy machine; the aim is a second.
pub const LEAVING: Duration = Duration::from_secs(5);

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

/// The shortest of three times: a busy machine makes a time longer, never shorter.
pub fn least_of_three(time: impl FnMut() -> Duration) -> Duration {
    std::iter::repeat_with(time).take(3).min().expect("three times")
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
        let mut child = Command::new(own())
            .args(arguments)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
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
        Pipe { child, input: Some(input), written, lines, record }
    }

    /// Starts the program and goes through `uci`.
    pub fn uci() -> Pipe {
        let mut pipe = Pipe::start();
        pipe.send("uci");
        pipe.until("uciok");
        pipe
    }

    /// Sends a line, or several.
    pub fn send(&mut self, text: &str) {
        for line in text.lines() {
            self.record.lock().unwrap().push(Event::Sent(line.to_string()));
        }
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
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
            let found = line.split(' ').next().is_some_and(|word| words.contains(&word));
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

    /// Sends `go …` and returns the lines up to `bestmove`.
    pub fn go(&mut self, go: &str) -> Vec<String> {
        self.ask(go, "bestmove")
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines
    }

    /// All lines that come within `time`.
    pub fn listen(&self, time: Duration) -> Vec<String> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        while let Some(line) = self.line(time.saturating_sub(start.elapsed())) {
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

    /// Sends `quit`, asserts a prompt and clean exit, and checks the whole dialogue.
    pub fn quit(mut self) {
        self.send("quit");
        let status = self.ended(LEAVING).expect("exit after quit");
        assert!(status.success(), "{status}");
        self.check_dialogue();
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

    /// All lines so far, in both directions.
    pub fn dialogue(&self) -> Vec<Event> {
        self.record.lock().unwrap().clone()
    }

    /// Asserts UCI-56 (lines begin with a UCI word), UCI-63 (one `bestmove` for every `go`) and that analysis
    /// comes only during a search. Only for dialogues without `d`, `eval` and perft.
    pub fn check_dialogue(&self) {
        let mut pending = 0;
        for event in self.dialogue() {
            match event {
                Event::Sent(line) if line.split_whitespace().next() == Some("go") => pending += 1,
                Event::Sent(_) => {}
                Event::Received(line) => {
                    check_line(&line);
                    let word = line.split(' ').next().unwrap_or("");
                    if word == "bestmove" {
                        assert!(pending > 0, "UCI-63: {line:?} was not asked for");
                        pending -= 1;
                    }
                    let analysis = word == "info" && !line.starts_with("info string");
                    assert!(!analysis || pending > 0, "analysis after bestmove: {line:?}");
                }
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// UCI-56: a line begins with one of eight words, without blanks before it or a carriage return at the end. An
/// `info` line has known fields only.
pub fn check_line(line: &str) {
    let words = ["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];
    let word = line.split(' ').next().unwrap_or("");
    assert!(words.contains(&word), "UCI-56: {line:?}");
    assert_eq!(line, line.trim(), "UCI-56: blanks around {line:?}");
    assert!(!line.ends_with(TORN), "UCI-05: {line:?}");
    if word == "info" {
        info_fields(line).unwrap_or_else(|fault| panic!("UCI-119: {fault}: {line:?}"));
    }
}

/// The names of the fields of an `info` line of any game.
///
/// # Errors
/// A field that is unknown, repeated, without its value or with an invalid one.
pub fn info_fields(line: &str) -> Result<Vec<&str>, String> {
    let mut words = line.split(' ').skip(1).peekable();
    let mut fields = Vec::new();
    let is_move = |word: &str| {
        let b = word.as_bytes();
        let square = |at: usize| b[at].is_ascii_lowercase() && b[at + 1].is_ascii_digit();
        let promotes = b.len() == 5 && b"nbrq".contains(&b[4]);
        word.is_ascii() && (b.len() == 4 || promotes) && square(0) && square(2)
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
            "pv" | "refutation" | "currline" => {
                if field == "currline" {
                    words.next_if(|word| word.parse::<u32>().is_ok_and(|cpu| cpu > 0));
                }
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
pub fn replay(fen: &str, moves: &[&str]) -> Position {
    replay_in(fen, moves)
}

/// The same for any game.
pub fn replay_in<P: Notation>(fen: &str, moves: &[&str]) -> P {
    let fen = if fen == "startpos" { P::START_FEN } else { fen };
    let mut pos = P::from_fen(fen).expect("a position");
    for text in moves {
        let m = pos.parse_move(text).unwrap_or_else(|error| panic!("{moves:?}: {error}"));
        pos.make(m);
    }
    pos
}

/// Asserts that the best move, the ponder move and every PV are legal in `fen`; returns the best move.
pub fn legal_best<P: Notation>(fen: &str, lines: &[String]) -> String {
    let (answer, reply) = (best(lines), reply(lines));
    let mut moves = vec![answer.as_str()];
    moves.extend(reply.as_deref());
    replay_in::<P>(fen, &moves);
    for line in analysis(lines) {
        replay_in::<P>(fen, &pv(line));
    }
    answer
}

/// The FEN that `d` shows.
pub fn fen(pipe: &mut Pipe) -> String {
    let lines = pipe.ask("d", "Checkers:");
    let line = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
    line.expect("a line with the FEN").to_string()
}
