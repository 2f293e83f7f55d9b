//! The options of both protocols: names, types, ranges and defaults, their values, and their effect on the engine.
//!
//! To add an option, add an [`OptionId`], a line in the tables and, if the engine needs it, an arm in
//! [`Options::apply`]. Announcing, parsing, range checks and debug output follow from the table. `session` keeps one
//! [`Options`] and reads the options that are not for the engine where it needs them.

use super::games;
use crate::base::cpu::threads;
use crate::engine::{self, Engine};
use crate::game::notation::quoted;
use crate::game::{Pruning, Searchable};
use Kind::{Button, Check, Combo, Spin, Text};
use std::fmt;

/// The name of the program.
pub const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));
/// The value of `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "Tabiya ",
    env!("CARGO_PKG_VERSION"),
    ", a table-driven chess engine, MIT or Apache-2.0 licence"
);

/// In milliseconds.
const MOVE_OVERHEAD: i64 = engine::DEFAULT_OVERHEAD.as_millis() as i64;

/// Largest hash table in mebibytes, in both protocols. A size that the system cannot allocate is an error when set.
const MAX_HASH: i64 = 131_072;

/// How the empty string is written.
const EMPTY: &str = "<empty>";

fn shown(value: &str) -> &str {
    if value.is_empty() { EMPTY } else { value }
}

/// What an option controls, whatever its name in a protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionId {
    /// Size of the transposition table in MB.
    Hash,
    /// Clears the transposition table.
    ClearHash,
    /// Clears everything learnt in earlier games.
    NewGame,
    /// The game.
    Variant,
    /// How ranks are numbered.
    Ranks,
    /// Debug output.
    Debug,
    /// Batch mode: read no commands during a search.
    Batch,
    /// Times are in milliseconds instead of seconds.
    Milliseconds,
    /// Share of the time that search threads sleep.
    Idle,
    /// Amount of pruning.
    Pruning,
    /// Size of random errors added to evaluations.
    Randomness,
    /// Contempt: whether draws are preferred or avoided.
    Style,
    /// Number of search threads.
    Threads,
    /// `go ponder` may follow; only time management uses this.
    Ponder,
    /// Number of PVs reported.
    MultiPv,
    /// Play from the opening book.
    OwnBook,
    /// Opening book file; empty for the embedded book.
    BookFile,
    /// Time in milliseconds lost between the engine's answer and the stop of its clock.
    MoveOverhead,
    /// Castling moves in Chess960 notation.
    Chess960,
    /// Play at the strength of [`Elo`](Self::Elo).
    LimitStrength,
    /// The Elo rating used with [`LimitStrength`](Self::LimitStrength).
    Elo,
    /// Analysis instead of a game.
    AnalyseMode,
    /// The opponent's name and rating.
    Opponent,
    /// Report the current line of each thread.
    ShowCurrLine,
    /// Report refutations of root moves.
    ShowRefutations,
    /// Report win, draw and loss probabilities.
    ShowWdl,
    /// Information about the program; setting it has no effect.
    About,
    /// Folders of the Syzygy tables.
    TablePath,
    /// Minimum depth at which the largest tables are probed.
    TableProbeDepth,
    /// Maximum number of pieces in positions that are probed.
    TableProbeLimit,
    /// Whether tablebase results respect the fifty-move rule.
    TableFiftyMoves,
    /// Sets the value of one position.
    SetPositionValue,
}

impl OptionId {
    /// Whether it cannot be set during a search, because it changes the hash table or ends the session.
    pub fn has_to_wait(self) -> bool {
        matches!(
            self,
            Self::Hash | Self::ClearHash | Self::NewGame | Self::SetPositionValue | Self::Variant
        )
    }
}

/// Type, default and range of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Check(bool),
    /// A whole number: default, minimum and maximum.
    Spin(i64, i64, i64),
    /// One of several words: the default, and all of them.
    Combo(&'static str, &'static [&'static str]),
    /// An action without a value.
    Button,
    /// Free text.
    Text(&'static str),
}

/// One line of the option table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it controls.
    pub id: OptionId,
    /// Its name in the protocol.
    pub name: &'static str,
    /// Its name in earlier versions of the protocol; accepted but not announced.
    pub old_name: Option<&'static str>,
    /// Its type.
    pub kind: Kind,
}

impl Spec {
    /// An option with one name.
    pub const fn new(id: OptionId, name: &'static str, kind: Kind) -> Spec {
        Spec { id, name, old_name: None, kind }
    }

    /// The same option with an additional name from an earlier version.
    const fn formerly(self, old_name: &'static str) -> Spec {
        Spec { old_name: Some(old_name), ..self }
    }
}

// --- the tables -------------------------------------------------------------------------------------

/// Values of `XiangqiRanks`: one for each of `Variant::FIRST_RANKS`, in that order, then automatic detection by
/// `ranks`. The name does not begin with `UCI_` because GUIs hide such options from the user.
const RANKS: &[&str] = &["0-9", "1-10", "auto"];

/// The options of UCI, in the order announced. The last `CHESS_ONLY` are for chess only.
pub static UCI: [Spec; 24] = [
    Spec::new(OptionId::Hash, "Hash", Spin(engine::DEFAULT_HASH as i64, 1, MAX_HASH)),
    Spec::new(OptionId::ClearHash, "Clear Hash", Button),
    Spec::new(OptionId::Threads, "Threads", Spin(1, 1, engine::MAX_THREADS as i64)),
    Spec::new(OptionId::Ponder, "Ponder", Check(false)),
    Spec::new(OptionId::MultiPv, "MultiPV", Spin(1, 1, engine::MAX_MULTI_PV as i64)),
    Spec::new(OptionId::OwnBook, "OwnBook", Check(false)),
    Spec::new(OptionId::BookFile, "BookFile", Text("")),
    Spec::new(OptionId::MoveOverhead, "Move Overhead", Spin(MOVE_OVERHEAD, 0, 5000)),
    Spec::new(OptionId::LimitStrength, "UCI_LimitStrength", Check(false)),
    Spec::new(OptionId::Elo, "UCI_Elo", Spin(1500, engine::MIN_ELO as i64, engine::MAX_ELO as i64)),
    Spec::new(OptionId::AnalyseMode, "UCI_AnalyseMode", Check(false)),
    Spec::new(OptionId::Opponent, "UCI_Opponent", Text("")),
    Spec::new(OptionId::ShowCurrLine, "UCI_ShowCurrLine", Check(false)),
    Spec::new(OptionId::ShowRefutations, "UCI_ShowRefutations", Check(false)),
    Spec::new(OptionId::ShowWdl, "UCI_ShowWDL", Check(false)),
    Spec::new(OptionId::About, "UCI_EngineAbout", Text(ABOUT)),
    Spec::new(OptionId::SetPositionValue, "UCI_SetPositionValue", Text("")),
    Spec::new(OptionId::Variant, "UCI_Variant", Combo(games::NAMES[0], games::NAMES)),
    Spec::new(OptionId::Ranks, "XiangqiRanks", Combo("auto", RANKS)),
    Spec::new(OptionId::Chess960, "UCI_Chess960", Check(false)),
    Spec::new(OptionId::TablePath, "SyzygyPath", Text("")),
    Spec::new(OptionId::TableProbeDepth, "SyzygyProbeDepth", Spin(1, 1, 100)),
    Spec::new(OptionId::TableFiftyMoves, "Syzygy50MoveRule", Check(true)),
    Spec::new(OptionId::TableProbeLimit, "SyzygyProbeLimit", Spin(7, 0, 7)),
];

/// Number of options for Chess960 and Syzygy tables.
const CHESS_ONLY: usize = 5;

/// The options for every game.
pub static UCI_COMMON: &[Spec] = UCI.split_at(UCI.len() - CHESS_ONLY).0;

const AMOUNTS: &[&str] = &["none", "small", "medium", "large"];
const AMOUNTS_DOWN: &[&str] = &["large", "medium", "small", "none"];

/// The value of `bookfiles` that selects the embedded book; a file name like this is invalid on some systems.
pub const EMBEDDED: &str = "<embedded>";

/// The options of UCCI, in the order announced. Options of the protocol that are missing here would have no effect: the
/// amount of knowledge and the rules are fixed, and there are no endgame tables. GUIs for versions before 3.0 use other
/// names for two of the options; the old `repetition` and `drawmoves` have no successors.
pub static UCCI: &[Spec] = &[
    Spec::new(OptionId::Milliseconds, "usemillisec", Check(false)),
    Spec::new(OptionId::Batch, "batch", Check(false)),
    Spec::new(OptionId::Debug, "debug", Check(false)),
    Spec::new(OptionId::Ponder, "ponder", Check(false)),
    Spec::new(OptionId::OwnBook, "usebook", Check(true)),
    Spec::new(OptionId::BookFile, "bookfiles", Text(EMBEDDED)),
    Spec::new(OptionId::Hash, "hashsize", Spin(0, 0, MAX_HASH)),
    Spec::new(OptionId::Threads, "threads", Spin(1, 0, engine::MAX_THREADS as i64)),
    Spec::new(OptionId::Idle, "idle", Combo("none", AMOUNTS)),
    Spec::new(OptionId::Pruning, "pruning", Combo("large", AMOUNTS_DOWN)),
    Spec::new(OptionId::Randomness, "randomness", Combo("none", AMOUNTS)).formerly("selectivity"),
    Spec::new(OptionId::Style, "style", Combo("normal", &["normal", "solid", "risky"])),
    Spec::new(OptionId::NewGame, "newgame", Button).formerly("loadbook"),
];

// --- names and values -------------------------------------------------------------------------------

/// The two forms of an option line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `option name <id> type <t> default <v> min … max …`
    Uci,
    /// `option <id> type <t> min … max … default <v>`, the default last.
    Ucci,
}

/// Why an option could not be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// No option has this name.
    Unknown(String),
    /// The value is invalid: the option's name, the value given, what was expected.
    Value(&'static str, String, String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown option {}", quoted(name)),
            Self::Value(name, value, expected) => {
                write!(f, "option {name}: invalid value {}, expected {expected}", quoted(value))
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Spec {
    /// The `option` line, without its line end.
    pub fn announce(&self, style: Style) -> String {
        let (name, kind) = (self.name, self.kind);
        let (word, range) = match kind {
            Check(_) => ("check", String::new()),
            Spin(_, min, max) => ("spin", format!(" min {min} max {max}")),
            Combo(default, vars) => {
                // The default comes first, because uci2wb takes the first for the value that is set.
                let others = vars.iter().filter(|var| **var != default);
                let vars = std::iter::once(&default).chain(others);
                ("combo", vars.map(|var| format!(" var {var}")).collect())
            }
            Button => ("button", String::new()),
            Text(_) => ("string", String::new()),
        };
        let default = match kind {
            Button => String::new(),
            _ => format!(" default {}", shown(&self.default_value())),
        };
        match style {
            Style::Uci => format!("option name {name} type {word}{default}{range}"),
            Style::Ucci => format!("option {name} type {word}{range}{default}"),
        }
    }

    /// Parses a value of this option and returns it in its normal form.
    ///
    /// # Errors
    /// If the text is not a valid value of the option.
    fn read(&self, text: &str) -> Result<String, OptionError> {
        let text = text.trim();
        let invalid = |expected: String| OptionError::Value(self.name, text.to_string(), expected);
        match self.kind {
            Check(_) => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Ok("true".to_string()),
                "false" | "off" | "0" => Ok("false".to_string()),
                _ => Err(invalid("true or false".to_string())),
            },
            Spin(_, min, max) => text
                .parse()
                .ok()
                .filter(|number: &i64| (min..=max).contains(number))
                .map(|number| number.to_string())
                .ok_or_else(|| invalid(format!("a number from {min} to {max}"))),
            Combo(default, vars) => {
                let is_variant = self.id == OptionId::Variant;
                let hidden = if is_variant { games::CHESS_NAMES } else { &[] };
                let text = if is_variant && text.is_empty() { default } else { text };
                let mut known = vars.iter().chain(hidden);
                known
                    .find(|var| var.eq_ignore_ascii_case(text))
                    .map(|var| var.to_string())
                    .ok_or_else(|| invalid(format!("one of {}", vars.join(", "))))
            }
            Button => Ok(self.default_value()),
            Text(_) => {
                // Protocol documents write the empty string as `<empty>`, sometimes with blanks inside.
                let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
                let empty = bare.eq_ignore_ascii_case(EMPTY);
                Ok(if empty { String::new() } else { text.to_string() })
            }
        }
    }

    fn default_value(&self) -> String {
        match self.kind {
            Check(default) => default.to_string(),
            Spin(default, ..) => default.to_string(),
            Combo(default, _) | Text(default) => default.to_string(),
            Button => "pressed".to_string(),
        }
    }
}

/// A protocol's options with their current values.
#[derive(Clone, Debug)]
pub struct Options {
    table: Vec<Spec>,
    values: Vec<String>,
    /// Values of options that this game does not have but another one does.
    other_games: Vec<(Spec, String)>,
}

impl Options {
    /// The options of `table` at their defaults.
    pub fn new(table: &'static [Spec]) -> Self {
        let values = table.iter().map(Spec::default_value).collect();
        Options { table: table.to_vec(), values, other_games: Vec::new() }
    }

    /// The same options with `game` as the default of `UCI_Variant`.
    pub fn starting_with(mut self, game: &'static str) -> Self {
        if let Some(at) = self.index(OptionId::Variant) {
            self.table[at].kind = Combo(game, games::NAMES);
            self.values[at] = game.to_string();
        }
        self
    }

    /// The lines that announce the options, each with a line end.
    pub fn announce(&self, style: Style) -> String {
        self.table.iter().map(|spec| spec.announce(style) + "\n").collect()
    }

    /// Takes over the values of `other`'s options of the same kind and returns the options that changed. Values of
    /// options that only another game has are kept until it returns. Opening books and values of positions are not
    /// taken over, because they belong to a game.
    pub fn inherit(&mut self, other: &Options) -> Vec<OptionId> {
        let mut changed = Vec::new();
        for (spec, value) in other.table.iter().zip(&other.values).chain(other.other_games()) {
            if matches!(spec.id, OptionId::BookFile | OptionId::SetPositionValue) {
                continue;
            }
            match self.table.iter().position(|s| s.id == spec.id && s.kind == spec.kind) {
                Some(at) if self.values[at] != *value => {
                    self.values[at] = value.clone();
                    changed.push(spec.id);
                }
                Some(_) => {}
                None => {
                    self.other_games.retain(|(kept, _)| kept.id != spec.id);
                    self.other_games.push((*spec, value.clone()));
                }
            }
        }
        changed
    }

    fn other_games(&self) -> impl Iterator<Item = (&Spec, &String)> {
        self.other_games.iter().map(|(spec, value)| (spec, value))
    }

    /// The index of the option with the current or old name `name`, ignoring case and extra blanks between its words.
    fn index_by_name(&self, name: &str) -> Option<usize> {
        let same = |own: &str| {
            let mut own = own.split_whitespace();
            name.split_whitespace()
                .all(|word| own.next().is_some_and(|o| o.eq_ignore_ascii_case(word)))
                && own.next().is_none()
        };
        self.table.iter().position(|spec| same(spec.name) || spec.old_name.is_some_and(same))
    }

    /// What the option called `name` controls.
    pub fn id(&self, name: &str) -> Option<OptionId> {
        self.index_by_name(name).map(|at| self.table[at].id)
    }

    /// Sets the option called `name`, ignoring case and extra blanks between its words, and returns its id.
    ///
    /// # Errors
    /// If there is no such option or the value is invalid; the old value is kept.
    pub fn set(&mut self, name: &str, value: &str) -> Result<OptionId, OptionError> {
        let at = self.index_by_name(name).ok_or_else(|| {
            OptionError::Unknown(name.split_whitespace().collect::<Vec<_>>().join(" "))
        })?;
        self.values[at] = self.table[at].read(value)?;
        Ok(self.table[at].id)
    }

    /// Sets the option `id`, as [`set`](Self::set) does by its name.
    ///
    /// # Errors
    /// If the protocol has no such option or the value is invalid; the old value is kept.
    pub fn assign(&mut self, id: OptionId, value: &str) -> Result<OptionId, OptionError> {
        self.set(self.name(id), value)
    }

    /// The name of an option; empty if the protocol has no such option.
    fn name(&self, id: OptionId) -> &'static str {
        self.index(id).map_or("", |at| self.table[at].name)
    }

    fn index(&self, id: OptionId) -> Option<usize> {
        self.table.iter().position(|spec| spec.id == id)
    }

    /// The name and value of an option, for debug output.
    pub fn describe(&self, id: OptionId) -> String {
        format!("option {} is {}", self.name(id), shown(self.text(id)))
    }

    /// A check's value; false if the protocol has no such option.
    pub fn check(&self, id: OptionId) -> bool {
        self.text(id) == "true"
    }

    /// A spin's value; `None` if the protocol has no such option.
    pub fn spin(&self, id: OptionId) -> Option<i64> {
        self.text(id).parse().ok()
    }

    /// The index of a combo's value among its words; 0 if the protocol has no such option.
    pub fn level(&self, id: OptionId) -> usize {
        match self.index(id).map(|at| self.table[at].kind) {
            Some(Combo(_, vars)) => vars.iter().position(|var| *var == self.text(id)).unwrap_or(0),
            _ => 0,
        }
    }

    /// The value of any option as text; a combo's is spelt as in the table. Empty if the protocol has no such option.
    pub fn text(&self, id: OptionId) -> &str {
        self.index(id).map_or("", |at| &self.values[at])
    }

    /// The one of `choices` at the index of a combo's value.
    fn choice<T: Copy, const N: usize>(&self, id: OptionId, choices: [T; N]) -> T {
        choices[self.level(id).min(N - 1)]
    }

    /// The game, as a value of `UCI_Variant`; `None` if the protocol has only one.
    pub fn game(&self) -> Option<&'static str> {
        let value = self.text(OptionId::Variant);
        (!value.is_empty()).then(|| games::named(value))
    }

    /// Whether castling moves are written as in Chess960.
    pub fn is_chess960(&self) -> bool {
        self.check(OptionId::Chess960) || games::is_chess960(self.text(OptionId::Variant))
    }

    /// The number of search threads; a value of 0 means all cores.
    pub fn threads(&self) -> usize {
        threads(self.spin(OptionId::Threads).and_then(|n| usize::try_from(n).ok()).unwrap_or(1))
    }

    /// Applies the value of an option to the engine; does nothing for options that are not for the engine.
    ///
    /// # Errors
    /// One line, if the engine cannot use the value; it keeps its old setting.
    pub fn apply<P: Searchable>(&self, id: OptionId, engine: &mut Engine<P>) -> Result<(), String> {
        let check = self.check(id);
        let number = |id| self.spin(id).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        match id {
            OptionId::Hash => {
                let size = match number(id) as usize {
                    0 => engine::DEFAULT_HASH,
                    size => size,
                };
                engine.resize_hash(size).map_err(|error| {
                    let (name, kept) = (self.name(id), engine.hash_size());
                    format!("option {name}: {error}; using an empty one of {kept} MB")
                })?;
            }
            OptionId::ClearHash => engine.empty_table(),
            OptionId::NewGame => engine.new_game(),
            OptionId::Threads => engine.settings.threads = self.threads(),
            OptionId::Ponder => engine.settings.ponder = check,
            OptionId::MultiPv => engine.settings.multi_pv = number(id) as usize,
            OptionId::ShowCurrLine => engine.settings.show_current_line = check,
            OptionId::ShowRefutations => engine.settings.show_refutations = check,
            OptionId::LimitStrength | OptionId::Elo => {
                let is_limited = self.check(OptionId::LimitStrength);
                engine.settings.strength = is_limited.then(|| number(OptionId::Elo));
            }
            OptionId::Idle => engine.settings.rest = self.choice(id, [0, 25, 50, 75]),
            OptionId::Pruning => {
                let all = [Pruning::Large, Pruning::Medium, Pruning::Small, Pruning::None];
                engine.settings.params = P::PARAMS.with_pruning(self.choice(id, all));
            }
            OptionId::Randomness => engine.settings.randomness = self.choice(id, [0, 10, 30, 80]),
            OptionId::Style => engine.settings.contempt = self.choice(id, [0, -25, 25]),
            OptionId::TableProbeDepth => engine.settings.table_probe_depth = number(id) as i32,
            OptionId::TableProbeLimit => engine.settings.table_probe_limit = number(id),
            OptionId::TableFiftyMoves => engine.settings.fifty_moves = check,
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: &[Spec] = &[
        Spec::new(OptionId::Hash, "Hash", Spin(16, 1, 64)),
        Spec::new(OptionId::ClearHash, "Clear Hash", Button),
        Spec::new(OptionId::Ponder, "Ponder", Check(true)).formerly("Permanent Brain"),
        Spec::new(OptionId::ShowWdl, "Style", Combo("Normal", &["Solid", "Normal", "Risky"])),
        Spec::new(OptionId::BookFile, "BookFile", Text("")),
    ];

    #[test]
    fn option_lines_have_the_forms_of_both_protocols() {
        let lines = |style| TABLE.iter().map(|s| s.announce(style)).collect::<Vec<_>>();
        assert_eq!(
            lines(Style::Uci),
            [
                "option name Hash type spin default 16 min 1 max 64",
                "option name Clear Hash type button",
                "option name Ponder type check default true",
                "option name Style type combo default Normal var Normal var Solid var Risky",
                "option name BookFile type string default <empty>",
            ]
        );
        assert_eq!(
            lines(Style::Ucci),
            [
                "option Hash type spin min 1 max 64 default 16",
                "option Clear Hash type button",
                "option Ponder type check default true",
                "option Style type combo var Normal var Solid var Risky default Normal",
                "option BookFile type string default <empty>",
            ]
        );
    }

    /// Checks every option of both protocols by its table entry alone.
    #[test]
    fn every_option_is_announced_set_range_checked_and_described() {
        for table in [&UCI[..], UCCI] {
            let mut options = Options::new(table);
            for spec in table {
                let name = spec.name;
                assert!(
                    spec.announce(Style::Uci).starts_with(&format!("option name {name} type "))
                );
                assert!(spec.announce(Style::Ucci).starts_with(&format!("option {name} type ")));
                let (good, bad) = match spec.kind {
                    Check(default) => ((!default).to_string(), "maybe".to_string()),
                    Spin(.., max) => (max.to_string(), (max + 1).to_string()),
                    Combo(_, vars) => (vars[0].to_string(), "none of these".to_string()),
                    Button => ("pressed".to_string(), String::new()),
                    Text(_) => ("some text".to_string(), String::new()),
                };
                assert_eq!(options.set(name, &good), Ok(spec.id));
                if !bad.is_empty() {
                    let error = options.set(name, &bad).unwrap_err().to_string();
                    assert!(error.starts_with(&format!("option {name}: ")), "{error}");
                }
                assert_eq!(options.text(spec.id), good);
                assert_eq!(options.describe(spec.id), format!("option {name} is {good}"));
            }
        }
    }

    #[test]
    fn names_ignore_case_and_blanks_but_values_keep_them() {
        let mut options = Options::new(TABLE);
        assert_eq!(options.set("hASH", " 32 "), Ok(OptionId::Hash));
        assert_eq!(options.spin(OptionId::Hash), Some(32));
        assert_eq!(options.set(" clear \t hash", ""), Ok(OptionId::ClearHash));
        for (value, on) in
            [("FALSE", false), ("on", true), ("0", false), ("1", true), ("off", false)]
        {
            assert_eq!(options.set("PONDER", value), Ok(OptionId::Ponder));
            assert_eq!(options.check(OptionId::Ponder), on, "{value}");
        }
        assert_eq!(options.set("permanent  brain", "on"), Ok(OptionId::Ponder), "its old name");
        assert!(options.check(OptionId::Ponder));
        assert_eq!(options.assign(OptionId::Hash, "33"), Ok(OptionId::Hash));
        assert_eq!(options.spin(OptionId::Hash), Some(33));
        assert!(options.assign(OptionId::Style, "1").is_err());
        assert_eq!(options.set("style", "rISKY"), Ok(OptionId::ShowWdl));
        assert_eq!(options.text(OptionId::ShowWdl), "Risky");
        assert_eq!(options.set("bookfile", r"d:\Tb;c\tb x"), Ok(OptionId::BookFile));
        assert_eq!(options.text(OptionId::BookFile), r"d:\Tb;c\tb x");
        for empty in ["", "<empty>", "< empty>", "< EMPTY >"] {
            assert_eq!(options.set("BookFile", empty), Ok(OptionId::BookFile));
            assert_eq!(options.text(OptionId::BookFile), "", "{empty:?}");
        }
    }

    #[test]
    fn values_are_inherited_by_id_and_kind() {
        static OTHER: &[Spec] = &[
            Spec::new(OptionId::Ponder, "think", Check(true)),
            Spec::new(OptionId::BookFile, "book", Text("")),
            Spec::new(OptionId::Hash, "size", Spin(1, 1, 9)),
        ];
        let mut first = Options::new(TABLE);
        for (name, value) in
            [("Hash", "32"), ("Ponder", "false"), ("BookFile", "x"), ("Style", "Solid")]
        {
            assert!(first.set(name, value).is_ok());
        }
        let mut second = Options::new(OTHER);
        assert_eq!(second.inherit(&first), [OptionId::Ponder]);
        assert!(!second.check(OptionId::Ponder));
        // Books are not inherited, and neither are options with another range.
        assert_eq!((second.text(OptionId::BookFile), second.spin(OptionId::Hash)), ("", Some(1)));
        let mut third = Options::new(TABLE);
        let changed = third.inherit(&first);
        assert_eq!(changed, [OptionId::Hash, OptionId::Ponder, OptionId::ShowWdl]);
        assert_eq!((third.level(OptionId::ShowWdl), first.level(OptionId::Idle)), (0, 0));
        assert_eq!(Options::new(TABLE).level(OptionId::ShowWdl), 1);
        assert!(third.inherit(&first).is_empty());
        // Values that the second table lacks are kept in it; those changed there are taken over.
        assert!(second.set("think", "true").is_ok());
        let mut fourth = Options::new(TABLE);
        assert_eq!(fourth.inherit(&second), [OptionId::Hash, OptionId::ShowWdl]);
        assert_eq!(fourth.spin(OptionId::Hash), Some(32));
        assert_eq!(fourth.text(OptionId::ShowWdl), "Solid");
        assert!(fourth.check(OptionId::Ponder));
        assert_eq!(fourth.text(OptionId::BookFile), "");
    }

    #[test]
    fn bad_values_name_the_option_and_the_range_and_change_nothing() {
        let mut options = Options::new(TABLE);
        for bad in ["", "0", "65", "-1", "1e3", "16 MB", "99999999999999999999"] {
            let error = options.set("Hash", bad).unwrap_err().to_string();
            assert!(error.contains("option Hash") && error.contains("from 1 to 64"), "{error}");
        }
        assert_eq!(options.spin(OptionId::Hash), Some(16));
        let error = options.set("Ponder", "maybe").unwrap_err().to_string();
        assert!(error.contains("option Ponder") && error.contains("true or false"), "{error}");
        let error = options.set("Style", "Wild").unwrap_err().to_string();
        assert!(error.contains("Solid, Normal, Risky"), "{error}");
        for unknown in ["", "Has", "Hash 2", "Hash Clear", "Clear", "Permanent"] {
            assert!(
                matches!(options.set(unknown, "1"), Err(OptionError::Unknown(_))),
                "{unknown:?}"
            );
        }
    }
}
