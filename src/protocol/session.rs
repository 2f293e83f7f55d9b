//! The session: it executes the other program's lines and prints what a search reports, one message after the other.
//!
//! Lines and reports come through one channel, so lines are read during a search, and it is clear which came first:
//!
//! * `stop`, `isready`, `debug` and `quit` are executed at once. `stop` and `quit` apply to every `go` before them: to
//!   the running search and to those that wait. `isready` after a `stop` waits for the answer of the stopped search.
//! * What would disturb the search waits for its answer: another `go`, `bench`, and what changes the hash table, the
//!   number of threads or the game. A search that only a command can end is then stopped; any other is finished. So
//!   each `go` has one answer, in order.
//! * Everything else, such as `position` or `ponderhit`, is executed when it is read, unless an earlier line waits:
//!   then it waits in turn.
//! * `go perft` and `bench` are finished before the next line is executed, in UCCI's batch mode searches too.
//! * At the end of the input all waiting lines are executed in this way, an endless search is stopped, and the program
//!   exits.
//!
//! The protocols allow an engine to ignore commands during a search, but programs rely on more. PolyGlot, and XBoard
//! through it, send `stop`, `position` and `go` at once at every ponder miss and whenever the user steps through an
//! analysis. ChessX and PyChess do so whenever the move or the number of lines changes. None of them waits for the
//! answer; without the second search they lose on time or show nothing.

use super::command::{Oddity, PositionText, Protocol, Request, Words, belongs_to_go};
use super::games::{Bench, Variant};
use super::output::{self, Lines, Output};
use super::play::{AnyGame, Message, Options, Search, on_game};
use super::{ucci, uci};
use crate::base::text::hint;
use crate::game::text::fault::quoted;
use std::collections::{HashSet, VecDeque};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Most words that are reported as not understood.
const MAX_REPORTED: usize = 200;

/// Longest line in characters that is repeated in a hint.
const MAX_HINTED: usize = 40;

/// No more is read while lines of so many bytes wait to be executed.
const MAX_WAITING: usize = 64 << 20;

/// Stack size of the thread that reads.
const READER_STACK: usize = 256 << 10;

/// The answer to `help` on a terminal; elsewhere it is one protocol line.
const HELP: &str = "\
Tabiya speaks UCI, or UCCI if the first command is `ucci`. Common commands:
  position startpos moves e2e4 e7e5   set the position; also `position fen FEN`
  d                                   print the position
  eval                                print the static evaluation
  go depth 15, go movetime 5000       search; `go infinite` searches until `stop`
  go perft 6                          count the legal move sequences of 6 plies; `stop` does not end it
  setoption name Threads value 2      set an option; `uci` lists the options
  setoption name UCI_Variant value xiangqi
                                      switch to xiangqi; `chess` switches back
  bench                               run the search benchmark
  quit                                exit, like `exit`
For command-line options see `tabiya --help`.";

/// How the program was started: what a session needs from the layer above.
#[derive(Clone, Copy, Default)]
pub struct Console {
    /// The game to begin with in UCI.
    pub game: Variant,
    /// Whether stdin and stdout are a terminal.
    pub is_terminal: bool,
}

/// The state of a session.
pub struct Session {
    pub(super) output: Output,
    pub(super) game: AnyGame,
    pub(super) options: Options,
    console: Console,
    search: Option<Search>,
    /// Lines that wait to be executed. If there are any, the first one waits for the search that runs.
    waiting: VecDeque<String>,
    /// The number of lines at the head of `waiting` that came before a `stop`.
    stopped: usize,
    /// Bytes of lines that have been read and not yet executed.
    backlog: Arc<AtomicUsize>,
    /// Nothing more will be read.
    is_ended: bool,
    mail: Sender<Message>,
    inbox: Receiver<Message>,
    /// The words that have been reported as not understood, cut to a bounded length.
    reported: HashSet<String>,
}

impl Session {
    /// A session of UCI in the initial position.
    pub fn new(output: Output, console: Console) -> Self {
        let (mail, inbox) = channel();
        let mut session = Session {
            output,
            game: AnyGame::new(console.game),
            options: Options::default(),
            console,
            search: None,
            waiting: VecDeque::new(),
            stopped: 0,
            backlog: Arc::default(),
            is_ended: false,
            mail,
            inbox,
            reported: HashSet::new(),
        };
        session.set_defaults();
        session
    }

    /// Starts afresh with UCCI.
    pub(super) fn change_to_ucci(&mut self) {
        (self.output.protocol, self.output.debug) = (Protocol::Ucci, false);
        self.game = AnyGame::new(Variant::Xiangqi);
        self.options = Options::default();
        self.options.ranks.option = Some(0);
        self.reported.clear();
        self.set_defaults();
    }

    /// Changes the game, if it is another one. Options are kept; the book, the hash table and the values of positions
    /// are not.
    pub(super) fn change_game(&mut self, game: Variant) {
        if game == self.game.variant() {
            return;
        }
        let settings = *self.game.settings();
        let (threads, hash) = on_game!(&self.game, playing => (playing.engine.threads, playing.engine.hash_size()));
        self.game = AnyGame::new(game);
        *self.game.settings() = settings;
        let set = self.set_threads(threads);
        self.report_error("Threads", set);
        let set = self.resize_hash(hash);
        self.report_error("Hash", set);
        self.adapt_root();
        if !self.options.tablebase_path.is_empty() {
            self.open_tablebase(&self.options.tablebase_path.clone());
        }
    }

    /// The name of the game that the program started with.
    pub(super) fn first_game(&self) -> &'static str {
        self.console.game.name()
    }

    // --- the loop -----------------------------------------------------------------------------------

    /// Executes the lines of `input` until the program exits.
    pub fn run(mut self, input: impl Read + Send + 'static) {
        let (mail, backlog) = (self.mail.clone(), Arc::clone(&self.backlog));
        let reader = thread::Builder::new().name("input".into()).stack_size(READER_STACK);
        if let Err(error) = reader.spawn(move || read_lines(input, &mail, &backlog)) {
            self.output.error(&format!("no thread to read the input: {error}"));
            std::process::exit(2);
        }
        while !(self.is_ended && self.waiting.is_empty() && self.search.is_none()) {
            // The session has a sender itself, so the channel is never closed.
            let Ok(message) = self.inbox.recv() else { return };
            match message {
                Message::Line(Ok(line)) => self.take(line),
                Message::Line(Err(error)) => self.output.error(&error),
                Message::End if self.console.is_terminal => self.quit(),
                Message::End => {
                    self.is_ended = true;
                    self.execute_waiting();
                }
                Message::Info(text) => self.output.say(&text),
                Message::Answer(text) => {
                    self.output.say(&text);
                    self.search = None;
                    self.execute_waiting();
                }
            }
        }
        if self.output.protocol == Protocol::Ucci {
            self.output.say("bye");
        }
    }

    /// Takes a line that has been read: executes it at once, or adds it to those that wait.
    fn take(&mut self, line: String) {
        if self.is_ended {
            return;
        }
        let command = self.output.protocol.command_of(&line).map(|(command, _)| command);
        if command == Some("quit") || command.is_none() && self.console.is_terminal && line.trim() == "exit" {
            return self.quit();
        }
        let now = match &self.search {
            Some(search) if !search.is_batch => match command {
                Some("stop" | "debug") => true,
                // After a `stop` it is answered in order: little is left to do before it.
                Some("isready") => !search.is_stopped,
                _ => false,
            },
            _ => false,
        };
        if now {
            if command == Some("stop") {
                self.stopped = self.waiting.len();
            }
            self.execute(&line, false);
            self.backlog.fetch_sub(line.len(), Relaxed);
            return;
        }
        self.waiting.push_back(line);
        if self.waiting.len() == 1 {
            self.execute_waiting();
        }
    }

    /// Stops all searches and executes what waits; the program exits then.
    fn quit(&mut self) {
        self.is_ended = true;
        if let Some(search) = self.search.as_mut().filter(|search| !search.is_batch) {
            search.stop();
            self.stopped = self.waiting.len();
        }
        self.execute_waiting();
    }

    /// Executes the lines that wait, up to one that has to wait for the search that runs.
    fn execute_waiting(&mut self) {
        while let Some(line) = self.waiting.pop_front() {
            if !self.execute(&line, self.stopped > 0) {
                self.waiting.push_front(line);
                break;
            }
            self.backlog.fetch_sub(line.len(), Relaxed);
            self.stopped = self.stopped.saturating_sub(1);
        }
        let Some(search) = &mut self.search else { return };
        if (search.needs_stop || search.is_pondering) && (self.is_ended || !self.waiting.is_empty()) {
            search.stop();
        }
        if !search.is_stopped && !search.is_batch {
            self.answer_waiting_isready();
        }
    }

    /// Answers each `isready` that waits, now that the lines before it have begun a search.
    fn answer_waiting_isready(&mut self) {
        let protocol = self.output.protocol;
        let is_isready = |line: &String| matches!(protocol.command_of(line), Some(("isready", _)));
        let (asked, others): (VecDeque<_>, VecDeque<_>) = self.waiting.drain(..).partition(is_isready);
        self.waiting = others;
        for line in asked {
            self.execute(&line, false);
            self.backlog.fetch_sub(line.len(), Relaxed);
        }
    }

    // --- lines --------------------------------------------------------------------------------------

    /// Reports what was not understood in a line, each word once.
    pub(super) fn report_oddities(&mut self, odd: Vec<Oddity>) {
        for Oddity { word, text } in odd {
            let reported = &mut self.reported;
            if word.is_empty() || reported.len() < MAX_REPORTED && reported.insert(quoted(&word)) {
                self.output.remark(&text);
            }
        }
    }

    /// Reports that `line` has no known command.
    fn report_unknown(&self, line: &str) {
        let line = line.trim();
        let word = Words::new(line).next().unwrap_or_default();
        let hint = if belongs_to_go(word) && line.chars().count() <= MAX_HINTED {
            format!("did you mean go {line}?")
        } else if belongs_to_go(word) || word.len() < 3 {
            // A word like `x` resembles too many commands.
            String::new()
        } else {
            hint(word, self.output.protocol.commands().split_ascii_whitespace(), "")
        };
        let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
        self.output.remark(&format!("unknown command {}{hint}", quoted(line)));
    }

    /// Whether a line has to wait for the search that runs, because it would disturb it.
    fn must_wait(&self, line: &str, command: &str, words: &Words<'_>) -> bool {
        let Some(search) = &self.search else { return false };
        search.is_batch
            || match command {
                "go" | "ucinewgame" | "bench" | "speedtest" => true,
                "ucci" => self.output.protocol == Protocol::Uci,
                "setoption" => self.read_option(words.clone()).is_some_and(|(name, _)| self.option_waits(&name)),
                "position" | "fen" | "startpos" if self.output.protocol == Protocol::Uci => {
                    let game = uci::read_position(line, &mut Vec::new());
                    game.is_some_and(|game| self.other_game(&game).is_some())
                }
                _ => false,
            }
    }

    /// The other game, if the FEN is a position of it.
    fn other_game(&self, game: &PositionText<'_>) -> Option<Variant> {
        if self.output.protocol == Protocol::Ucci {
            return None;
        }
        let other = Variant::of_fen(game.fen.as_ref()?).ok()?;
        (other != self.game.variant()).then_some(other)
    }

    /// Executes one line, unless it has to wait for the search that runs: then the result is false. A search that it
    /// begins is stopped at once if it `is_stopped`.
    fn execute(&mut self, line: &str, is_stopped: bool) -> bool {
        let protocol = self.output.protocol;
        let Some((command, mut words)) = protocol.command_of(line) else {
            self.report_unknown(line);
            return true;
        };
        if self.must_wait(line, command, &words) {
            return false;
        }
        let output = &self.output;
        match command {
            "go" => self.go(words, is_stopped),
            "stop" => self.stop(),
            "ponderhit" => self.ponder_hit(words.any(|word| word == "draw")),
            "isready" => self.be_ready(),
            "position" | "fen" | "startpos" => self.set_position(line, words),
            "setoption" => match self.read_option(words) {
                Some((name, value)) => self.set_option(&name, value),
                None => output.error("setoption: expected the name of an option"),
            },
            "ucinewgame" => on_game!(&mut self.game, playing => playing.engine.clear()),
            "uci" => output.say(&uci::hello(&self.option_lines())),
            "ucci" => {
                if protocol == Protocol::Uci {
                    self.change_to_ucci();
                }
                self.output.say(&ucci::hello(&self.option_lines()));
            }
            "debug" => match words.find(|word| matches!(*word, "on" | "off")) {
                Some(word) => self.output.debug = word == "on",
                None => output.remark("debug: expected on or off"),
            },
            "banmoves" => on_game!(&mut self.game, playing => playing.ban(words, output)),
            "probe" => self.probe(words),
            "d" => output.say(&on_game!(&self.game, playing => output::diagram(&playing.root(&self.options)))),
            "eval" => output.say(&on_game!(&self.game, playing => match protocol {
                Protocol::Uci => uci::evaluation(&playing.root(&self.options)),
                Protocol::Ucci => ucci::evaluation(&playing.root(&self.options)),
            })),
            "bench" => self.bench(words.bench()),
            "speedtest" => self.bench(words.speedtest()),
            "help" if self.console.is_terminal => output.say(HELP),
            "help" => output.remark(&format!("commands: {}", protocol.commands())),
            // `register` needs no action; `quit` was executed when it was read.
            _ => {}
        }
        true
    }

    /// The name and the value of a `setoption`.
    fn read_option<'a>(&self, words: Words<'a>) -> Option<(String, &'a str)> {
        match self.output.protocol {
            Protocol::Uci => uci::read_option(words),
            Protocol::Ucci => ucci::read_option(words),
        }
    }

    fn be_ready(&mut self) {
        let has_book = self.options.own_book;
        on_game!(&mut self.game, playing => {
            playing.engine.prepare();
            if has_book {
                playing.load_book();
            }
        });
        self.output.say("readyok");
    }

    fn set_position(&mut self, line: &str, words: Words<'_>) {
        let mut odd = Vec::new();
        let game = match self.output.protocol {
            Protocol::Uci => uci::read_position(line, &mut odd),
            Protocol::Ucci => Some(words.position("position", &mut odd)),
        };
        let Some(game) = &game else { return self.report_unknown(line) };
        self.report_oddities(odd);
        if let Some(other) = self.other_game(game) {
            let name = other.name();
            self.options.is_shuffled = false;
            self.output.remark(&format!("this is a {name} position; switching to {name}"));
            self.change_game(other);
        }
        on_game!(&mut self.game, playing => playing.set_position(game, &mut self.options, &self.output));
    }

    fn probe(&mut self, words: Words<'_>) {
        let mut odd = Vec::new();
        let game = words.position("probe", &mut odd);
        self.report_oddities(odd);
        on_game!(&self.game, playing => playing.probe(&game, &mut self.options, &self.output));
    }

    fn bench(&mut self, request: Result<Bench, String>) {
        match request {
            Ok(request) => on_game!(&self.game, playing => playing.bench(&request, &self.output)),
            Err(error) => self.output.error(&error),
        }
    }

    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            return search.stop();
        }
        match self.output.protocol {
            Protocol::Uci => self.output.remark_if_debug(|| "stop ignored: no search is running".to_string()),
            Protocol::Ucci => self.output.say("nobestmove"),
        }
    }

    fn ponder_hit(&mut self, draw: bool) {
        if let Some(search) = &mut self.search {
            search.draw_offered.fetch_or(draw, Relaxed);
            search.is_pondering = false;
            search.handle.ponder_hit();
        }
    }

    fn go(&mut self, words: Words<'_>, is_stopped: bool) {
        let side = on_game!(&self.game, playing => playing.current.side());
        let unit = if self.options.milliseconds { 1 } else { 1000 };
        let mut odd = Vec::new();
        let mut go = Request::read(words, self.output.protocol, side, unit, &mut odd);
        self.report_oddities(odd);
        go.limits.overhead = self.options.overhead;
        self.search = on_game!(&mut self.game, playing => {
            playing.go(&go, &mut self.options, &self.output, &self.mail)
        });
        if let Some(search) = self.search.as_mut().filter(|_| is_stopped) {
            search.stop();
        }
    }
}

/// Sends the lines of `input` to the session, but waits while too much of it has not been executed.
fn read_lines(input: impl Read, mail: &Sender<Message>, backlog: &AtomicUsize) {
    for line in Lines::new(input) {
        backlog.fetch_add(line.as_ref().map_or(0, String::len), Relaxed);
        if mail.send(Message::Line(line)).is_err() {
            return;
        }
        while backlog.load(Relaxed) > MAX_WAITING {
            thread::sleep(Duration::from_millis(1));
        }
    }
    // If the session has ended, it needs no more.
    let _ = mail.send(Message::End);
}
