//! The options of both protocols, in one table: their names, types, defaults and ranges, and what sets them.
//!
//! To add an option, add a row to `OPTIONS`. Announcing, parsing, range checks, debug output and the default at the
//! start follow from it. A setter changes the engine's settings, or the session's [`Options`](super::play::Options), or
//! acts at once, as for a book.

use super::command::{self, Protocol};
use super::games::{CHESS_NAMES, Repetition, Ruleset, Variant};
use super::output::ABOUT;
use super::play::on_game;
use super::session::Session;
use crate::base::text::hint;
use crate::engine::{DEFAULT_HASH, DEFAULT_OVERHEAD, MAX_ELO, MAX_MULTI_PV, MAX_THREADS, MIN_ELO, MOST_MEN};
use crate::game::text::fault::quoted;
use Kind::{Button, Check, Combo, Games, Spin, Text};
use std::time::Duration;

/// Largest hash table in mebibytes. A size that the system cannot allocate is an error when set.
const MAX_HASH: i32 = 131_072;

/// How the empty string is written.
const EMPTY: &str = "<empty>";

/// The value of `bookfiles` that selects the embedded book; a file name like this is invalid on some systems.
const EMBEDDED: &str = "<embedded>";

/// What the values of the option `repetition` stand for.
const REPETITIONS: [Repetition; 3] = [Repetition::Asian, Repetition::Chinese, Repetition::Draw];

/// Type, default and range of an option, and its setter.
enum Kind {
    /// True or false.
    Check(bool, fn(&mut Session, bool)),
    /// A whole number: default, minimum and maximum.
    Spin(i32, i32, i32, fn(&mut Session, i32) -> Result<(), String>),
    /// One of several words, each with the number that the setter gets; the first is the default.
    Combo(&'static [(&'static str, i32)], fn(&mut Session, i32)),
    /// The game; the default is the one that the program started with. The setter gets the word.
    Games(fn(&mut Session, &'static str)),
    /// An action without a value.
    Button(fn(&mut Session)),
    /// Free text.
    Text(&'static str, fn(&mut Session, &str) -> Result<(), String>),
}

/// An option.
struct Row {
    /// Its name in UCI and in UCCI; empty if that protocol does not have it.
    names: [&'static str; 2],
    kind: Kind,
    /// Setting it waits until the running search has answered, because it changes the hash table, the threads or the
    /// game. Its default is never set, only announced: a new engine has the same value.
    waits: bool,
    /// It is for chess only.
    is_for_chess: bool,
}

impl Row {
    const fn new(uci: &'static str, ucci: &'static str, kind: Kind) -> Self {
        Row { names: [uci, ucci], kind, waits: false, is_for_chess: false }
    }

    const fn waiting(self) -> Self {
        Row { waits: true, ..self }
    }

    const fn for_chess(self) -> Self {
        Row { is_for_chess: true, ..self }
    }
}

/// The options, in the order in which they are announced. The protocols differ in that order, so they share a row only
/// where type and place are the same. UCCI leaves its options to the engine: those that slow the search down or weaken
/// it are left out, and those for endgame tables, which xiangqi does not have. `repetition` and `drawmoves` are from
/// versions before 3.0, `tenchecks` is our own. No option for xiangqi begins with
/// `UCI_`, because GUIs hide such options from the user.
#[rustfmt::skip]
static OPTIONS: &[Row] = &[
    Row::new("", "usemillisec", Check(false, |s, on| s.options.milliseconds = on)),
    Row::new("", "batch", Check(false, |s, on| s.options.batch = on)),
    Row::new("", "debug", Check(false, |s, on| s.output.debug = on)),
    Row::new("Hash", "", Spin(DEFAULT_HASH as i32, 1, MAX_HASH, |s, size| s.resize_hash(size as usize))).waiting(),
    Row::new("Clear Hash", "", Button(|s| on_game!(&mut s.game, playing => playing.engine.clear()))).waiting(),
    Row::new("PerftHash", "", Spin(0, 0, MAX_HASH, |s, size| { s.options.perft_hash = size as usize; Ok(()) })),
    Row::new("Threads", "", Spin(1, 1, MAX_THREADS as i32, |s, n| s.set_threads(n as usize))).waiting(),
    Row::new("Ponder", "ponder", Check(false, |s, on| s.game.settings().ponder = on)),
    Row::new("MultiPV", "", Spin(1, 1, MAX_MULTI_PV as i32,
        |s, n| { s.game.settings().multi_pv = n as usize; Ok(()) })),
    Row::new("OwnBook", "", Check(false, |s, on| s.options.own_book = on)),
    Row::new("BookFile", "", Text("", |s, files| s.open_book(Some(files)))),
    Row::new("Move Overhead", "", Spin(DEFAULT_OVERHEAD.as_millis() as i32, 0, 5000,
        |s, ms| { s.options.overhead = Duration::from_millis(ms as u64); Ok(()) })),
    Row::new("UCI_LimitStrength", "", Check(false, |s, on| s.limit_strength(on, s.options.elo))),
    Row::new("UCI_Elo", "", Spin(1500, MIN_ELO as i32, MAX_ELO as i32,
        |s, elo| { s.limit_strength(s.options.is_limited, elo as u32); Ok(()) })),
    Row::new("UCI_AnalyseMode", "", Check(false, |s, on| s.options.analyses = on)),
    Row::new("UCI_Opponent", "", Text("", |_, _| Ok(()))),
    Row::new("UCI_ShowWDL", "", Check(false, |s, on| s.options.show_wdl = on)),
    Row::new("UCI_EngineAbout", "", Text(ABOUT, |_, _| Ok(()))),
    Row::new("UCI_Variant", "", Games(Session::select_game)).waiting(),
    Row::new("XiangqiRanks", "", Combo(&[("auto", -1), ("0-9", 0), ("1-10", 1)],
        |s, first| s.options.ranks.option = usize::try_from(first).ok())),
    Row::new("XiangqiRepetition", "repetition", Combo(&[("asianrule", 0), ("chineserule", 1), ("alwaysdraw", 2)],
        |s, judge| s.options.rules.repetition = REPETITIONS[judge as usize])),
    Row::new("XiangqiMoveLimit", "drawmoves", Spin(Ruleset::DEFAULT.move_limit as i32, 0, 500,
        |s, moves| { s.options.rules.move_limit = moves as u16; Ok(()) })),
    Row::new("XiangqiTenChecks", "tenchecks", Check(Ruleset::DEFAULT.ten_checks,
        |s, on| s.options.rules.ten_checks = on)),
    Row::new("UCI_Chess960", "", Check(false, |s, on| s.options.chess960 = on)).for_chess(),
    Row::new("SyzygyPath", "", Text("", |s, path| { s.open_tablebase(path); Ok(()) })).for_chess(),
    Row::new("SyzygyProbeDepth", "", Spin(1, 1, 100,
        |s, depth| { s.game.settings().tablebase_probe_depth = depth; Ok(()) })).for_chess(),
    Row::new("Syzygy50MoveRule", "", Check(true, |s, on| s.game.settings().ignores_fifty_moves = !on)).for_chess(),
    Row::new("SyzygyProbeLimit", "", Spin(MOST_MEN as i32, 0, MOST_MEN as i32,
        |s, men| { s.game.settings().tablebase_probe_limit = Some(men as u32); Ok(()) })).for_chess(),
    Row::new("", "usebook", Check(true, |s, on| s.options.own_book = on)),
    Row::new("", "bookfiles", Text(EMBEDDED, |s, files| match files {
        "" => s.open_book(None),
        _ if files.eq_ignore_ascii_case(EMBEDDED) => s.open_book(Some("")),
        _ => s.open_book(Some(files)),
    })),
    Row::new("", "hashsize", Spin(0, 0, MAX_HASH,
        |s, size| s.resize_hash(if size == 0 { DEFAULT_HASH } else { size as usize }))).waiting(),
    Row::new("", "threads", Spin(1, 0, MAX_THREADS as i32, |s, n| s.set_threads(n as usize))).waiting(),
    Row::new("", "newgame", Button(|s| on_game!(&mut s.game, playing => playing.engine.clear()))).waiting(),
];

/// The words of `text`, separated by single blanks.
fn single_blanks(text: &str) -> String {
    Vec::from_iter(text.split_whitespace()).join(" ")
}

fn shown(value: &str) -> &str {
    if value.is_empty() { EMPTY } else { value }
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(|word| format!(" var {word}")).collect()
}

impl Row {
    fn name(&self, protocol: Protocol) -> &'static str {
        self.names[protocol as usize]
    }

    /// The `option` line, with its line end. `game` is the one that the program started with. The default comes first
    /// in a list, because uci2wb takes the first for the value that is set.
    fn announce(&self, protocol: Protocol, game: &'static str) -> String {
        let (word, default, range) = match self.kind {
            Check(default, _) => ("check", default.to_string(), String::new()),
            Spin(default, min, max, _) => ("spin", default.to_string(), format!(" min {min} max {max}")),
            Combo(words, _) => ("combo", words[0].0.to_string(), list(words.iter().map(|word| word.0))),
            Games(_) => {
                let others = Variant::ALL.map(Variant::name).into_iter().filter(|name| *name != game);
                ("combo", game.to_string(), list([game].into_iter().chain(others)))
            }
            Button(_) => ("button", String::new(), String::new()),
            Text(default, _) => ("string", shown(default).to_string(), String::new()),
        };
        let name = self.name(protocol);
        let default = if default.is_empty() { default } else { format!(" default {default}") };
        match protocol {
            Protocol::Uci => format!("option name {name} type {word}{default}{range}\n"),
            Protocol::Ucci => format!("option {name} type {word}{range}{default}\n"),
        }
    }

    /// Sets the option to the value that `text` stands for, and returns that value in its normal form.
    ///
    /// # Errors
    /// If the text is not a value of the option, or the setter fails.
    fn set(&self, session: &mut Session, text: &str) -> Result<String, String> {
        let invalid = |expected: &str| format!("invalid value {}, expected {expected}", quoted(text));
        match self.kind {
            Check(_, set) => {
                let on = match text.to_ascii_lowercase().as_str() {
                    "true" | "on" | "1" => true,
                    "false" | "off" | "0" => false,
                    _ => return Err(invalid("true or false")),
                };
                set(session, on);
                Ok(on.to_string())
            }
            Spin(_, min, max, set) => {
                let (place, mut odd) = (format!("option {}:", self.name(session.output.protocol)), Vec::new());
                let number = command::number(text, &place, &mut odd);
                let number = number.filter(|number| (min.into()..=max.into()).contains(number));
                let number = number.ok_or_else(|| invalid(&format!("a number from {min} to {max}")))?;
                session.report_oddities(odd);
                set(session, number as i32)?;
                Ok(number.to_string())
            }
            Combo(words, set) => {
                let known = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
                let all = || Vec::from_iter(words.iter().map(|word| word.0)).join(", ");
                let &(word, number) = known.ok_or_else(|| invalid(&format!("one of {}", all())))?;
                set(session, number);
                Ok(word.to_string())
            }
            Games(set) => {
                let text = if text.is_empty() { session.first_game() } else { text };
                let names = Vec::from_iter(Variant::ALL.map(Variant::name).into_iter().chain(CHESS_NAMES));
                let word = names.iter().find(|word| word.eq_ignore_ascii_case(text));
                let word = word.ok_or_else(|| invalid(&format!("one of {}", names.join(", "))))?;
                set(session, word);
                Ok(word.to_string())
            }
            Button(set) => {
                set(session);
                Ok("pressed".to_string())
            }
            Text(_, set) => {
                // Protocol documents write the empty string as `<empty>`, sometimes with blanks inside.
                let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
                let text = if bare.eq_ignore_ascii_case(EMPTY) { "" } else { text };
                set(session, text)?;
                Ok(text.to_string())
            }
        }
    }
}

/// The options of a session.
impl Session {
    /// The options of the protocol and the game.
    fn rows(&self) -> impl Iterator<Item = &'static Row> + use<> {
        let (protocol, is_chess) = (self.output.protocol, self.game.variant() == Variant::Chess);
        OPTIONS.iter().filter(move |row| !row.name(protocol).is_empty() && (is_chess || !row.is_for_chess))
    }

    /// The option called `name`, ignoring case and extra blanks between its words.
    fn option(&self, name: &str) -> Option<&'static Row> {
        let name = single_blanks(name);
        self.rows().find(|row| row.name(self.output.protocol).eq_ignore_ascii_case(&name))
    }

    /// Whether setting the option `name` waits until the running search has answered.
    pub(super) fn option_waits(&self, name: &str) -> bool {
        self.option(name).is_some_and(|row| row.waits)
    }

    /// The lines that announce the options.
    pub(super) fn option_lines(&self) -> String {
        self.rows().map(|row| row.announce(self.output.protocol, self.first_game())).collect()
    }

    /// Sets every option that need not wait for a search to its default. Texts, buttons and the game have no default
    /// to set.
    pub(super) fn set_defaults(&mut self) {
        // UCCI has no option for the overhead.
        self.options.overhead = DEFAULT_OVERHEAD;
        for row in self.rows().filter(|row| !row.waits) {
            match row.kind {
                Check(default, set) => set(self, default),
                // The setter of a number can fail only if its option waits.
                Spin(default, _, _, set) => drop(set(self, default)),
                Combo(words, set) => set(self, words[0].1),
                Games(_) | Button(_) | Text(..) => {}
            }
        }
        self.adapt_position();
    }

    /// Sets the option `name`, and reports what is wrong with the name or the value.
    pub(super) fn set_option(&mut self, name: &str, value: &str) {
        let Some(row) = self.option(name) else { return self.report_unknown_option(&single_blanks(name)) };
        let name = row.name(self.output.protocol);
        let set = row.set(self, value.trim());
        self.adapt_position();
        if let Ok(value) = &set {
            self.output.remark_if_debug(|| format!("option {name} is {}", shown(value)));
        }
        self.report_error(name, set.map(drop));
    }

    fn report_unknown_option(&self, name: &str) {
        let names = self.rows().map(|row| row.name(self.output.protocol));
        let hint = if name.len() < 3 { String::new() } else { hint(name, names, "") };
        let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
        let unknown = format!("unknown option {}{hint}", quoted(name));
        match self.output.protocol {
            Protocol::Uci => self.output.error(&unknown),
            // Some GUIs set every option of the protocol, announced or not.
            Protocol::Ucci => self.output.remark_if_debug(|| unknown),
        }
    }

    /// Reports the error of the option `name`, if setting it failed.
    pub(super) fn report_error(&self, name: &str, set: Result<(), String>) {
        if let Err(error) = set {
            self.output.error(&format!("option {name}: {error}"));
        }
    }

    // --- setters ------------------------------------------------------------------------------------

    pub(super) fn resize_hash(&mut self, megabytes: usize) -> Result<(), String> {
        on_game!(&mut self.game, playing => {
            let set = playing.engine.set_hash(megabytes);
            set.map_err(|error| format!("{error}; using an empty one of {} MB", playing.engine.hash_size()))
        })
    }

    pub(super) fn set_threads(&mut self, threads: usize) -> Result<(), String> {
        on_game!(&mut self.game, playing => {
            let set = playing.engine.set_threads(threads);
            set.map_err(|error| format!("{error}; keeping {}", playing.engine.threads))
        })
    }

    fn limit_strength(&mut self, is_limited: bool, elo: u32) {
        (self.options.is_limited, self.options.elo) = (is_limited, elo);
        self.game.settings().strength = is_limited.then_some(elo);
    }

    /// Adapts the position to the options: its rules, and how its moves are written.
    pub(super) fn adapt_position(&mut self) {
        on_game!(&mut self.game, playing => playing.adapt(&self.options));
    }

    /// Selects the game that the value `name` of `UCI_Variant` stands for.
    fn select_game(&mut self, name: &'static str) {
        let game = Variant::read(name).unwrap_or(Variant::Chess);
        self.options.is_shuffled = CHESS_NAMES[2..].contains(&name);
        self.options.is_game_selected = true;
        self.options.ranks.note_selected(game);
        self.change_game(game);
    }

    /// Opens a book, the embedded one if `files` is empty.
    fn open_book(&mut self, files: Option<&str>) -> Result<(), String> {
        let remark = on_game!(&mut self.game, playing => playing.open_book(files))?;
        self.output.remark(&remark);
        Ok(())
    }

    /// Opens the tablebases in the folders `path`, without the files that cannot be used.
    pub(super) fn open_tablebase(&mut self, path: &str) {
        self.options.tablebase_path = path.to_string();
        on_game!(&mut self.game, playing => playing.open_tablebase(path, &self.output));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Console;
    use super::super::output::Output;
    use super::*;
    use crate::xiangqi;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    /// What a session writes.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Written {
        fn take(&self) -> String {
            String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
        }
    }

    /// A session of UCI in debug mode, and what it writes.
    fn session(game: Variant) -> (Session, Written) {
        let written = Written::default();
        let mut session = Session::new(Output::new(written.clone()), Console { game, is_terminal: false });
        session.output.debug = true;
        (session, written)
    }

    fn chess() -> (Session, Written) {
        session(Variant::Chess)
    }

    /// The same of UCCI.
    fn ucci() -> (Session, Written) {
        let (mut session, written) = chess();
        session.change_to_ucci();
        session.output.debug = true;
        (session, written)
    }

    /// A value that is allowed but is not the default, if possible, and one that is not allowed, if there is one.
    fn values(row: &Row) -> (String, Option<String>) {
        match row.kind {
            Check(default, _) => ((!default).to_string(), Some("maybe".into())),
            Spin(.., max, _) if row.waits => ("17".into(), Some((max + 1).to_string())),
            Spin(.., max, _) => (max.to_string(), Some((max + 1).to_string())),
            Combo(words, _) => (words[1].0.into(), Some("none of these".into())),
            Games(_) => ("chess960".into(), Some("none of these".into())),
            Button(_) => ("pressed".into(), None),
            Text(..) => ("".into(), None),
        }
    }

    /// Announces, sets, describes and range-checks every option of a protocol by its row alone.
    fn all_options((mut session, written): (Session, Written)) {
        let (lines, rows) = (session.option_lines(), Vec::from_iter(session.rows()));
        let protocol = session.output.protocol;
        let (start, prefix) = match protocol {
            Protocol::Uci => ("option name", "info string"),
            Protocol::Ucci => ("option", "info message"),
        };
        assert_eq!(lines.lines().count(), rows.len());
        // The game is set last: it has other options.
        for (row, line) in rows.iter().zip(lines.lines()).filter(|(row, _)| !matches!(row.kind, Games(_))) {
            let name = row.name(protocol);
            assert!(line.starts_with(&format!("{start} {name} type ")), "{line}");
            let same = rows.iter().filter(|other| other.name(protocol).eq_ignore_ascii_case(name));
            assert_eq!(same.count(), 1, "{name} stands once");
            let (good, bad) = values(row);
            session.set_option(&name.to_uppercase(), &format!(" {good} "));
            let described = format!("{prefix} option {name} is {}\n", shown(&good));
            assert!(written.take().ends_with(&described), "{described}");
            for bad in bad.into_iter().chain(matches!(row.kind, Spin(..)).then(|| "-1".into())) {
                session.set_option(name, &bad);
                let told = written.take();
                let error = format!("{prefix} ERROR: option {name}: invalid value");
                assert!(told.starts_with(&error), "{told}");
                session.set_option(name, &"x\u{1b}".repeat(10_000));
                let told = written.take();
                assert!(told.len() < 400 && told.lines().count() == 1, "{told}");
            }
        }
    }

    #[test]
    fn every_option_is_announced_set_range_checked_and_described() {
        all_options(chess());
        all_options(session(Variant::Xiangqi));
        all_options(ucci());
    }

    #[test]
    fn a_range_may_be_negative() {
        let (mut session, _) = chess();
        let set = |s: &mut Session, n| {
            s.game.settings().tablebase_probe_depth = n;
            Ok(())
        };
        let row = Row::new("Depth", "", Spin(-1, -20, 5, set));
        assert_eq!(row.announce(Protocol::Uci, "chess"), "option name Depth type spin default -1 min -20 max 5\n");
        assert_eq!(row.set(&mut session, "-20").as_deref(), Ok("-20"));
        assert_eq!(session.game.settings().tablebase_probe_depth, -20);
        for bad in ["-21", "6", "--1", "-", "x"] {
            let error = format!("invalid value \"{bad}\", expected a number from -20 to 5");
            assert_eq!(row.set(&mut session, bad), Err(error));
        }
    }

    #[test]
    fn option_lines_have_the_forms_of_both_protocols() {
        let lines = chess().0.option_lines();
        for line in [
            "option name Hash type spin default 16 min 1 max 131072\n",
            "option name Clear Hash type button\n",
            "option name Ponder type check default false\n",
            "option name BookFile type string default <empty>\n",
            "option name UCI_Variant type combo default chess var chess var xiangqi\n",
        ] {
            assert!(lines.contains(line), "{line}");
        }
        let lines = ucci().0.option_lines();
        for line in [
            "option hashsize type spin min 0 max 131072 default 0\n",
            "option newgame type button\n",
            "option ponder type check default false\n",
            "option repetition type combo var asianrule var chineserule var alwaysdraw default asianrule\n",
        ] {
            assert!(lines.contains(line), "{line}");
        }
    }

    #[test]
    fn defaults_are_the_initial_state() {
        let (mut session, _) = chess();
        let settings = *session.game.settings();
        assert!(settings.multi_pv == 1 && settings.strength.is_none());
        assert!(!settings.ignores_fifty_moves && settings.tablebase_probe_depth == 1 && !settings.ponder);
        assert!(!session.options.own_book && session.options.ranks.option.is_none());
        assert_eq!(session.options.overhead, DEFAULT_OVERHEAD);
        let (session, _) = ucci();
        assert_eq!(session.options.overhead, DEFAULT_OVERHEAD);
        assert!(session.options.own_book && session.options.ranks.option == Some(0));
        assert_eq!(session.options.rules, xiangqi::Ruleset::default());
    }

    #[test]
    fn the_manual_names_every_option() {
        let manual = include_str!("../guide/playing.md");
        let names = |lines: String| -> Vec<String> {
            let name = |line: &str| Some(line.split("option ").nth(1)?.split(" type ").next()?.to_string());
            lines.lines().filter_map(name).map(|name| name.trim_start_matches("name ").to_string()).collect()
        };
        let (uci, ucci) = (chess().0, ucci().0);
        let all = [names(uci.option_lines()), names(ucci.option_lines())].concat();
        assert!(all.len() > 30, "{all:?}");
        for name in all {
            assert!(manual.contains(&format!("`{name}`")), "src/guide/playing.md does not name the option {name}");
        }
    }

    #[test]
    fn names_ignore_case_and_blanks_but_values_keep_them() {
        let (mut session, written) = chess();
        session.set_option(" clear \t hash", "");
        assert!(written.take().ends_with("Clear Hash is pressed\n"));
        for (value, on) in [("FALSE", false), ("on", true), ("0", false), ("1", true), ("off", false)] {
            session.set_option("PONDER", value);
            assert_eq!(session.game.settings().ponder, on, "{value}");
        }
        session.set_option("syzygypath", r"d:\Tb;c\tb x");
        assert_eq!(session.options.tablebase_path, r"d:\Tb;c\tb x");
        for empty in ["", "<empty>", "< empty>", "< EMPTY >"] {
            session.options.tablebase_path = "x".into();
            session.set_option("SyzygyPath", empty);
            assert_eq!(session.options.tablebase_path, "", "{empty:?}");
        }
    }

    #[test]
    fn bad_values_name_the_option_and_the_range_and_change_nothing() {
        let (mut session, written) = chess();
        let mut told = |name: &str, value: &str| {
            session.set_option(name, value);
            assert_eq!(session.game.settings().multi_pv, 1);
            assert!(!session.game.settings().ponder && session.options.ranks.option.is_none());
            written.take()
        };
        for bad in ["", "0", "257", "-1", "1e3", "16 MB", "99999999999999999999"] {
            let told = told("MultiPV", bad);
            assert!(told.contains("option MultiPV") && told.contains("from 1 to 256"), "{told}");
        }
        assert!(told("Ponder", "maybe").contains("true or false"));
        assert!(told("XiangqiRanks", "2-11").contains("auto, 0-9, 1-10"));
        for unknown in ["", "Has", "MultiPV 2", "Hash Clear", "Clear"] {
            let error = format!("ERROR: unknown option {}", quoted(unknown));
            assert!(told(unknown, "1").contains(&error), "{unknown:?}");
        }
    }

    #[test]
    fn decimal_numbers_are_read_with_one_remark() {
        let (mut session, written) = chess();
        session.output.debug = false;
        session.set_option("MultiPV", "3.0");
        session.set_option("MultiPV", "4.9");
        assert_eq!(session.game.settings().multi_pv, 4);
        let remark = "option MultiPV: expects a whole number; \"3.0\" is read as 3";
        assert_eq!(written.take(), format!("info string {remark}\n"));
    }

    #[test]
    fn options_are_kept_when_the_game_changes() {
        let (mut session, _) = chess();
        for (name, value) in [
            ("Hash", "17"),
            ("Ponder", "true"),
            ("MultiPV", "3"),
            ("OwnBook", "true"),
            ("UCI_Chess960", "true"),
            ("Syzygy50MoveRule", "false"),
            ("UCI_LimitStrength", "true"),
            ("UCI_Elo", "1000"),
            ("XiangqiRepetition", "chineserule"),
            ("XiangqiMoveLimit", "50"),
            ("XiangqiTenChecks", "true"),
            ("UCI_Variant", "xiangqi"),
        ] {
            session.set_option(name, value);
        }
        let settings = *session.game.settings();
        assert!(settings.ponder && settings.multi_pv == 3 && settings.strength == Some(1000));
        assert!(session.options.own_book && session.options.chess960);
        let AnyGame::Xiangqi(playing) = &session.game else { panic!("the game is chess") };
        let repetition = xiangqi::Repetition::Chinese;
        let rules = xiangqi::Ruleset { repetition, move_limit: 50, ten_checks: true };
        assert_eq!((playing.position().ruleset(), playing.engine.hash_size()), (rules, 17));
        session.set_option("UCI_Variant", "chess");
        let AnyGame::Chess(playing) = &session.game else { panic!("the game is xiangqi") };
        assert!(playing.position().is_chess960() && playing.engine.settings.ignores_fifty_moves);
        assert_eq!(playing.engine.hash_size(), 17);
    }

    use super::super::play::{AnyGame, Options};

    fn first_rank(options: &Options) -> usize {
        usize::from(options.adapt(xiangqi::Position::default()).first_rank())
    }

    #[test]
    fn every_first_move_decides_how_ranks_are_numbered() {
        let start = xiangqi::Position::default();
        let mut moves = 0;
        for first in [0, 1] {
            for &m in start.with_first_rank(first).legal_moves().as_slice() {
                let text = start.with_first_rank(first).move_text(m).to_string();
                let mut options = Options::default();
                options.note_move(start, &text);
                assert_eq!(first_rank(&options), usize::from(first), "{text}");
                moves += 1;
            }
        }
        assert_eq!(moves, 2 * 44);
    }

    #[test]
    fn ranks_are_numbered_by_the_option_or_the_first_move_or_the_way_the_game_was_selected() {
        let start = xiangqi::Position::default();
        let mut options = Options::default();
        assert_eq!(first_rank(&options), 0, "the game was not selected");
        options.ranks.note_selected(Variant::Xiangqi);
        assert_eq!(first_rank(&options), 1, "the program has set UCI_Variant");
        options.ranks.note_form();
        assert_eq!(first_rank(&options), 0, "uci2wb");
        options.ranks.note_selected(Variant::Xiangqi);
        for (text, first) in [("h3e3", 1), ("x", 1), ("C2=5", 1), ("0000", 1), ("h2e2", 0), ("h3e3", 1)] {
            options.note_move(start, text);
            assert_eq!(first_rank(&options), first, "{text}");
        }
        // Legal in both.
        options.note_move(xiangqi::Position::from_fen("4k4/9/9/9/R8/R8/9/9/9/3K5 w - - 0 1").unwrap(), "a5b5");
        assert_eq!(first_rank(&options), 1);
        options.ranks.option = Some(0);
        options.note_move(start, "h3e3");
        assert_eq!(first_rank(&options), 0, "the option");
        options.ranks.option = None;
        options.note_move(start, "h3e3");
        assert_eq!(first_rank(&options), 1);
        // In chess there is one convention.
        options.note_move(crate::chess::Position::default(), "e2e4");
        assert_eq!(first_rank(&options), 1);
    }
}
