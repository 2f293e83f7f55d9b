//! Options of the subcommands: each is one [`Flag`] of a table, with its name, its line of help and what it sets.
//!
//! A subcommand has a table of flags and a struct that they fill in. [`read`] is the only place that looks at
//! arguments, [`help`] the only one that prints a table. Every fault names the argument and what was expected.

use super::failure::Outcome;
use crate::base::text::decimal;
use crate::game::notation::quoted;
use std::ffi::OsString;
use std::ops::RangeInclusive;

/// The arguments as text.
pub(super) fn utf8(arguments: impl Iterator<Item = OsString>) -> Outcome<Vec<String>> {
    let text = |(number, argument): (usize, OsString)| {
        argument.into_string().map_err(|raw| {
            let shown = quoted(&raw.to_string_lossy());
            format!("argument {number} ({shown}) is not UTF-8 text").into()
        })
    };
    (1..).zip(arguments).map(text).collect()
}

/// An option of a subcommand whose options make up a `T`: how it is written, what takes its value or says what is wrong
/// with that, and its line of help. Forms are `--json`, `--hash MB`, or `--stats[=full]` where the value may be left out.
pub(super) struct Flag<T>(
    pub &'static str,
    pub fn(&mut T, &str) -> Result<(), String>,
    pub &'static str,
);

impl<T> Flag<T> {
    /// The name with its dashes.
    pub fn name(&self) -> &'static str {
        self.0.split([' ', '[']).next().unwrap_or_default()
    }
}

/// Reads the arguments of `command` into `order`, by its flags (`--name VALUE` or `--name=VALUE`); returns the names
/// of the options in the order in which they are given, and the words between them.
pub(super) fn read<T: 'static>(
    command: &str,
    flags: impl Iterator<Item = &'static Flag<T>> + Clone,
    arguments: &[String],
    order: &mut T,
) -> Outcome<(Vec<&'static str>, Vec<String>)> {
    let (mut given, mut words) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let letter = argument.strip_prefix('-').and_then(|text| text.chars().next());
        if !letter.is_some_and(|c| c == '-' || c.is_ascii_alphabetic()) {
            words.push(argument.clone());
            continue;
        }
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument.as_str(), None),
        };
        let Some(flag @ &Flag(form, set, _)) = flags.clone().find(|flag| flag.name() == name)
        else {
            let hint = hint(name, flags.map(Flag::name), &format!("see tabiya {command} --help"));
            return Err(format!("{} is no option of {command}; {hint}", quoted(name)).into());
        };
        if given.contains(&name) {
            return Err(format!("{name} is given twice").into());
        }
        let value = match attached {
            Some(_) if form == name => return Err(format!("{name} takes no value").into()),
            Some("") if form.contains('[') => {
                return Err(format!("{name}: \"\" is no value; expected {form}").into());
            }
            Some(value) => value,
            None if !form.contains(' ') => "",
            // Another option is hardly the name of a file; `--name=VALUE` takes everything.
            None => match rest.next().filter(|next| !next.starts_with("--")) {
                Some(next) => next,
                None => return Err(format!("{name} needs a value: {form}").into()),
            },
        };
        set(order, value).map_err(|reason| format!("{name}: {reason}"))?;
        given.push(flag.name());
    }
    Ok((given, words))
}

/// The one of `names` that was probably meant by `text`, or else what else can be said.
pub(super) fn hint<'a>(
    text: &str,
    names: impl Iterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let text = text.trim_start_matches('-');
    let far = |name: &str| match text.len() > 1 && name.starts_with(text) {
        true => 1,
        false => distance(text.as_bytes(), name.as_bytes()),
    };
    let rated = names.map(|name| (name, name.trim_start_matches('-')));
    let rated = rated.map(|(name, bare)| (far(bare), 1 + bare.len() / 5, name));
    let near = rated.filter(|(far, most, _)| far <= most).min_by_key(|&(far, ..)| far);
    near.map_or(otherwise.into(), |(.., name)| format!("did you mean {name}?"))
}

/// How many letters have to be added, removed, changed or swapped with the next one.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let (mut before, mut last) = (Vec::new(), Vec::from_iter(0..=b.len()));
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let changed = last[j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && (a[i], a[i - 1]) == (b[j - 1], b[j]) {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        (before, last) = (last, row);
    }
    last[b.len()]
}

/// The number of threads for the value of `--threads`: 0 means all cores.
pub(super) fn threads(asked: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    if asked == 0 { cores() } else { asked }
}

/// Sets what an option without a value sets.
pub(super) fn on(place: &mut bool) -> Result<(), String> {
    *place = true;
    Ok(())
}

/// Takes a text as it is.
pub(super) fn text<T: for<'a> From<&'a str>>(place: &mut T, text: &str) -> Result<(), String> {
    *place = text.into();
    Ok(())
}

/// Reads a number of `range` into `place`.
pub(super) fn number<N: TryFrom<u128>>(
    place: &mut N,
    text: &str,
    range: RangeInclusive<u128>,
) -> Result<(), String> {
    let number = decimal(text).filter(|n| range.contains(n));
    *place = number.and_then(|n| N::try_from(n).ok()).ok_or_else(|| {
        let (shown, low, high) = (quoted(text), range.start(), range.end());
        let most = if *high == u128::MAX { String::new() } else { format!(" to {high}") };
        format!("{shown} is no number from {low}{most}")
    })?;
    Ok(())
}

/// The columns of a terminal.
const WIDTH: usize = 80;

/// The widest left column; what is longer has a line of its own.
const LEFT: usize = 36;

/// Rows of two columns, the right one broken at blanks so that all fits a terminal.
pub(super) fn columns(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(left, _)| left.len()).filter(|&n| n <= LEFT).max().unwrap_or(0);
    let indent = width + 4;
    let mut lines = Vec::new();
    for (left, right) in rows {
        let mut line = format!("  {left}");
        if left.len() > width {
            lines.push(std::mem::take(&mut line));
        }
        line = format!("{line:indent$}");
        for word in right.split(' ') {
            if line.len() + word.len() > WIDTH && line.len() > indent {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            }
            line += word;
            line.push(' ');
        }
        lines.push(line);
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What `--help` says of a command: its forms and its options.
pub(super) fn help(forms: &[(String, String)], options: &[(String, String)]) -> String {
    let head = if options.is_empty() { "" } else { "\noptions:\n" };
    format!("usage:\n{}{head}{}", columns(forms), columns(options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::failure::Failure;

    /// What `--flag`, `--either` and `--size` set.
    type Order = (bool, String, u32);

    const FLAGS: &[Flag<Order>] = &[
        Flag("--flag", |o, _| on(&mut o.0), ""),
        Flag("--either[=full]", |o, v| text(&mut o.1, v), ""),
        Flag("--size N", |o, v| number(&mut o.2, v, 0..=9), ""),
    ];

    fn read(line: &str) -> Result<(Order, Vec<String>), String> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let mut order = Order::default();
        match super::read("this", FLAGS.iter(), &words, &mut order) {
            Ok((_, words)) => Ok((order, words)),
            Err(Failure::Usage(reason)) => Err(reason),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_values_and_words_in_any_order() {
        let (order, words) = read("a --size=7 - --flag -1 --either b").unwrap();
        assert_eq!(words, ["a", "-", "-1", "b"]);
        assert_eq!(order, (true, String::new(), 7));
        let (order, words) = read("--either=full --size 3").unwrap();
        assert_eq!((order, words), ((false, "full".into(), 3), vec![]));
    }

    #[test]
    fn faults_name_the_argument() {
        for (line, reason) in [
            ("--size", "--size needs a value: --size N"),
            ("--size --flag", "--size needs a value: --size N"),
            ("--size 1 --size 2", "--size is given twice"),
            ("--flag=1", "--flag takes no value"),
            ("--either --either=2", "--either is given twice"),
            ("--either=", "--either: \"\" is no value; expected --either[=full]"),
            ("--sise 1", "\"--sise\" is no option of this; did you mean --size?"),
            ("-size 1", "\"-size\" is no option of this; did you mean --size?"),
            ("--ei", "\"--ei\" is no option of this; did you mean --either?"),
            ("--lfag", "\"--lfag\" is no option of this; did you mean --flag?"),
            ("--", "\"--\" is no option of this; see tabiya this --help"),
            ("--quite-another", "\"--quite-another\" is no option of this; see tabiya this --help"),
        ] {
            assert_eq!(read(line).err().as_deref(), Some(reason), "{line}");
        }
        for bad in ["--size=", "--size +1", "--size -1", "--size 10", "--size 1e3", "--size ٣"] {
            assert!(read(bad).is_err_and(|reason| reason.contains("is no number from 0 to 9")));
        }
    }

    #[test]
    fn columns_fit_a_terminal() {
        let rows = [("--size N", "how large ".repeat(20)), (&*"x".repeat(40), "far".to_string())];
        let text = columns(&rows.map(|(left, right)| (left.to_string(), right)));
        assert!(text.lines().all(|line| line.len() <= WIDTH && line == line.trim_end()), "{text}");
        assert!(
            text.starts_with("  --size N  how large") && text.ends_with("x\n            far\n")
        );
    }
}
