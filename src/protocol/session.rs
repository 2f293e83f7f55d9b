//! A session: one run of the program under one protocol and with one game.
//!
//! [`Session`] keeps the position, the options and the engine. It reads a line, a [`Dialect`] parses it, and the
//! session executes it before it reads the next one. Only a search runs on threads of its own meanwhile:
//!
//! * `stop`, `ponderhit`, `isready`, `quit`, `d`, `eval`, `help`, and `position`, `banmoves` and options that are read
//!   at the start of a search work at once.
//! * What would disturb the search ends it first (`Session::end_search`): `go`, and what changes the hash table, the
//!   number of threads or the game. A search that only a command can end is stopped, any other is waited for. So each
//!   `go` has one answer, in order.
//! * `go perft`, `bench` and, in UCCI's batch mode, a search are finished before the next line is read.
//! * At the end of the input a search is ended in the same way, and then the program exits. `quit` stops it.
//!
//! The protocols allow an engine to ignore commands during a search, but programs rely on more. PolyGlot, and XBoard
//! through it, send `stop`, `position` and `go` at once at every ponder miss and whenever the user steps through an
//! analysis. ChessX and PyChess do so whenever the move or the number of lines changes. None of them waits for the
//! answer; without the second search they lose on time or show nothing.

use super::bench::{self, Bench};
use super::console::{Console, HELP};
use super::dialect::{Command, Context, Dialect, MoveOf, Oddity, Protocol, Request, View};
use super::games::{ProgramGame as _, Variant};
use super::go;
use super::input::Lines;
use super::options::ProtocolOptions;
use super::output::{Output, while_read};
use super::own_book::OwnBook;
use super::ranks::Ranks;
use super::text;
use super::words::Words;
use crate::base::text::hint;
use crate::engine::{self, Engine, Event, Listener, SearchResult, StopHandle};
use crate::game::text::fault::quoted;
use crate::game::{Counting as _, Position, Rules as _};
use crate::perft::MAX_DEPTH;
use crate::perft::count::Counter;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Most words that are reported as not understood.
const MAX_REPORTED: usize = 200;

/// Longest line in characters that is repeated in a hint.
const MAX_HINTED: usize = 40;

/// How a session begins.
pub struct Start {
    /// The protocol.
    pub protocol: Protocol,
    /// The game.
    pub game: Variant,
    /// What an earlier session of the same protocol passes on.
    before: Option<Handover>,
    /// A line of the earlier session that is for this one.
    line: Option<String>,
}

/// What follows a line.
enum Step {
    NextLine,
    /// The program exits.
    Quit,
    /// A session of UCCI begins and executes the line.
    Ucci,
    /// A session of the game in the options begins, and executes the line `again`.
    OtherGame {
        again: bool,
    },
}

impl Start {
    /// The first session of a protocol.
    pub fn new(protocol: Protocol, game: Variant) -> Self {
        Start { protocol, game, before: None, line: None }
    }
}

/// What a session passes on to that of another game.
pub(super) struct Handover {
    options: ProtocolOptions,
    settings: engine::Settings,
    /// Size of the hash table in mebibytes.
    hash: u32,
    ranks: Ranks,
    reported: HashSet<String>,
    debug: bool,
}

/// Prints what a search reports, in the words of the protocol.
struct Printer<D: Dialect> {
    view: View<D::Board>,
    output: Arc<Output>,
}

impl<D: Dialect> Listener<MoveOf<D>> for Printer<D> {
    fn hear(&mut self, event: &Event<'_, MoveOf<D>>) {
        self.view.note(event);
        self.output.say(&D::format(&self.view, event));
    }
}

/// The last search, which may have answered already.
struct LastSearch {
    stop: StopHandle,
    /// It has no limits: only `stop` ends it.
    endless: bool,
    /// The limits apply only after `ponderhit`.
    pondering: bool,
    draw_offered: Arc<AtomicBool>,
}

/// The state of a session.
pub struct Session<D: Dialect> {
    pub(super) book: OwnBook<D::Board>,
    pub(super) output: Arc<Output>,
    pub(super) engine: Engine<D::Board>,
    pub(super) options: ProtocolOptions,
    pub(super) ranks: Ranks,
    console: Console,
    /// The position that `go` searches. The engine keeps a copy, with moves written as the options require.
    pub(super) current: Position<D::Board>,
    /// The error of the last `position`, if it was rejected; then there is no position to search.
    pub(super) rejected: Option<String>,
    /// Moves banned in the current position.
    pub(super) banned: Vec<MoveOf<D>>,
    last_search: Option<LastSearch>,
    /// The words that have been reported as not understood, cut to a bounded length.
    reported: HashSet<String>,
    pub(super) debug: bool,
}

impl<D: Dialect> Session<D> {
    /// A session in the initial position.
    pub fn new(output: Arc<Output>, console: Console) -> Self {
        let mut session = Session {
            book: OwnBook::default(),
            output,
            engine: Engine::new(),
            options: ProtocolOptions {
                game: D::Board::GAME,
                // UCCI has one notation.
                only_coordinates: D::PROTOCOL == Protocol::Ucci,
                first_rank: (D::PROTOCOL == Protocol::Ucci).then_some(0),
                overhead: engine::DEFAULT_OVERHEAD,
                ..ProtocolOptions::default()
            },
            ranks: Ranks::default(),
            console,
            current: Position::default(),
            rejected: None,
            banned: Vec::new(),
            last_search: None,
            reported: HashSet::new(),
            debug: false,
        };
        session.engine.settings.lines_per_info = D::LINES_PER_INFO;
        session.set_defaults();
        session
    }

    /// Continues the session of another game. Its book and its values of positions are of no use here.
    pub(super) fn take_over(&mut self, before: Handover) {
        let Handover { options, settings, hash, ranks, reported, debug } = before;
        (self.ranks, self.reported) = (ranks, reported);
        (self.options, self.debug) = (options, debug);
        let params = self.engine.settings.params;
        let threads = settings.threads;
        self.engine.settings = engine::Settings { params, threads: 1, ..settings };
        if threads != 1 {
            let set = self.set_threads(threads);
            self.report("Threads", set);
        }
        if hash as usize != self.engine.hash_size() {
            let set = self.resize_hash(hash as usize);
            self.report("Hash", set);
        }
        self.adapt_root();
        if !self.options.tablebase_path.is_empty() {
            self.open_tablebase(&self.options.tablebase_path.clone());
        }
    }

    pub(super) fn hand_over(self) -> Handover {
        let hash = self.engine.hash_size() as u32;
        let Session { engine, options, ranks, reported, debug, .. } = self;
        Handover { options, settings: engine.settings.clone(), hash, ranks, reported, debug }
    }

    /// The game that the program started with.
    pub(super) fn first_game(&self) -> &'static str {
        self.console.game.name()
    }

    /// The current position, with moves written as the options require.
    pub(super) fn root(&self) -> Position<D::Board> {
        self.ranks.adapt(self.current, &self.options)
    }

    /// Executes lines until the program exits, or until another session begins: that is then the result.
    pub fn run(mut self, start: Start, lines: &mut Lines) -> Option<Start> {
        let Start { before, line, .. } = start;
        before.into_iter().for_each(|before| self.take_over(before));
        for line in line.map(Ok).into_iter().chain(lines) {
            let line = match line {
                Ok(line) => line,
                Err(fault) => {
                    self.fault(&fault);
                    continue;
                }
            };
            match self.execute(&line) {
                Step::NextLine => {}
                Step::Quit => return self.leave(true),
                Step::Ucci => {
                    self.end_search();
                    return Some(Start { line: Some(line), ..Start::new(Protocol::Ucci, Variant::Xiangqi) });
                }
                Step::OtherGame { again } => {
                    let (game, line) = (self.options.game, again.then_some(line));
                    return Some(Start { protocol: D::PROTOCOL, game, before: Some(self.hand_over()), line });
                }
            }
        }
        let at_once = self.console.is_terminal;
        self.leave(at_once)
    }

    /// Ends the search and says farewell.
    fn leave(mut self, at_once: bool) -> Option<Start> {
        if at_once {
            self.stop_search()
        } else {
            self.end_search()
        }
        self.output.say(D::FAREWELL);
        None
    }

    fn context(&self) -> Context {
        Context { side: self.current.side(), milliseconds: self.options.milliseconds }
    }

    pub(super) fn remark(&self, text: &str) {
        self.output.say(&D::remark(text));
    }

    pub(super) fn fault(&self, text: &str) {
        self.output.say(&D::fault(text));
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

    /// Reports that `line` has no known command.
    fn report_unknown(&self, line: &str) {
        let line = line.trim();
        let word = Words::new(line).next().unwrap_or_default();
        let hint = match go::is_word(word) {
            true if line.chars().count() <= MAX_HINTED => format!("did you mean go {line}?"),
            true => String::new(),
            // A word like `x` is near to many.
            false if word.len() < 3 => String::new(),
            false => hint(word, D::COMMANDS.split_ascii_whitespace(), ""),
        };
        let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
        self.remark(&format!("unknown command {}{hint}", quoted(line)));
    }

    /// Executes one line.
    fn execute(&mut self, line: &str) -> Step {
        let mut odd = Vec::new();
        let command = D::parse(line, self.context(), &mut odd);
        let sets_option = matches!(command, Command::SetOption(_));
        self.report_oddities(odd);
        match command {
            Command::Quit => return Step::Quit,
            Command::Unknown if self.console.is_terminal && line.trim() == "exit" => return Step::Quit,
            Command::Ucci => return Step::Ucci,
            Command::Unknown => self.report_unknown(line),
            Command::Nothing => {}
            Command::Hello => self.output.say(&D::hello(&self.option_lines())),
            Command::IsReady => self.be_ready(),
            Command::Debug(Some(on)) => self.debug = on,
            Command::Debug(None) => self.remark("debug: expected on or off"),
            Command::SetOption(None) => self.fault("setoption: expected the name of an option"),
            Command::SetOption(Some((name, value))) => self.set_option(&name, value),
            Command::NewGame => {
                self.end_search();
                self.engine.clear();
            }
            Command::Position(game) => self.set_position(&game),
            Command::BanMoves(_) | Command::Flip if self.rejected.is_some() => self.report_no_position(),
            Command::BanMoves(moves) => self.ban(&moves),
            Command::Flip => self.flip(),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.answer_stop(),
            Command::PonderHit { draw } => self.ponder_hit(draw),
            Command::Probe(game) => self.probe(&game),
            Command::Diagram => self.output.say(&text::diagram(&self.root())),
            Command::Evaluate => self.output.say(&D::evaluation(&self.root())),
            Command::Bench(request) => self.bench(&request),
            Command::Compiler => self.remark(&compiler()),
            Command::Help if self.console.is_terminal => self.output.say(HELP),
            Command::Help => self.remark(&format!("commands: {}", D::COMMANDS)),
        }
        if self.options.game == D::Board::GAME { Step::NextLine } else { Step::OtherGame { again: !sets_option } }
    }

    fn be_ready(&mut self) {
        self.engine.prepare();
        if self.options.own_book {
            self.book.load();
        }
        self.output.say("readyok");
    }

    // --- searches -----------------------------------------------------------------------------------

    /// Waits for the answer of the search, if one is running: before what would disturb it. Stops it first if only a
    /// command can end it.
    pub(super) fn end_search(&mut self) {
        if let Some(LastSearch { stop, endless, pondering, .. }) = self.last_search.take() {
            if endless || pondering {
                stop.stop();
            }
            self.engine.wait();
        }
    }

    /// Stops the search, if one is running, and waits for its answer.
    fn stop_search(&mut self) {
        self.last_search.iter().for_each(|search| search.stop.stop());
        self.end_search();
    }

    fn answer_stop(&mut self) {
        // A search that is about to answer has not been stopped by this.
        let is_searching = self.engine.is_searching();
        self.stop_search();
        if !is_searching {
            self.output.say(D::IDLE_STOP);
            if D::IDLE_STOP.is_empty() {
                self.remark_if_debug(|| "stop ignored: no search is running".to_string());
            }
        }
    }

    fn ponder_hit(&mut self, draw: bool) {
        if let Some(search) = &mut self.last_search {
            search.draw_offered.fetch_or(draw, Relaxed);
            search.pondering = false;
            search.stop.ponder_hit();
        }
    }

    /// Executes `go`: starts a search, or does what else the command requests.
    fn go(&mut self, go: &Request<'_>) {
        self.end_search();
        if self.rejected.is_some() {
            return self.answer_without_position(go);
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        if !go.moves.is_empty() {
            self.ranks.note_search_moves(self.current, &go.moves, &self.options);
        }
        let root = self.root();
        if go.static_only {
            return self.output.say(&D::static_score(&root));
        }
        let moves = go::root_moves(&root, &go.moves, &self.banned, |text| self.fault(text));
        let mut limits = go.limits;
        limits.overhead = self.options.overhead;
        self.remark_if_debug(|| go::describe(&limits, moves.len(), root.legal_moves().len()));
        let view = self.view(go.draw);
        let (endless, pondering) = (limits.is_endless(), limits.ponder);
        let is_game = !pondering && !endless && limits.mate.is_none();
        if is_game
            && go.moves.is_empty()
            && !self.options.analyses
            && self.options.own_book
            && let Some((m, remark)) = self.book.choose(&root)
            && moves.contains(&m)
        {
            self.remark(&remark);
            // Some programs accept no move without a score before it.
            self.output.say(&D::format(&view, &Event::Line(text::book_info(&root, &[m]))));
            let answer = SearchResult { best: Some(m), ..SearchResult::NONE };
            return self.output.say(&D::format(&view, &Event::Best(answer)));
        }
        let (stop, draw_offered) = (self.engine.stop_handle(), Arc::clone(&view.draw_offered));
        self.last_search = Some(LastSearch { stop, endless, pondering, draw_offered });
        let printer = Printer::<D> { view, output: Arc::clone(&self.output) };
        self.engine.go(limits, Some(&moves), Box::new(printer));
        // Batch mode must not apply to a search that only a command can end.
        if self.options.batch && !pondering && !endless {
            self.end_search();
        }
    }

    /// What the lines of a search of the current position depend on.
    pub(super) fn view(&self, draw_offered: bool) -> View<D::Board> {
        View {
            root: self.root(),
            wdl: self.options.show_wdl,
            debug: self.debug,
            draw_offered: Arc::new(AtomicBool::new(draw_offered)),
            scores: [None; 2],
        }
    }

    // --- counts and benchmarks ----------------------------------------------------------------------

    fn perft(&self, depth: u32) {
        if depth > MAX_DEPTH {
            return self.fault(&format!("go perft: expected a depth from 0 to {MAX_DEPTH}"));
        }
        let (root, threads, kernel) = (self.root(), self.engine.settings.threads, D::Board::kernels()[0]);
        let counter = Counter { threads, hash_megabytes: 0, seed: 0, kernel };
        match while_read(|| counter.divide(&root, depth)) {
            Ok(divide) => self.output.say(&text::divide(&root, &divide)),
            Err(error) => self.fault(&format!("go perft: {error}")),
        }
    }

    fn bench(&mut self, request: &Bench) {
        self.end_search();
        let done = while_read(|| {
            let say = |line: &str| self.output.say(line);
            bench::run::<D::Board>(D::Board::BENCH, D::Board::BENCH_DEPTH, request, say)
        });
        if let Err(error) = done {
            self.fault(&format!("bench: {error}"));
        }
    }
}

/// One line about the build.
fn compiler() -> String {
    let mode = if cfg!(debug_assertions) { "with assertions" } else { "release" };
    let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    format!("{name} {version}, Rust, {} {}, {mode}", std::env::consts::ARCH, std::env::consts::OS)
}
