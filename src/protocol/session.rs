//! A session: one run of the program under one protocol and with one game.
//!
//! [`Session`] keeps the position, the options and the engine, and executes [`Command`]s. A [`Dialect`] parses lines
//! and formats results. `printer` prints the engine's reports.
//!
//! A session does not wait for its search, except in UCCI's batch mode, and it drops no commands:
//!
//! * `isready`, `stop`, `ponderhit`, `debug` and `quit` are always executed at once.
//! * At the end of input all queued commands are executed in order, searches that only a command could end are stopped
//!   at once, and then the program exits. `quit` stops everything and exits after the answer of the current search;
//!   only in UCCI's batch mode is that search finished first.
//! * During a search, `d`, `eval`, `help`, `uci` and `probe` are answered at once. `position`, `banmoves` and options
//!   that are read at the start of a search take effect for the next one.
//! * Commands that cannot run during a search, such as `go` and those that change the hash table or the number of
//!   threads, are held back with everything after them, and executed in order when the search has answered. So is
//!   everything after a `stop`. Each `go` has one answer, in order.
//! * A `stop` or `ponderhit` applies to every search of an earlier line, started or not, and to none of a later one.
//!   The output does not depend on the timing of the threads.
//!
//! The protocols allow an engine to ignore commands during a search, but programs rely on more. PolyGlot, and XBoard
//! through it, send `stop`, `position` and `go` at once at every ponder miss and whenever the user steps through an
//! analysis. ChessX and PyChess do so whenever the move or the number of lines changes. None of them waits for the
//! answer; without the second search they lose on time or show nothing.

use super::bench;
use super::command::{Command, Context, Oddity, Protocol, Request};
use super::console::{Console, Line, Message, Phase, SearchMode};
use super::dialect::{Answer, Dialect, MoveOf, View};
use super::games::Variant as _;
use super::go;
use super::input::{MAX_LINE, READY};
use super::library::Library;
use super::options::Options;
use super::perft;
use super::printer::{Printer, Search};
use super::ranks::Ranks;
use super::text;
use super::tools::{HELP, Tools};
use super::words::Words;
use crate::base::text::hint;
use crate::engine::{self, Engine};
use crate::game::notation::quoted;
use crate::game::{Notation, Rules};
use crate::perft::MAX_DEPTH;
use std::collections::{HashSet, VecDeque};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, mpsc::Receiver};
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

/// Reports that a line was too long and was skipped.
pub fn report_too_long<D: Dialect>(console: &Console, length: usize) {
    let fault = format!("skipped a line of {length} bytes; the limit is {MAX_LINE}");
    console.say(&D::fault(&fault));
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
    pub options: Options,
    settings: engine::Settings,
    /// Size of the hash table in mebibytes.
    hash: u32,
    /// The line that changed the game, if the next session must execute it.
    pub again: Option<Line>,
    /// The lines held back after it.
    pub(super) waiting: VecDeque<Line>,
    ranks: Ranks,
    reported: HashSet<String>,
    debug: bool,
}

/// The state of a session.
pub struct Session<D: Dialect> {
    pub(super) library: Library<D::Position>,
    pub(super) console: Arc<Console>,
    printer: Arc<Printer<D>>,
    pub(super) engine: Engine<D::Position>,
    pub(super) options: Options,
    pub(super) ranks: Ranks,
    tools: Tools,
    /// The position that `go` searches.
    pub(super) current: D::Position,
    /// The error of the last `position`, if it was rejected; then there is no position to search.
    pub(super) rejected: Option<String>,
    /// Moves banned in the current position.
    pub(super) banned: Vec<MoveOf<D>>,
    /// Lines held back until the search has answered.
    pub(super) waiting: VecDeque<Line>,
    /// The words that have been reported as not understood, cut to a bounded length.
    reported: HashSet<String>,
    /// The first line held back cannot be executed during the current search.
    blocked: bool,
    pub(super) debug: bool,
}

impl<D: Dialect> Session<D> {
    /// A session in the initial position, with the settings of the session `before`.
    ///
    /// # Panics
    /// If the game cannot read its own initial FEN.
    pub fn new(console: Arc<Console>, tools: Tools, before: Option<Handover>) -> Self {
        let root = D::Position::from_fen(D::Position::START_FEN).expect("the initial position");
        let view = View { root, several_lines: false, wdl: false, debug: false };
        let search = Search::new(view, false, false);
        let printer = Arc::new(Printer { console: Arc::clone(&console), search: Mutex::new(search) });
        let mut engine = Engine::new();
        engine.set_position(root, &[]);
        console.open_session(engine.running_search(), D::FAREWELL);
        let mut session = Session {
            library: Library::default(),
            console,
            printer,
            engine,
            options: Options {
                game: D::Position::GAME,
                // UCCI has one notation.
                only_coordinates: D::PROTOCOL == Protocol::Ucci,
                first_rank: (D::PROTOCOL == Protocol::Ucci).then_some(0),
                overhead: engine::DEFAULT_OVERHEAD,
                ..Options::default()
            },
            ranks: Ranks::default(),
            tools,
            current: root,
            rejected: None,
            banned: Vec::new(),
            waiting: VecDeque::new(),
            reported: HashSet::new(),
            blocked: false,
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
        let Handover { options, settings, hash, waiting, ranks, reported, debug, .. } = before;
        (self.waiting, self.ranks, self.reported) = (waiting, ranks, reported);
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

    fn context(&self) -> Context {
        Context { side: self.current.side(), milliseconds: self.options.milliseconds }
    }

    /// Executes `first`, if given, and then the lines of the queue, until the program exits or the game changes.
    pub fn run(mut self, first: Option<Line>, queue: &Receiver<Message>) -> End {
        let mut next = first.map(Message::Line);
        loop {
            self.console.wait_if_batch();
            let due = next.take().or_else(|| self.next_held_back().map(Message::Line));
            let is_due = due.is_some();
            if self.console.is_output_closed() || !is_due && self.has_finished() {
                break;
            }
            match due.map_or_else(|| queue.recv(), Ok) {
                Ok(Message::Line(line)) => {
                    let mut odd = Vec::new();
                    let command = D::parse(&line.text, self.context(), &mut odd);
                    if command == Command::Quit {
                        break;
                    }
                    if !is_due && self.has_to_wait(&command, !self.waiting.is_empty()) {
                        self.console.hold();
                        let text = &line.text;
                        self.remark_if_debug(|| format!("{} waits for the search", quoted(text)));
                        self.waiting.push_back(line);
                        continue;
                    }
                    let sets_option = matches!(command, Command::SetOption(_));
                    self.report_oddities(odd);
                    self.execute(command, &line);
                    let switch = self.options.game != D::Position::GAME;
                    // A line that the next session executes again is not done yet.
                    if !switch || sets_option {
                        self.console.done(&line);
                    }
                    if switch {
                        let again = (!sets_option).then_some(line);
                        return End::Switch(Box::new(self.hand_over(again)));
                    }
                }
                Ok(Message::TooLong(length)) => report_too_long::<D>(&self.console, length),
                Ok(Message::Full) => {
                    self.fault("too much input is queued; the search is stopped");
                }
                Ok(Message::Answered) => {}
                Ok(Message::End) => self.console.finish(),
                Ok(Message::Quit) | Err(_) => break,
            }
        }
        End::Leave(self.leave())
    }

    pub(super) fn hand_over(self, again: Option<Line>) -> Handover {
        let hash = self.engine.hash_size() as u32;
        let Session { engine, options, waiting, ranks, reported, debug, .. } = self;
        let settings = engine.settings.clone();
        Handover { options, settings, hash, again, waiting, ranks, reported, debug }
    }

    // --- lines held back ----------------------------------------------------------------------------

    /// The next line held back, if it can be executed now.
    pub(super) fn next_held_back(&mut self) -> Option<Line> {
        let line = self.waiting.front()?;
        if self.console.phase() == Phase::Thinking {
            let command = D::parse(&line.text, self.context(), &mut Vec::new());
            self.blocked |= self.has_to_wait(&command, false);
            if self.blocked {
                return None;
            }
        }
        self.console.release();
        self.waiting.pop_front()
    }

    /// Whether the input has ended and every line is executed and answered. The search may answer at any moment: the
    /// lines held back are due then, and the message that it has answered comes.
    pub(super) fn has_finished(&self) -> bool {
        self.waiting.is_empty() && self.console.is_finished()
    }

    /// Whether a command must wait until the current search has answered; `behind` says whether earlier commands wait.
    fn has_to_wait(&self, command: &Command<'_>, behind: bool) -> bool {
        match command {
            Command::IsReady | Command::Stop | Command::PonderHit(_) | Command::Quit => false,
            Command::Debug(_) | Command::Unknown | Command::Nothing => false,
            // The search may just have answered: then the earlier commands come first.
            _ if self.console.phase() != Phase::Thinking => behind,
            _ if self.console.is_stopping() => true,
            Command::Hello | Command::Diagram | Command::Evaluate => false,
            Command::Help | Command::Compiler | Command::Probe(_) => false,
            _ if behind => true,
            Command::Position(game) => self.other_game(game).is_some(),
            Command::SetOption(Some((name, _))) => self.option_waits(name),
            Command::BanMoves(_) | Command::Flip | Command::SetOption(None) => false,
            Command::Go(_) | Command::NewGame | Command::Bench(_) => true,
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
    fn execute(&mut self, command: Command<'_>, &Line { number, ref text }: &Line) {
        match command {
            Command::IsReady => {
                self.engine.prepare();
                if self.options.own_book {
                    self.library.load();
                }
                return self.console.say(READY);
            }
            Command::Debug(Some(on)) => return self.debug = on,
            Command::Debug(None) => return self.remark("debug: expected on or off"),
            Command::Unknown => return report_unknown::<D>(&self.console, text),
            Command::Nothing | Command::Quit => return,
            _ => {}
        }
        let has_search = self.console.phase() == Phase::Thinking || !self.waiting.is_empty();
        match command {
            Command::Stop if self.console.stop(number) || has_search => {}
            Command::PonderHit(draw) if has_search => self.ponder_hit(number, draw),
            Command::Probe(game) => self.probe(&game),
            Command::Stop if !D::IDLE_STOP.is_empty() => self.console.say(D::IDLE_STOP),
            Command::Stop | Command::PonderHit(_) => {
                self.remark_if_debug(|| format!("{} ignored: no search is running", quoted(text)));
            }
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
            _ => {}
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
            && let Some((m, remark)) = self.library.choose(&root)
            && !limits.banned.contains(&m)
        {
            self.remark(&remark);
            let answer = Answer { best: Some(m), draw_offered: go.draw, ..Answer::default() };
            // Some programs accept no move without a score before it.
            self.console.say(&D::info(&view, &text::book_info(&root, &[m])));
            return self.console.say(&D::best(&root, &answer));
        }
        let hit = self.console.ponder_hit_for(number).filter(|_| limits.ponder);
        let draw_offered = go.draw || hit == Some(true);
        let search = Search::new(view, draw_offered, limits.mate.is_some());
        self.printer.with_search(|current| *current = search);
        let (endless, pondering) = (limits.is_endless(), limits.ponder && hit.is_none());
        // Batch mode must not apply to a search that only a command can end.
        let batch = self.options.batch && !limits.ponder && !endless;
        self.console.enter_search(number, SearchMode { batch, endless, pondering });
        self.blocked = false;
        self.engine.go(limits, Arc::clone(&self.printer) as Arc<_>);
        // A ponder hit that arrived before the search started.
        if hit.is_some() {
            self.engine.running_search().ponder_hit();
        }
        self.console.search_begun();
    }

    /// Applies a ponder hit to the searches of lines before `number`.
    fn ponder_hit(&self, number: u64, draw: bool) {
        if draw && !self.console.is_stopping() {
            // Before the ponder hit, as the answer may follow at once.
            self.printer.with_search(|search| search.draw_offered = true);
        }
        self.console.ponder_hit(number, draw);
    }

    // --- tasks --------------------------------------------------------------------------------------

    fn perft(&self, depth: u32, number: u64) {
        if depth > MAX_DEPTH {
            return self.fault(&format!("go perft: expected a depth from 0 to {MAX_DEPTH}"));
        }
        let root = self.root();
        let threads = self.engine.settings.threads;
        self.console.enter_task(number);
        let console = &*self.console;
        match perft::divide(&root, depth, threads, &|| console.aborted()) {
            Some(divide) => console.say(&divide),
            None => self.remark("perft was stopped"),
        }
        self.console.leave_task();
    }

    fn bench(&self, depth: Option<i64>, number: u64) {
        self.console.enter_task(number);
        // Deeper than any search gets, so no real limit.
        let depth = depth.map(|depth| depth.clamp(1, 100).unsigned_abs() as u32);
        let depth = depth.unwrap_or(D::Position::BENCH_DEPTH);
        let mut say = |line: &str| {
            self.console.say(line);
            !self.console.aborted()
        };
        let ended = if self.console.aborted() {
            Ok(false)
        } else {
            bench::lines::<D::Position>(D::Position::BENCH, depth, &mut say)
        };
        match ended {
            Ok(true) => {}
            Ok(false) => self.remark("bench was stopped"),
            Err(error) => self.fault(&error),
        }
        self.console.leave_task();
    }
}

/// One line about the build.
fn compiler() -> String {
    let mode = if cfg!(debug_assertions) { "with assertions" } else { "release" };
    let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    format!("{name} {version}, Rust, {} {}, {mode}", std::env::consts::ARCH, std::env::consts::OS)
}
