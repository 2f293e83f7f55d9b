//! A session: one run of the program under one protocol and with one game.
//!
//! [`Session`] keeps the position, the options and the engine, and executes [`Command`]s. A [`Dialect`] parses lines
//! and formats results. `dialect::Printer` prints the engine's reports.
//!
//! A session executes lines in order and drops none:
//!
//! * During a search it goes on with what does not disturb it: `d`, `eval`, `help`, and `position`, `banmoves` and
//!   options that are read at the start of a search, which take effect for the next one.
//! * Before a `go`, and before what changes the hash table, the number of threads or the game, it waits until the
//!   search has answered; after a `stop` too. Each `go` has one answer, in order.
//! * `stop`, `ponderhit`, `isready` and `quit` do not wait: the input thread applies them. A `stop` or `ponderhit` is
//!   for every search of an earlier line, started or not, and for none of a later one. The output does not depend on
//!   the timing of the threads.
//! * At the end of input all commands are executed, searches that only a command could end are stopped at once, and
//!   then the program exits. `quit` stops everything and exits after the answer of the current search; only in UCCI's
//!   batch mode, where nothing is executed during a search, is that search finished first.
//!
//! The protocols allow an engine to ignore commands during a search, but programs rely on more. PolyGlot, and XBoard
//! through it, send `stop`, `position` and `go` at once at every ponder miss and whenever the user steps through an
//! analysis. ChessX and PyChess do so whenever the move or the number of lines changes. None of them waits for the
//! answer; without the second search they lose on time or show nothing.

use super::bench;
use super::command::{Command, Context, Oddity, Protocol, Request};
use super::console::{Console, InputLine, Message, Phase, READY, SearchMode};
use super::dialect::{BestMove, Dialect, MoveOf, Printer, View};
use super::games::ProgramGame as _;
use super::go;
use super::options::ProtocolOptions;
use super::own_book::OwnBook;
use super::ranks::Ranks;
use super::text;
use super::tools::{HELP, Tools};
use super::words::Words;
use crate::base::text::hint;
use crate::engine::{self, Engine};
use crate::game::notation::quoted;
use crate::game::{Counting as _, Position, Rules as _};
use crate::perft::MAX_DEPTH;
use crate::perft::count::Counter;
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Time for a stopped search to answer before the program exits without it.
const LAST_ANSWER: Duration = Duration::from_millis(800);

/// Most words that are reported as not understood.
const MAX_REPORTED: usize = 200;

/// Longest line in characters that is repeated in a hint.
const MAX_HINTED: usize = 40;

/// Reports that `line` has no known command.
pub fn report_unknown<D: Dialect>(console: &Console, line: &str) {
    let line = line.trim();
    let mut words = Words::new(line);
    let word = words.next().unwrap_or_default();
    let hint = match go::is_word(word) {
        true if line.chars().count() <= MAX_HINTED => format!("did you mean go {line}?"),
        true => String::new(),
        // A word like `x` is near to many.
        false if word.len() < 3 => String::new(),
        false => hint(word, D::COMMANDS.split_ascii_whitespace(), ""),
    };
    let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
    console.say(&D::remark(&format!("unknown command {}{hint}", quoted(line))));
}

/// How a session ended.
pub enum End {
    /// The program exits.
    Leave(ExitCode),
    /// The game changes to the one in the options.
    Switch(Box<Handover>),
}

/// What a session passes on to the next one.
pub struct Handover {
    /// The values of the options.
    pub options: ProtocolOptions,
    settings: engine::Settings,
    /// Size of the hash table in mebibytes.
    hash: u32,
    ranks: Ranks,
    reported: HashSet<String>,
    debug: bool,
}

/// The state of a session.
pub struct Session<D: Dialect> {
    pub(super) book: OwnBook<D::Board>,
    pub(super) console: Arc<Console>,
    pub(super) engine: Engine<D::Board>,
    pub(super) options: ProtocolOptions,
    pub(super) ranks: Ranks,
    tools: Tools,
    /// The position that `go` searches.
    pub(super) current: Position<D::Board>,
    /// The error of the last `position`, if it was rejected; then there is no position to search.
    pub(super) rejected: Option<String>,
    /// Moves banned in the current position.
    pub(super) banned: Vec<MoveOf<D>>,
    /// The words that have been reported as not understood, cut to a bounded length.
    reported: HashSet<String>,
    pub(super) debug: bool,
}

impl<D: Dialect> Session<D> {
    /// A session in the initial position, with the settings of the session `before`.
    ///
    /// # Panics
    /// If the game cannot read its own initial FEN.
    pub fn new(console: Arc<Console>, tools: Tools, before: Option<Handover>) -> Self {
        let root = Position::<D::Board>::default();
        let mut engine = Engine::new();
        engine.set_position(root, &[]);
        console.open_session(engine.running_search(), D::FAREWELL);
        let mut session = Session {
            book: OwnBook::default(),
            console,
            engine,
            options: ProtocolOptions {
                game: D::Board::GAME,
                // UCCI has one notation.
                only_coordinates: D::PROTOCOL == Protocol::Ucci,
                first_rank: (D::PROTOCOL == Protocol::Ucci).then_some(0),
                overhead: engine::DEFAULT_OVERHEAD,
                ..ProtocolOptions::default()
            },
            ranks: Ranks::default(),
            tools,
            current: root,
            rejected: None,
            banned: Vec::new(),
            reported: HashSet::new(),
            debug: false,
        };
        match before {
            None => session.set_defaults(),
            Some(before) => session.take_over(before),
        }
        session
    }

    /// Continues the session of another game. Its book and its values of positions are of no use here.
    fn take_over(&mut self, before: Handover) {
        let Handover { options, settings, hash, ranks, reported, debug } = before;
        (self.ranks, self.reported) = (ranks, reported);
        (self.options, self.debug) = (options, debug);
        let params = self.engine.settings.params;
        let threads = settings.threads;
        self.engine.settings = engine::Settings { params, threads: 1, ..settings };
        if threads != 1 {
            self.set_threads("Threads", threads as u32);
        }
        if hash as usize != self.engine.hash_size() {
            self.resize_hash("Hash", hash);
        }
        self.change_rules(|_| {});
        if !self.options.table_path.is_empty() {
            self.open_tables(&self.options.table_path.clone());
        }
    }

    /// The game that the program started with.
    pub(super) fn first_game(&self) -> &'static str {
        self.tools.game.name()
    }

    /// The current position, with moves written as the options require.
    pub(super) fn root(&self) -> Position<D::Board> {
        self.ranks.adapt(self.current, &self.options)
    }

    fn context(&self) -> Context {
        Context { side: self.current.side(), milliseconds: self.options.milliseconds }
    }

    /// Executes the lines of the queue until the program exits or the game changes.
    pub fn run(mut self) -> End {
        while let Some(message) = self.console.take() {
            match message {
                Message::Line(line) => {
                    let mut odd = Vec::new();
                    let command = D::parse(&line.text, self.context(), &mut odd);
                    if Self::waits(&command) && !self.console.wait_for_answer() {
                        break;
                    }
                    let sets_option = matches!(command, Command::SetOption(_));
                    self.report_oddities(odd);
                    self.execute(command, &line);
                    if self.options.game != D::Board::GAME {
                        if !sets_option {
                            // The next session can execute it.
                            self.console.put_back(Message::Line(line));
                        }
                        return End::Switch(Box::new(self.hand_over()));
                    }
                }
                Message::IsReady => {
                    self.engine.prepare();
                    if self.options.own_book {
                        self.book.load();
                    }
                    self.console.say(READY);
                }
                // The answer of the search comes before everything after the `stop`.
                Message::Stop(number) if self.console.has_stopped(number) => _ = self.console.wait_for_answer(),
                Message::Stop(_) if !D::IDLE_STOP.is_empty() => self.console.say(D::IDLE_STOP),
                Message::Stop(_) => self.remark_if_debug(|| "stop ignored: no search is running".to_string()),
                Message::Fault(text) => self.fault(&text),
            }
        }
        End::Leave(self.leave())
    }

    pub(super) fn hand_over(self) -> Handover {
        let hash = self.engine.hash_size() as u32;
        let Session { engine, options, ranks, reported, debug, .. } = self;
        Handover { options, settings: engine.settings.clone(), hash, ranks, reported, debug }
    }

    /// Whether a command must wait until the current search has answered.
    fn waits(command: &Command<'_>) -> bool {
        match command {
            Command::Go(_) | Command::NewGame | Command::Bench(_) => true,
            Command::SetOption(Some((name, _))) => Self::option_waits(name),
            _ => false,
        }
    }

    /// Stops the search, waits for its answer and exits.
    fn leave(self) -> ExitCode {
        self.engine.running_search().stop();
        let answered = self.console.wait_for_end_of(Phase::Thinking, LAST_ANSWER);
        self.console.say_farewell();
        if !answered {
            // Dropping the engine would wait for the hanging search.
            std::process::exit(1);
        }
        ExitCode::SUCCESS
    }

    pub(super) fn remark(&self, text: &str) {
        self.console.say(&D::remark(text));
    }

    pub(super) fn fault(&self, text: &str) {
        self.console.say(&D::fault(text));
    }

    pub(super) fn remark_if_debug(&self, text: impl FnOnce() -> String) {
        if self.debug {
            self.remark(&text());
        }
    }

    /// Reports what was not understood in a line, each word once.
    fn report_oddities(&mut self, odd: Vec<Oddity>) {
        for Oddity { word, text } in odd {
            let reported = &mut self.reported;
            let mut is_new = || reported.len() < MAX_REPORTED && reported.insert(quoted(&word));
            if word.is_empty() || is_new() {
                self.remark(&text);
            }
        }
    }

    /// Executes one command, which was parsed from line `number`.
    fn execute(&mut self, command: Command<'_>, &InputLine { number, ref text }: &InputLine) {
        match command {
            Command::Debug(Some(on)) => self.debug = on,
            Command::Debug(None) => self.remark("debug: expected on or off"),
            Command::Unknown => report_unknown::<D>(&self.console, text),
            Command::Nothing => {}
            Command::Probe(game) => self.probe(&game),
            Command::Hello => self.console.say(&D::hello(&self.option_lines())),
            Command::SetOption(None) => self.fault("setoption: expected the name of an option"),
            Command::SetOption(Some((name, value))) => self.set_option(&name, value),
            Command::NewGame => self.engine.clear(),
            Command::Position(game) => self.set_position(&game),
            Command::Go(go) if self.rejected.is_some() => self.answer_without_position(&go),
            Command::BanMoves(_) | Command::Flip if self.rejected.is_some() => self.report_no_position(),
            Command::BanMoves(moves) => self.ban(&moves),
            Command::Go(go) => self.go(&go, number),
            Command::Diagram => self.console.say(&text::diagram(&self.root())),
            Command::Evaluate => self.console.say(&D::evaluation(&self.root())),
            Command::Flip => self.flip(),
            Command::Bench(depth) => self.bench(depth, number),
            Command::Compiler => self.remark(&compiler()),
            Command::Help if self.tools.is_terminal => self.console.say(HELP),
            Command::Help => self.remark(&format!("commands: {}", D::COMMANDS)),
        }
    }

    // --- go -----------------------------------------------------------------------------------------

    /// Executes `go`: starts the search of line `number`, or what else the command requests.
    fn go(&mut self, go: &Request<'_>, number: u64) {
        if let Some(depth) = go.perft {
            return self.perft(depth, number);
        }
        if let Some(texts) = &go.limits.root_moves {
            self.ranks.note_search_moves(self.current, texts, &self.options);
        }
        let root = self.root();
        if go.static_only {
            return self.console.say(&D::static_score(&root));
        }
        let mut limits = go::with_moves(&go.limits, &root, |text| self.fault(text));
        limits.overhead = self.options.overhead;
        limits.banned.extend_from_slice(&self.banned);
        self.remark_if_debug(|| go::describe(&limits));
        let view = View {
            root,
            several_lines: self.engine.settings.multi_pv > 1,
            wdl: self.options.show_wdl,
            debug: self.debug,
        };
        let game = !limits.ponder && limits.mate.is_none() && !limits.is_endless();
        let free = go.limits.root_moves.is_none() && !self.options.analyses;
        if game
            && free
            && self.options.own_book
            && let Some((m, remark)) = self.book.choose(&root)
            && !limits.banned.contains(&m)
        {
            self.remark(&remark);
            let answer = BestMove { best: Some(m), draw_offered: go.draw, ..BestMove::default() };
            // Some programs accept no move without a score before it.
            self.console.say(&D::info(&view, &text::book_info(&root, &[m])));
            return self.console.say(&D::best(&root, &answer));
        }
        let (endless, pondering) = (limits.is_endless(), limits.ponder);
        // Batch mode must not apply to a search that only a command can end.
        let batch = self.options.batch && !pondering && !endless;
        let mode = SearchMode { batch, endless, pondering, draw_offered: go.draw };
        let (console, for_mate) = (Arc::clone(&self.console), limits.mate.is_some());
        let report = Arc::new(Printer::<D> { console, view, for_mate, found: Mutex::default() });
        self.console.start_search(number, mode, || _ = self.engine.go(limits, report));
    }

    // --- tasks --------------------------------------------------------------------------------------

    fn perft(&self, depth: u32, number: u64) {
        if depth > MAX_DEPTH {
            return self.fault(&format!("go perft: expected a depth from 0 to {MAX_DEPTH}"));
        }
        let (root, console) = (self.root(), &*self.console);
        let (threads, kernel) = (self.engine.settings.threads, D::Board::kernels()[0]);
        let counter = Counter { threads, hash_megabytes: 0, seed: 0, kernel };
        console.do_task(number, || match counter.divide_unless(&root, depth, &|| console.aborted()) {
            Some(divide) => console.say(&text::divide(&root, &divide)),
            None => self.remark("perft was stopped"),
        });
    }

    fn bench(&self, depth: Option<i64>, number: u64) {
        // Deeper than any search gets, so no real limit.
        let depth = depth.map(|depth| depth.clamp(1, 100).unsigned_abs() as u32);
        let depth = depth.unwrap_or(D::Board::BENCH_DEPTH);
        let mut say = |line: &str| {
            self.console.say(line);
            !self.console.aborted()
        };
        self.console.do_task(number, || {
            let ended = match self.console.aborted() {
                true => Ok(false),
                false => bench::lines::<D::Board>(D::Board::BENCH, depth, &mut say),
            };
            match ended {
                Ok(true) => {}
                Ok(false) => self.remark("bench was stopped"),
                Err(error) => self.fault(&error),
            }
        });
    }
}

/// One line about the build.
fn compiler() -> String {
    let mode = if cfg!(debug_assertions) { "with assertions" } else { "release" };
    let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    format!("{name} {version}, Rust, {} {}, {mode}", std::env::consts::ARCH, std::env::consts::OS)
}
