//! The session: it executes the other program's lines and prints what a search reports, one message after the other.
//!
//! Lines and reports come through one channel, so lines are read during a search, and it is clear which came first. A
//! line is parsed when it is read. Then:
//!
//! * `stop`, `isready`, `debug` and `quit` are executed at once. `stop` and `quit` apply to every `go` before them: to
//!   the running search and to those that wait.
//! * Everything else is executed in order. What would disturb the search that runs waits for its answer, and so do the
//!   commands behind it: another `go`, `bench`, and what changes the hash table, the number of threads or the game. A
//!   search that only a command can end is then stopped; any other is finished. So each `go` has one answer, in order.
//! * `go perft` and `bench` are finished before the next command is executed, in UCCI's batch mode searches too.
//! * At the end of the input everything that waits is executed in this way, an endless search is stopped, and the
//!   program exits.
//!
//! The protocols allow an engine to ignore commands during a search, but programs rely on more. PolyGlot, and XBoard
//! through it, send `stop`, `position` and `go` at once at every ponder miss and whenever the user steps through an
//! analysis. ChessX and PyChess do so whenever the move or the number of lines changes. None of them waits for the
//! answer; without the second search they lose on time or show nothing.

use super::command::{Command, Go, Oddity, PositionText, Protocol};
use super::games::Variant;
use super::output::{self, Output, next_line};
use super::play::{AnyGame, Message, Options, Search, on_game};
use super::{ucci, uci};
use crate::game::text::fault::quoted;
use std::collections::{HashSet, VecDeque};
use std::io::{BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Most words that are reported as not understood.
const MAX_REPORTED: usize = 200;

/// No more is read while so many bytes wait to be executed.
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

/// A line that has been read.
struct Line {
    command: Command,
    /// What was not understood.
    odd: Vec<Oddity>,
    /// Its length.
    bytes: usize,
}

/// About how much memory a line takes that has `bytes` bytes.
fn memory(bytes: usize) -> usize {
    size_of::<Line>() + bytes
}

/// The state of a session.
pub struct Session {
    pub(super) output: Output,
    pub(super) game: AnyGame,
    pub(super) options: Options,
    console: Console,
    search: Option<Search>,
    /// The protocol of the lines that are read. That of the output follows when the command `ucci` is executed.
    reads: Protocol,
    /// What waits to be executed. If there is anything, the first command waits for the search that runs.
    waiting: VecDeque<Line>,
    /// About how many bytes have been read and not yet executed.
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
            reads: Protocol::Uci,
            waiting: VecDeque::new(),
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
        (self.reads, self.output.protocol, self.output.debug) = (Protocol::Ucci, Protocol::Ucci, false);
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
        self.adapt_position();
        if !self.options.tablebase_path.is_empty() {
            self.open_tablebase(&self.options.tablebase_path.clone());
        }
    }

    /// The name of the game that the program started with.
    pub(super) fn first_game(&self) -> &'static str {
        self.console.game.name()
    }

    /// The other game, if this is a position of it. A FEN changes the game in UCI only.
    fn other_game(&self, game: &PositionText) -> Option<Variant> {
        if self.output.protocol == Protocol::Ucci {
            return None;
        }
        let other = Variant::of_fen(game.fen.as_ref()?).ok()?;
        (other != self.game.variant()).then_some(other)
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
                Message::Line(Ok(line)) => self.take(&line),
                Message::Line(Err(error)) => self.output.error(&error),
                Message::End if self.console.is_terminal => self.quit(),
                Message::End => self.is_ended = true,
                Message::Info(text) => self.output.say(&text),
                Message::Answer(text) => {
                    self.output.say(&text);
                    self.search = None;
                }
            }
            self.execute_waiting();
        }
        if self.output.protocol == Protocol::Ucci {
            self.output.say("bye");
        }
    }

    /// Takes a line that has been read: executes it if it is for the search that runs, or else adds it to what waits.
    fn take(&mut self, text: &str) {
        if self.is_ended {
            return;
        }
        let mut odd = Vec::new();
        let command = match self.reads {
            Protocol::Uci => uci::read(text, &mut odd),
            Protocol::Ucci => ucci::read(text, &mut odd),
        };
        if command == Command::Quit || self.console.is_terminal && text.trim() == "exit" {
            return self.quit();
        }
        if command == Command::Ucci {
            self.reads = Protocol::Ucci;
        }
        let is_interruptible = self.search.as_ref().is_some_and(|search| !search.is_batch);
        let is_urgent = is_interruptible && matches!(command, Command::Stop | Command::IsReady | Command::Debug(_));
        if is_urgent && command == Command::Stop {
            self.stop_all();
        }
        let line = Line { command, odd, bytes: text.len() };
        if is_urgent {
            self.execute(line);
        } else {
            self.waiting.push_back(line);
        }
    }

    /// Stops all searches; the program exits when what waits is executed.
    fn quit(&mut self) {
        self.is_ended = true;
        self.stop_all();
    }

    /// Stops the search that runs, and those that wait; not in UCCI's batch mode.
    fn stop_all(&mut self) {
        let Some(search) = self.search.as_mut().filter(|search| !search.is_batch) else { return };
        search.handle.stop();
        for line in &mut self.waiting {
            if let Command::Go(go) = &mut line.command {
                go.is_stopped = true;
            }
        }
    }

    /// Executes what waits, up to a command that has to wait for the search that runs.
    fn execute_waiting(&mut self) {
        while let Some(line) = self.waiting.pop_front() {
            if self.must_wait(&line.command) {
                self.waiting.push_front(line);
                break;
            }
            self.execute(line);
        }
        if let Some(search) = &mut self.search
            && (search.needs_stop || search.is_pondering)
            && (self.is_ended || !self.waiting.is_empty())
        {
            search.handle.stop();
        }
    }

    /// Whether a command has to wait for the search that runs, because it would disturb it.
    fn must_wait(&self, command: &Command) -> bool {
        let Some(search) = &self.search else { return false };
        search.is_batch
            || match command {
                Command::Go(_) | Command::Perft(_) | Command::StaticScore => true,
                Command::NewGame | Command::Bench(_) => true,
                Command::Ucci => self.output.protocol == Protocol::Uci,
                Command::SetOption(name, _) => self.option_waits(name),
                Command::Position(game) => self.other_game(game).is_some(),
                _ => false,
            }
    }

    // --- commands -----------------------------------------------------------------------------------

    /// Executes a command, and reports what was not understood in its line.
    fn execute(&mut self, line: Line) {
        self.backlog.fetch_sub(memory(line.bytes), Relaxed);
        self.report_oddities(line.odd);
        let (output, options) = (&self.output, &mut self.options);
        match line.command {
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => on_game!(&self.game, playing => playing.perft(depth, options, output)),
            Command::StaticScore => on_game!(&self.game, playing => playing.static_score(output)),
            Command::Stop => self.stop(),
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::IsReady => {
                on_game!(&mut self.game, playing => playing.prepare(options.own_book));
                output.say("readyok");
            }
            Command::Position(game) => self.set_position(&game),
            Command::SetOption(name, value) => self.set_option(&name, &value),
            Command::NewGame => on_game!(&mut self.game, playing => playing.engine.clear()),
            Command::Uci => output.say(&uci::hello(&self.option_lines())),
            Command::Ucci => {
                if output.protocol == Protocol::Uci {
                    self.change_to_ucci();
                }
                self.output.say(&ucci::hello(&self.option_lines()));
            }
            Command::Debug(on) => self.output.debug = on,
            Command::BanMoves(moves) => on_game!(&mut self.game, playing => playing.ban(&moves, output)),
            Command::Probe(game) => on_game!(&self.game, playing => playing.probe(&game, options, output)),
            Command::Diagram => output.say(&on_game!(&self.game, playing => output::diagram(playing.position()))),
            Command::Evaluation => output.say(&on_game!(&self.game, playing => match output.protocol {
                Protocol::Uci => uci::evaluation(playing.position()),
                Protocol::Ucci => ucci::evaluation(playing.position()),
            })),
            Command::Bench(bench) => on_game!(&self.game, playing => playing.bench(&bench, output)),
            Command::Help if self.console.is_terminal => output.say(HELP),
            Command::Help => output.remark(&format!("commands: {}", output.protocol.commands())),
            Command::Refused(error) => output.error(&error),
            // `quit` was executed when it was read.
            Command::Quit | Command::Nothing => {}
        }
    }

    /// Reports what was not understood in a line, each word once.
    pub(super) fn report_oddities(&mut self, odd: Vec<Oddity>) {
        for Oddity { word, text } in odd {
            let reported = &mut self.reported;
            if word.is_empty() || reported.len() < MAX_REPORTED && reported.insert(quoted(&word)) {
                self.output.remark(&text);
            }
        }
    }

    fn set_position(&mut self, game: &PositionText) {
        if let Some(other) = self.other_game(game) {
            let name = other.name();
            self.options.is_shuffled = false;
            self.output.remark(&format!("this is a {name} position; switching to {name}"));
            self.change_game(other);
        }
        on_game!(&mut self.game, playing => playing.set_position(game, &mut self.options, &self.output));
    }

    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            return search.handle.stop();
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

    fn go(&mut self, go: &Go) {
        self.search = on_game!(&mut self.game, playing => {
            playing.go(go, &mut self.options, &self.output, &self.mail)
        });
        if go.is_stopped
            && let Some(search) = &mut self.search
        {
            search.handle.stop();
        }
    }
}

/// Sends the lines of `input` to the session, but waits while too much of it has not been executed.
fn read_lines(input: impl Read, mail: &Sender<Message>, backlog: &AtomicUsize) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    while let Some(line) = next_line(&mut input) {
        if let Ok(line) = &line {
            backlog.fetch_add(memory(line.len()), Relaxed);
        }
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
