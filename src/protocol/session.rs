//! A session: one program run under one protocol, whichever it is.
//!
//! [`Session`] keeps the position, the options and the engine, and obeys [`Command`]s; a [`Dialect`] turns
//! lines into commands and results into lines. The engine's reports come back through `printer`.
//!
//! A session never waits for its search (but in batch mode, where it has been told to), and it loses nothing:
//!
//! * `isready`, `stop`, `ponderhit`, `debug` and `quit` are obeyed at once, always.
//! * At the end of the input whatever waits is obeyed in its turn, searches that only a command would end are
//!   ended at once, and then the program leaves. `quit` leaves with the answer of the search in progress.
//! * While a search runs, `d`, `eval`, `help`, `uci` and `probe` are answered at once; `position`, `banmoves`
//!   and the options that are looked at when a search begins take effect for the next one.
//! * What has to wait, `go` above all, and what changes the table, is kept with everything that comes behind it,
//!   and obeyed in order when the search has answered. So is everything that comes after a
//!   `stop`. Each `go` has its one answer, in order.
//! * A `stop` or `ponderhit` means every search asked for before it, begun or not, and none asked for later:
//!   what comes out does not depend on which thread was quicker.
//!
//! The protocols' documents let an engine ignore what comes while it thinks; programs rely on more. PolyGlot,
//! and XBoard through it, send `stop`, `position` and `go` in one piece at every ponder miss and whenever the
//! user steps through an analysis, ChessX and PyChess whenever the move or the number of lines changes, none
//! of them waiting for the answer; without the second search they lose on time or show nothing.

use super::command::{Command, Context, Go};
use super::console::{Console, Course, Line, Message, Phase};
use super::dialect::{Answer, Dialect, MoveOf, View};
use super::input::{MAX_LINE, READY};
use super::limits;
use super::options::{OptionError, OptionId, Options};
use super::perft;
use super::printer::{Printer, Search};
use super::ranks::Ranks;
use super::text;
use super::tools::{HELP, Tools};
use super::variant::{Library, Variant as _};
use crate::engine::{Engine, Report};
use crate::game::notation::quoted;
use crate::game::{EndgameTables as _, Notation, Playable, Rules};
use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, mpsc::Receiver};
use std::time::Duration;

/// How long a stopped search may take to answer before the program leaves without it.
const LAST_ANSWER: Duration = Duration::from_millis(800);

/// Says that no word of `line` is known.
pub fn report_unknown<D: Dialect>(console: &Console, line: &str) {
    console.say(&D::remark(&format!("unknown command {}", quoted(line.trim()))));
}

/// Says that a line was too long to be taken.
pub fn report_too_long<D: Dialect>(console: &Console, length: usize) {
    let fault = format!("a line of {length} bytes is ignored; {MAX_LINE} is the most");
    console.say(&D::fault(&fault));
}

/// The endgame tables of a dialect's game.
type Tables<D> = <<D as Dialect>::Position as Playable>::Tables;

/// Why a session is over.
pub enum End {
    /// The program leaves.
    Leave(ExitCode),
    /// Another game is wanted; the options say which.
    Switch(Handover),
}

/// What one session leaves to the next.
pub struct Handover {
    /// The options as they were set.
    pub options: Options,
    /// The line that asked for the other game, if it is to be obeyed there.
    pub again: Option<Line>,
    /// What is to be obeyed after it.
    waiting: VecDeque<Line>,
    ranks: Ranks,
    debug: bool,
}

/// The state of a session.
pub struct Session<D: Dialect> {
    library: Library<D::Position>,
    pub(super) console: Arc<Console>,
    printer: Arc<Printer<D>>,
    pub(super) engine: Engine<D::Position>,
    pub(super) options: Options,
    pub(super) ranks: Ranks,
    tools: Tools,
    /// The position that `go` will think about.
    pub(super) current: D::Position,
    /// Why there is no such position: the last one was refused.
    pub(super) refused: Option<String>,
    /// Moves that must not be played there.
    pub(super) banned: Vec<MoveOf<D>>,
    /// What is kept until the search has answered.
    waiting: VecDeque<Line>,
    /// The first line that waits cannot be obeyed beside the search in progress.
    blocked: bool,
    debug: bool,
}

impl<D: Dialect> Session<D> {
    /// A session in the initial position.
    ///
    /// # Panics
    /// If the game cannot read its own initial position.
    pub fn new(console: Arc<Console>, tools: Tools, before: Option<Handover>) -> Self {
        let root = D::Position::from_fen(D::Position::START_FEN).expect("the initial position");
        let view = View { root, several_lines: false, wdl: false, debug: false };
        let search = Search { view, scores: [None; 2], draw_offered: false };
        let printer =
            Arc::new(Printer { console: Arc::clone(&console), search: Mutex::new(search) });
        let mut engine = Engine::new(Arc::clone(&printer) as Arc<dyn Report<D::Position>>);
        engine.set_position(root, &[]);
        console.set_stop(engine.stop_handle());
        let mut session = Session {
            library: Library::default(),
            console,
            printer,
            engine,
            options: Options::new(D::OPTIONS),
            ranks: Ranks::default(),
            tools,
            current: root,
            refused: None,
            banned: Vec::new(),
            waiting: VecDeque::new(),
            blocked: false,
            debug: false,
        };
        if let Some(Handover { options, waiting, ranks, debug, .. }) = before {
            (session.waiting, session.ranks, session.debug) = (waiting, ranks, debug);
            for id in session.options.inherit(&options) {
                session.apply(id);
            }
        }
        session
    }

    /// Obeys `first`, if there is one, and then the queue, until it says to leave or another game is wanted.
    pub fn run(mut self, first: Option<Line>, queue: &Receiver<Message>) -> End {
        let mut next = first.map(Message::Line);
        loop {
            self.console.wait_if_deaf();
            let due = next.take().or_else(|| self.take_up().map(Message::Line));
            let is_due = due.is_some();
            if self.console.is_unread() || !is_due && self.console.is_finished() {
                break;
            }
            match due.map_or_else(|| queue.recv(), Ok) {
                Ok(Message::Line(line)) => {
                    let context = Context { side: self.current.side(), options: &self.options };
                    let command = D::parse(&line.text, context);
                    if command == Command::Quit {
                        break;
                    }
                    if !is_due && self.has_to_wait(&command, !self.waiting.is_empty()) {
                        self.console.hold();
                        let text = &line.text;
                        self.remark_if_debug(|| format!("{} waits for the answer", quoted(text)));
                        self.waiting.push_back(line);
                        continue;
                    }
                    let sets_option = matches!(command, Command::SetOption(_));
                    self.obey(command, &line);
                    let wanted = self.options.text(OptionId::Variant);
                    let switch = !wanted.is_empty() && wanted != D::Position::NAME;
                    // A line that is to be obeyed again is not done yet.
                    if !switch || sets_option {
                        self.console.done(&line);
                    }
                    if switch {
                        let again = (!sets_option).then_some(line);
                        let Session { options, waiting, ranks, debug, .. } = self;
                        return End::Switch(Handover { options, again, waiting, ranks, debug });
                    }
                }
                Ok(Message::TooLong(length)) => report_too_long::<D>(&self.console, length),
                Ok(Message::Full) => {
                    self.fault("too much waits for the answer: the search is ended");
                }
                Ok(Message::Answered) => {}
                Ok(Message::End) => self.console.finish(),
                Ok(Message::Quit) | Err(_) => break,
            }
        }
        End::Leave(self.leave())
    }

    // --- what waits ---------------------------------------------------------------------------------

    /// The next line of those that waited, if it can be obeyed now.
    fn take_up(&mut self) -> Option<Line> {
        let line = self.waiting.front()?;
        if self.console.phase() == Phase::Thinking {
            let context = Context { side: self.current.side(), options: &self.options };
            self.blocked |= self.has_to_wait(&D::parse(&line.text, context), false);
            if self.blocked {
                return None;
            }
        }
        self.console.release();
        self.waiting.pop_front()
    }

    /// Whether a command cannot be obeyed before the search in progress has answered; `behind` others that
    /// cannot, or without any.
    fn has_to_wait(&self, command: &Command<'_>, behind: bool) -> bool {
        match command {
            Command::IsReady | Command::Stop | Command::PonderHit(_) | Command::Quit => false,
            Command::Debug(_) | Command::Unknown | Command::Nothing => false,
            // The search may have answered only now: then it is the turn of the others first.
            _ if self.console.phase() != Phase::Thinking => behind,
            _ if self.console.is_stopping() => true,
            Command::Hello | Command::Diagram | Command::Evaluate => false,
            Command::Help | Command::Compiler | Command::Probe(_) => false,
            _ if behind => true,
            Command::Position(game) => self.other_game(game).is_some(),
            Command::SetOption(Some((name, _))) => {
                self.options.id(name).is_some_and(OptionId::has_to_wait)
            }
            Command::BanMoves(_) | Command::Flip | Command::SetOption(None) => false,
            Command::Go(_) | Command::NewGame | Command::Bench(_) => true,
        }
    }

    /// Ends the search, lets it answer, and goes.
    fn leave(self) -> ExitCode {
        self.engine.stop_handle().stop();
        let answered = self.console.wait_idle(LAST_ANSWER);
        self.console.say(D::FAREWELL);
        if !answered {
            // Dropping the engine would wait for the search that does not answer.
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

    /// Obeys one command, which was read from `text`, line `number`.
    fn obey(&mut self, command: Command<'_>, &Line { number, ref text }: &Line) {
        match command {
            Command::IsReady => return self.console.say(READY),
            Command::Debug(on) => return self.debug = on.unwrap_or(self.debug),
            Command::Unknown => return report_unknown::<D>(&self.console, text),
            Command::Nothing | Command::Quit => return,
            _ => {}
        }
        let owes = self.console.phase() == Phase::Thinking || !self.waiting.is_empty();
        match command {
            Command::Stop if self.console.stop(number) || owes => {}
            Command::PonderHit(draw) if owes => self.ponder_hit(number, draw),
            Command::Probe(game) => self.probe(&game),
            Command::Stop if !D::IDLE_STOP.is_empty() => self.console.say(D::IDLE_STOP),
            Command::Stop | Command::PonderHit(_) => {
                self.remark_if_debug(|| format!("{} is ignored: no search", quoted(text)));
            }
            Command::Hello => self.console.say(&D::hello()),
            Command::SetOption(None) => self.fault("setoption without the name of an option"),
            Command::SetOption(Some((name, value))) => self.set_option(&name, value),
            Command::NewGame => self.engine.new_game(),
            Command::Position(game) => self.set_position(&game),
            Command::Go(go) if self.refused.is_some() => self.refuse(&go),
            Command::BanMoves(_) | Command::Flip if self.refused.is_some() => self.explain(),
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

    /// Begins the search, or obeys what else line `number` asks for with `go`.
    fn go(&mut self, go: &Go<'_>, number: u64) {
        if let Some(depth) = go.perft {
            return self.perft(u32::try_from(depth.max(0)).unwrap_or(u32::MAX), number);
        }
        if let Some(texts) = &go.search_moves {
            self.ranks.hear_choice(self.current, texts, &self.options);
        }
        let root = self.root();
        if go.static_only {
            return self.console.say(&D::static_score(&root));
        }
        let mut limits = limits::of(go, &root, &self.options, |text| self.fault(text));
        limits.banned.extend_from_slice(&self.banned);
        self.remark_if_debug(|| limits::told(&limits));
        let game = !go.infinite && !go.ponder && go.mate.is_none() && !limits.is_endless();
        let free = go.search_moves.is_none() && !self.options.check(OptionId::AnalyseMode);
        if game
            && free
            && self.options.check(OptionId::OwnBook)
            && let Some((m, remark)) = self.library.choose(&root)
            && !limits.banned.contains(&m)
        {
            self.remark(&remark);
            let draw_offered = go.draw;
            let answer = Answer { best: Some(m), ponder: None, scores: [None; 2], draw_offered };
            self.console.say(&D::book_score(&root, m));
            return self.console.say(&D::best(&root, &answer));
        }
        let view = View {
            root,
            several_lines: self.options.spin(OptionId::MultiPv).is_some_and(|lines| lines > 1),
            wdl: self.options.check(OptionId::ShowWdl),
            debug: self.debug,
        };
        let hit = self.console.ponder_hit_for(number).filter(|_| limits.ponder);
        let draw_offered = go.draw || hit == Some(true);
        let search = Search { view, scores: [None; 2], draw_offered };
        self.printer.with_search(|present| *present = search);
        let (endless, pondering) = (limits.is_endless(), limits.ponder && hit.is_none());
        // What only a command can end must hear it, batch or not.
        let deaf = self.options.check(OptionId::Batch) && !limits.ponder && !endless;
        self.console.enter_search(number, Course { deaf, endless, pondering });
        self.blocked = false;
        self.engine.go(limits);
        // What was said about this search while it waited.
        if hit.is_some() {
            self.engine.stop_handle().ponder_hit();
        }
        self.console.search_begun();
    }

    /// Begins the ordinary time of the searches asked for before line `number`.
    fn ponder_hit(&self, number: u64, draw: bool) {
        if draw && !self.console.is_stopping() {
            // Before the hit: the answer may follow at once.
            self.printer.with_search(|search| search.draw_offered = true);
        }
        self.console.ponder_hit(number, draw);
    }

    // --- tasks --------------------------------------------------------------------------------------

    fn perft(&self, depth: u32, number: u64) {
        let root = self.root();
        let threads = self.options.threads();
        self.console.enter_task(number);
        let console = &*self.console;
        match perft::divide(&root, depth, threads, &|| console.aborted()) {
            Some(divide) => console.say(&divide),
            None => self.remark("perft was stopped"),
        }
        self.console.leave_task();
    }

    fn bench(&self, depth: Option<i64>, number: u64) {
        let Some(bench) = self.tools.bench else {
            return self.fault("this build has no bench");
        };
        self.console.enter_task(number);
        // Deeper than any search goes is as good as endless.
        let depth = depth.map(|depth| depth.clamp(1, 100).unsigned_abs() as u32);
        bench(D::Position::NAME, depth, &mut |line| self.console.say(line));
        self.console.leave_task();
    }

    // --- options ------------------------------------------------------------------------------------

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(id) => {
                self.ranks.hear_option(id, &self.options);
                self.apply(id);
                self.remark_if_debug(|| self.options.told(id));
            }
            Err(error @ OptionError::Unknown(_)) if !D::REPORTS_UNKNOWN_OPTIONS => {
                self.remark_if_debug(|| error.to_string());
            }
            Err(error) => self.fault(&error.to_string()),
        }
    }

    /// Lets the new value of an option take effect.
    fn apply(&mut self, id: OptionId) {
        match id {
            OptionId::Debug => self.debug = self.options.check(id),
            OptionId::BookFile => match D::open_book(&mut self.library, &self.options) {
                Ok(remark) => self.remark(&remark),
                Err(fault) => self.fault(&fault),
            },
            OptionId::TablePath => {
                let (tables, faults) = Tables::<D>::open(self.options.text(id));
                faults.iter().for_each(|fault| self.fault(fault));
                if let Some(summary) = tables.summary() {
                    self.remark(&summary);
                }
                self.engine.set_tables(tables);
            }
            OptionId::SetPositionValue => self.set_position_value(),
            _ => {
                if let Err(fault) = self.options.tell(id, &mut self.engine) {
                    self.fault(&fault);
                }
            }
        }
    }
}

/// One line about the build.
fn compiler() -> String {
    let mode = if cfg!(debug_assertions) { "with assertions" } else { "release" };
    let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    format!("{name} {version}, Rust, {} {}, {mode}", std::env::consts::ARCH, std::env::consts::OS)
}
