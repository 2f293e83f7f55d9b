//! A game that is being played ([`Playing`]): its engine, its book, its position and the commands for them, with the
//! values of the options that these need ([`Options`]). There are two games; [`AnyGame`] is the one that the session
//! plays. A search that runs is a [`Search`]; its lines come from `SearchPrinter`.

use super::command::{Go, PositionText, Protocol, looks_like_move};
use super::games::{Bench, ProgramGame, Ruleset, Variant, by_game};
use super::output::{self, Output, View, while_read};
use super::{ucci, uci};
use crate::base::rng::SplitMix64;
use crate::engine::{Engine, Event, Limits, Listener, SearchResult, Settings, StopHandle};
use crate::game::book::{Book, Choice};
use crate::game::text::fault::quoted;
use crate::game::text::fen::Tolerance;
use crate::game::text::notation::is_null_move;
use crate::game::{EndgameTables as _, NotationError, Position, TableFault};
use crate::perft::count::Counter;
use crate::perft::{Divide, MAX_DEPTH};
use crate::{chess, xiangqi};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

// --- the values of options ------------------------------------------------------------------------------

/// The values of those options that the engine does not keep in its own settings.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The program has selected the game by `UCI_Variant`.
    pub is_game_selected: bool,
    /// The variant selected with the game is Chess960.
    pub is_shuffled: bool,
    /// Write castling moves as in Chess960.
    pub chess960: bool,
    /// How xiangqi's ranks are numbered.
    pub ranks: Ranks,
    /// The rules of xiangqi.
    pub rules: Ruleset,
    /// Play from the opening book.
    pub own_book: bool,
    /// Analysis instead of a game.
    pub analyses: bool,
    /// Report win, draw and loss probabilities.
    pub show_wdl: bool,
    /// Read no commands during a search.
    pub batch: bool,
    /// UCCI's times are in milliseconds instead of seconds.
    pub milliseconds: bool,
    /// Time lost between the engine's answer and the stop of its clock.
    pub overhead: Duration,
    /// Play at the strength `elo`.
    pub is_limited: bool,
    /// The Elo rating for a limited strength.
    pub elo: u32,
    /// Memory for `go perft` in megabytes; 0: every node is visited.
    pub perft_hash: usize,
    /// The folders of the tablebases, which are opened again when a game that has them returns.
    pub tablebase_path: String,
}

/// How ranks are numbered. In chess there is one convention. In xiangqi over UCI there are two: Pikafish, UCI-Cyclone,
/// uci2wb and programs like them count from 0 (`h2e2`), Fairy-Stockfish and programs like it from 1 (`h3e3`, up to rank
/// 10). The first move of a game decides, where it is legal in one of them only; from the initial position every first
/// move is. What it has decided holds until the program exits, or another game decides otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranks {
    /// The number of the first rank, if the option sets it.
    pub option: Option<usize>,
    /// The number that the other program's moves or commands have shown.
    shown: Option<usize>,
    /// The most likely number before that.
    default: usize,
}

impl Ranks {
    /// The number of the first rank.
    fn first(self) -> usize {
        self.option.or(self.shown).unwrap_or(self.default)
    }

    /// The program has selected a game by `UCI_Variant`. Programs do so for Fairy-Stockfish.
    pub fn note_selected(&mut self, game: Variant) {
        self.default = usize::from(game == Variant::Xiangqi);
    }

    /// The program uses a form that only programs with ranks from 0 use.
    pub fn note_form(&mut self) {
        self.shown.get_or_insert(0);
    }
}

impl Options {
    /// Whether castling moves are written as in Chess960.
    pub fn is_chess960(&self) -> bool {
        self.chess960 || self.is_shuffled
    }

    /// The position with the rules, and with moves written as the options require.
    pub fn adapt<B: ProgramGame>(&self, pos: Position<B>) -> Position<B> {
        B::with_rules(B::adapt(pos, self.is_chess960(), self.ranks.first()), self.rules)
    }

    /// The program has sent the move `text` of `pos`, which may show how it numbers ranks.
    pub fn note_move<B: ProgramGame>(&mut self, pos: Position<B>, text: &str) {
        let is_legal = |first| B::adapt(pos, self.is_chess960(), first).parse_coordinates(text).is_ok();
        let from_one = is_legal(1);
        if from_one != is_legal(0) {
            self.ranks.shown = Some(usize::from(from_one));
        }
    }
}

// --- the game ---------------------------------------------------------------------------------------

/// Environment variable that sets the seed of the book's choices, for tests.
const SEED_VARIABLE: &str = "TABIYA_SEED";

/// The game that is played, chess or xiangqi.
#[allow(clippy::large_enum_variant, reason = "a session has one")]
pub enum AnyGame {
    /// Chess and Chess960.
    Chess(Playing<chess::Board>),
    /// Xiangqi.
    Xiangqi(Playing<xiangqi::Board>),
}

/// Evaluates an expression with `$playing` as the [`Playing`] of an [`AnyGame`].
macro_rules! on_game {
    ($game:expr, $playing:ident => $value:expr) => {
        match $game {
            $crate::protocol::play::AnyGame::Chess($playing) => $value,
            $crate::protocol::play::AnyGame::Xiangqi($playing) => $value,
        }
    };
}
pub(super) use on_game;

impl AnyGame {
    /// A new game in the initial position.
    pub fn new(game: Variant) -> Self {
        match game {
            Variant::Chess => AnyGame::Chess(Playing::new()),
            Variant::Xiangqi => AnyGame::Xiangqi(Playing::new()),
        }
    }

    /// Which one it is.
    pub fn variant(&self) -> Variant {
        match self {
            AnyGame::Chess(_) => Variant::Chess,
            AnyGame::Xiangqi(_) => Variant::Xiangqi,
        }
    }

    /// The engine's settings.
    pub fn settings(&mut self) -> &mut Settings {
        on_game!(self, playing => &mut playing.engine.settings)
    }
}

/// A game that is played: its engine, which keeps the position, and its book.
pub struct Playing<B: ProgramGame> {
    /// The engine.
    pub engine: Engine<B>,
    /// The error of the last `position`, if it was rejected; then there is no position to search.
    rejected: Option<String>,
    /// Moves banned in the current position.
    banned: Vec<B::Move>,
    /// `None` if no book is used.
    book: Option<Book<B>>,
    /// Chooses among the moves of the book.
    rng: SplitMix64,
}

impl<B: ProgramGame> Playing<B> {
    fn new() -> Self {
        let fixed = std::env::var(SEED_VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let seed =
            fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64));
        Playing {
            engine: Engine::new(),
            rejected: None,
            banned: Vec::new(),
            book: Some(Book::embedded()),
            rng: SplitMix64::new(seed),
        }
    }

    // --- the position -----------------------------------------------------------------------------------

    /// The position that `go` searches, with moves written as the options require.
    pub fn position(&self) -> &Position<B> {
        self.engine.position()
    }

    /// Adapts the position to options that have changed.
    pub fn adapt(&mut self, options: &Options) {
        self.engine.adapt_position(|pos| options.adapt(pos));
    }

    /// Replays `game` for the command `what` and reports errors. Moves from the first illegal one on are ignored.
    ///
    /// # Errors
    /// The reason in one line, if there is no position to start from.
    fn replay(what: &str, game: &PositionText, options: &mut Options, output: &Output) -> Result<Replay<B>, String> {
        if game.is_missing {
            return Err("expected startpos or fen FEN".to_string());
        }
        let fen = game.fen.as_deref().unwrap_or(B::START_FEN);
        let mut tolerance = Tolerance::lenient().for_chess960(options.is_chess960());
        let start = Position::<B>::read_fen(fen, &mut tolerance).map_err(|error| match output.protocol {
            // A FEN that is valid in neither game gets the error of the game that it looks like.
            Protocol::Uci => Variant::of_fen(fen).err().unwrap_or(error).to_string(),
            Protocol::Ucci => error.to_string(),
        })?;
        if let Some(warning) = tolerance.warning() {
            output.remark(&format!("{what}: {warning}"));
        }
        if game.ranks_from_zero {
            options.ranks.note_form();
        }
        let before = options.ranks;
        let replay = Replay::new(start, &game.moves, options, output.protocol);
        if let Some(NotationError { reason, .. }) = &replay.error {
            if output.protocol == Protocol::Uci && game.fen.is_none() && !options.is_game_selected {
                let other = if B::GAME == Variant::Chess { Variant::Xiangqi } else { Variant::Chess };
                let mut trial = options.clone();
                let is_legal = by_game!(other, O => {
                    Replay::<O>::new(Position::default(), &game.moves, &mut trial, output.protocol).error.is_none()
                });
                if is_legal {
                    options.ranks = before;
                    let (own, other) = (B::NAME, other.name());
                    return Err(format!(
                        "these are moves of {other}, not of {own}; set UCI_Variant to {other}, or start \
                         tabiya --game {other}"
                    ));
                }
            }
            let at = replay.read + 1;
            output.error(&format!("{what}, move {at}: {reason}; the rest is ignored"));
        }
        Ok(replay)
    }

    /// Sets the position.
    pub fn set_position(&mut self, game: &PositionText, options: &mut Options, output: &Output) {
        let Replay { start, end: pos, moves, .. } = match Self::replay("position", game, options, output) {
            Ok(replay) => replay,
            Err(reason) => {
                output.error(&format!("position rejected: {reason}"));
                self.rejected = Some(reason);
                return;
            }
        };
        self.rejected = None;
        self.banned.clear();
        self.engine.set_position(start, &moves);
        output.remark_if_debug(|| format!("position {} key {:016x}", pos.to_fen(), pos.key()));
    }

    /// Whether there is a position; reports why not.
    fn has_position(&self, output: &Output) -> bool {
        if let Some(reason) = &self.rejected {
            output.error(&format!("no position set; the last one was rejected: {reason}"));
        }
        self.rejected.is_none()
    }

    /// Adds moves of the current position to the banned ones.
    pub fn ban(&mut self, moves: &str, output: &Output) {
        if !self.has_position(output) {
            return;
        }
        for text in moves.split_whitespace() {
            match self.position().parse_coordinates(text) {
                Ok(m) => self.banned.push(m),
                Err(error) => output.error(&format!("banmoves: {error}")),
            }
        }
    }

    /// Prints the hash table entry of a position.
    pub fn probe(&self, game: &PositionText, options: &mut Options, output: &Output) {
        let text = match Self::replay("probe", game, options, output) {
            Ok(replay) => ucci::table_entry(&replay.end, self.engine.probe(replay.end.key())),
            Err(reason) => {
                output.error(&format!("probe rejected: {reason}"));
                ucci::table_entry(self.position(), None)
            }
        };
        output.say(&text);
    }

    /// The moves that `go` searches: those that are not banned, and among them those that `texts` stand for. Illegal
    /// moves are reported and skipped; if none is left, all are searched. The null move `0000` alone excludes every
    /// move.
    fn root_moves(&self, texts: &[String], output: &Output) -> Vec<B::Move> {
        if !texts.is_empty() && texts.iter().all(|text| text == "0000") {
            return Vec::new();
        }
        let mut wanted = Vec::new();
        for text in texts {
            match self.position().parse_coordinates(text) {
                Ok(m) => wanted.push(m),
                Err(error) => output.error(&format!("searchmoves: {error}")),
            }
        }
        let mut moves: Vec<_> =
            self.position().legal_moves().into_iter().filter(|m| !self.banned.contains(m)).collect();
        if moves.iter().any(|m| wanted.contains(m)) {
            moves.retain(|m| wanted.contains(m));
        }
        moves
    }

    // --- the book ---------------------------------------------------------------------------------------

    /// Opens book files, or the embedded book if `files` is empty, or none; returns a message about it. On error the
    /// earlier book is kept.
    ///
    /// # Errors
    /// If a file cannot be read or is not a book.
    pub fn open_book(&mut self, files: Option<&str>) -> Result<String, String> {
        let (name, book) = match files {
            None => {
                self.book = None;
                return Ok("no opening book is used".to_string());
            }
            Some("") => ("embedded book", Book::embedded()),
            Some(files) => {
                let book = Book::open(files).map_err(|error| format!("{error}; keeping the earlier book"))?;
                ("book file", book)
            }
        };
        let message = format!("the {name} has {} entries", book.entries());
        self.book = Some(book);
        Ok(message)
    }

    /// A move from the book, with a message about it.
    fn book_move(&mut self) -> Option<(B::Move, String)> {
        let Choice { m, weight, total } = self.book.as_ref()?.choose(self.engine.position(), &mut self.rng)?;
        Some((m, format!("book move {}, weight {weight} of {total}", self.position().move_text(m))))
    }

    // --- searches, counts, benchmarks -------------------------------------------------------------------

    /// Does what takes time before a search, so that `go` need not: reading the embedded book takes some milliseconds.
    pub fn prepare(&mut self, has_book: bool) {
        self.engine.prepare();
        if has_book && let Some(book) = &self.book {
            book.entries();
        }
    }

    /// Executes `go`: answers with a move of the book, or begins a search, which reports to `mail`.
    pub fn go(&mut self, go: &Go, options: &mut Options, output: &Output, mail: &Sender<Message>) -> Option<Search> {
        // A move of `searchmoves` counts only if nothing else has shown how ranks are numbered.
        if options.ranks.shown.is_none()
            && let Some(first) = go.moves.first()
        {
            options.note_move(*self.position(), first);
            self.adapt(options);
        }
        let root = *self.position();
        let (wdl, debug) = (options.show_wdl, output.debug);
        let draw_offered = Arc::new(AtomicBool::new(go.draw));
        let view = View { root, wdl, debug, draw_offered: Arc::clone(&draw_offered), scores: [None; 2] };
        let printer = SearchPrinter { protocol: output.protocol, view, mail: mail.clone() };
        if !self.has_position(output) {
            // A move for an earlier position would be worse than none.
            output.say(&printer.lines(&Event::Best(SearchResult::NONE)));
            return None;
        }
        let unit = if options.milliseconds { 1 } else { 1000 };
        let limits = Limits { clock: go.clock(root.side(), unit), overhead: options.overhead, ..go.limits };
        let moves = self.root_moves(&go.moves, output);
        if is_game_move(go)
            && options.own_book
            && !options.analyses
            && let Some((m, remark)) = self.book_move()
            && moves.contains(&m)
        {
            output.remark(&remark);
            // Some programs accept no move without a score before it.
            output.say(&printer.lines(&Event::Line(output::book_info(&root, &[m]))));
            let answer = SearchResult { best: Some(m), ..SearchResult::NONE };
            output.say(&printer.lines(&Event::Best(answer)));
            return None;
        }
        let search = Search {
            handle: self.engine.stop_handle(),
            needs_stop: needs_stop(&limits),
            is_pondering: limits.ponder,
            is_batch: options.batch && !limits.ponder && !needs_stop(&limits),
            draw_offered,
        };
        self.engine.go(limits, Some(&moves), Box::new(printer));
        Some(search)
    }

    /// Executes `go perft`.
    pub fn perft(&self, depth: u32, options: &Options, output: &Output) {
        let root = self.position();
        if !self.has_position(output) {
            // Programs wait for a last line of the usual form.
            return output.say(&output::divide(root, &Divide::default()));
        }
        if depth > MAX_DEPTH {
            return output.error(&format!("go perft: expected a depth from 0 to {MAX_DEPTH}"));
        }
        let (threads, kernel) = (self.engine.threads, B::kernels()[0]);
        let counter = Counter { threads, hash_megabytes: options.perft_hash, seed: 0, kernel };
        match while_read(|| counter.divide(root, depth)) {
            Ok(divide) => output.say(&output::divide(root, &divide)),
            Err(error) => output.error(&format!("go perft: {error}")),
        }
    }

    /// Executes UCCI's `go depth 0`.
    pub fn static_score(&self, output: &Output) {
        if self.has_position(output) {
            output.say(&ucci::static_score(self.position()));
        } else {
            output.say("nobestmove");
        }
    }

    /// Runs `bench`.
    pub fn bench(&self, request: &Bench, output: &Output) {
        let say = |line: &str| output.say(line);
        if let Err(error) = while_read(|| request.run::<B>(say)) {
            output.error(&format!("bench: {error}"));
        }
    }

    // --- tablebases -------------------------------------------------------------------------------------

    /// Opens the tablebases in the folders `path`, without the files that cannot be used.
    pub fn open_tablebase(&mut self, path: &str, output: &Output) {
        let (tables, errors) = B::Tables::open(path);
        for error in errors {
            match error {
                // XBoard sends the path of its own settings, whether or not there is such a folder.
                TableFault::Absent(text) => output.remark(&text),
                TableFault::Unusable(text) => output.error(&text),
            }
        }
        if let Some(summary) = tables.summary() {
            output.remark(&summary);
        }
        self.engine.set_tablebase(tables);
    }
}

/// Whether a word is the number of a move, as in `1. e4 e5 2. Nf3`.
fn is_move_number(word: &str) -> bool {
    word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit())
}

/// The legal part of a game as given.
struct Replay<B: ProgramGame> {
    /// The first position, or that after the last null move: nothing before it can be repeated.
    start: Position<B>,
    /// The last position.
    end: Position<B>,
    /// The legal moves since `start`.
    moves: Vec<B::Move>,
    /// The number of moves that were read, null moves included.
    read: usize,
    /// What is wrong with the next move, if there is one; later moves are ignored.
    error: Option<NotationError>,
}

impl<B: ProgramGame> Replay<B> {
    /// Replays a game. Its first move may decide how ranks are numbered.
    fn new(start: Position<B>, moves: &str, options: &mut Options, protocol: Protocol) -> Self {
        let mut texts = moves.split_whitespace().filter(|word| !is_move_number(word)).peekable();
        if let Some(first) = texts.peek() {
            options.note_move(start, first);
        }
        let start = options.adapt(start);
        let mut replay = Replay { start, end: start, moves: Vec::new(), read: 0, error: None };
        for text in texts {
            if let Err(error) = replay.take(text, protocol) {
                replay.error = Some(error);
                break;
            }
            replay.read += 1;
        }
        replay
    }

    /// Plays a move. UCCI has coordinates only; in UCI it may be a null move, or in any notation.
    fn take(&mut self, text: &str, protocol: Protocol) -> Result<(), NotationError> {
        if protocol == Protocol::Uci && is_null_move(text) {
            let Some(end) = self.end.play_null() else {
                let reason = format!("{} is a null move, illegal in check", quoted(text));
                return Err(NotationError::new("move", 0, reason));
            };
            (self.start, self.end) = (end, end);
            self.moves.clear();
            return Ok(());
        }
        // Coordinates come first: they are the rule, and the fastest to read.
        let m = match self.end.parse_coordinates(text) {
            Ok(m) => m,
            Err(error) if protocol == Protocol::Ucci || looks_like_move(text) => return Err(error),
            Err(error) => {
                // If the word could be coordinates, that error is the better one: it says how ranks are numbered.
                let is_plain = text.bytes().all(|b| matches!(b, b'a'..=b'i' | b'0'..=b'9'));
                self.end.parse_move(text).map_err(|other| if is_plain { error } else { other })?
            }
        };
        self.moves.push(m);
        self.end.make(m);
        Ok(())
    }
}

// --- the search that runs ---------------------------------------------------------------------------

/// What comes to the session through its channel.
pub enum Message {
    /// A line of the input, or why one was skipped.
    Line(Result<String, String>),
    /// The input has ended.
    End,
    /// Lines about the search that runs.
    Info(String),
    /// Its answer: it is over.
    Answer(String),
}

/// The search that runs.
pub struct Search {
    /// Stops it, or tells it of the ponder hit.
    pub handle: StopHandle,
    /// It has no limits that end it soon: only `stop` ends it.
    pub needs_stop: bool,
    /// The limits apply only after `ponderhit`.
    pub is_pondering: bool,
    /// Nothing is read until it has answered (UCCI's batch mode).
    pub is_batch: bool,
    /// The opponent offers a draw.
    pub draw_offered: Arc<AtomicBool>,
}

/// Whether `go` asks for a move of a game, and not for an analysis.
fn is_game_move(go: &Go) -> bool {
    !go.limits.ponder && !go.limits.is_endless() && go.limits.mate.is_none() && go.moves.is_empty()
}

/// Whether only a command ends a search. A clock of more than a day will not end it while anybody waits.
fn needs_stop(limits: &Limits) -> bool {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let Limits { depth, nodes, mate, movetime, clock, infinite, .. } = limits;
    let is_limited = depth.is_some() || nodes.is_some() || mate.is_some();
    let is_timed = movetime.is_some_and(|time| time <= DAY) || clock.is_some_and(|clock| clock.remaining <= DAY);
    *infinite || !is_limited && !is_timed
}

/// Formats what a search reports, and sends it to the session.
struct SearchPrinter<B: ProgramGame> {
    protocol: Protocol,
    view: View<B>,
    mail: Sender<Message>,
}

impl<B: ProgramGame> Listener<B::Move> for SearchPrinter<B> {
    fn hear(&mut self, event: &Event<'_, B::Move>) {
        self.view.note(event);
        let lines = self.lines(event);
        let is_answer = matches!(event, Event::Best(_));
        // It fails only if the session has ended; then nobody reads the report.
        let _ = self.mail.send(if is_answer { Message::Answer(lines) } else { Message::Info(lines) });
    }
}

impl<B: ProgramGame> SearchPrinter<B> {
    fn lines(&self, event: &Event<'_, B::Move>) -> String {
        match self.protocol {
            Protocol::Uci => uci::format(&self.view, event),
            Protocol::Ucci => ucci::format(&self.view, event),
        }
    }
}
