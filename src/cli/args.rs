//! Command-line options: each is a [`Flag`] in a table, with its form, its setter and its help text.
//!
//! A subcommand has a table of flags and a struct that the flags fill in. [`read`] parses the arguments,
//! [`read_input`] reads a file that they name, [`help`] prints the table. Every error names the argument at fault and
//! what was expected.

use super::failure::CommandResult;
use crate::base::files::{path_of, read_all, text_of};
use crate::base::text::{decimal, hint};
use crate::game::text::fault::quoted;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::ops::RangeInclusive;

/// The arguments as text; a name of a file may have bytes that are not UTF-8.
pub(crate) fn texts(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    arguments.map(|argument| text_of(argument.as_encoded_bytes())).collect()
}

/// An option of a subcommand whose options are a `T`: its form, its setter and its help text. The setter takes the
/// value, and returns what is wrong with it on error. The form is `--json` for no value, `--hash MB` for a required
/// value, `--stats[=full]` for an optional one.
pub(crate) struct Flag<T>(pub &'static str, pub fn(&mut T, &str) -> Result<(), String>, pub &'static str);

impl<T> Flag<T> {
    /// The name with its dashes.
    pub fn name(&self) -> &'static str {
        self.0.split([' ', '[']).next().unwrap_or_default()
    }

    /// Its form and its help text.
    pub fn row(&self) -> (String, String) {
        (self.0.into(), self.2.into())
    }
}

/// Reads the arguments of `command` into `options` by its flags (`--name VALUE` or `--name=VALUE`); `--` ends the
/// flags. Returns the names of the given options in order, and the positional arguments.
pub(crate) fn read<T: 'static>(
    command: &str,
    flags: impl Iterator<Item = &'static Flag<T>> + Clone,
    arguments: &[String],
    options: &mut T,
) -> CommandResult<(Vec<&'static str>, Vec<String>)> {
    let (mut given, mut words) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            words.extend(rest.cloned());
            break;
        }
        let letter = argument.strip_prefix('-').and_then(|text| text.chars().next());
        if !letter.is_some_and(|c| c == '-' || c.is_ascii_alphabetic()) {
            words.push(argument.clone());
            continue;
        }
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument.as_str(), None),
        };
        let Some(flag @ &Flag(form, set, _)) = flags.clone().find(|flag| flag.name() == name) else {
            let hint = hint(name, flags.map(Flag::name), &format!("see tabiya {command} --help"));
            return Err(format!("unknown option {} for {command}; {hint}", quoted(name)).into());
        };
        if given.contains(&name) {
            return Err(format!("{name} is given twice").into());
        }
        let value = match attached {
            Some(_) if form == name => return Err(format!("{name} takes no value").into()),
            Some("") if form.contains('[') => {
                return Err(format!("{name}: the value is empty; expected {form}").into());
            }
            Some(value) => value,
            None if !form.contains(' ') => "",
            // A value is unlikely to begin with `--`; `--name=VALUE` accepts any.
            None => match rest.next().filter(|next| !next.starts_with("--")) {
                Some(next) => next,
                None => return Err(format!("{name} needs a value: {form}").into()),
            },
        };
        set(options, value).map_err(|reason| format!("{name}: {reason}"))?;
        given.push(flag.name());
    }
    Ok((given, words))
}

/// The setter of an option without a value.
pub(crate) fn on(place: &mut bool) -> Result<(), String> {
    *place = true;
    Ok(())
}

/// The setter of an option with any text as its value.
pub(crate) fn text(place: &mut String, text: &str) -> Result<(), String> {
    *place = text.into();
    Ok(())
}

/// Reads a number in `range` into `place`.
pub(crate) fn number<N: TryFrom<u128>>(place: &mut N, text: &str, range: RangeInclusive<u128>) -> Result<(), String> {
    if let Some(number) = decimal(text)
        && range.contains(&number)
        && let Ok(number) = N::try_from(number)
    {
        *place = number;
        return Ok(());
    }
    let (low, high) = (range.start(), range.end());
    let most = if *high == u128::MAX { String::new() } else { format!(" to {high}") };
    Err(format!("{} is not a number from {low}{most}", quoted(text)))
}

/// The name of the file `path`, or of standard input, for output.
pub(crate) fn shown(path: &str) -> String {
    if path == "-" { "stdin".into() } else { path_of(path).display().to_string() }
}

/// Reads the file `path`, or standard input if it is `-`, of at most `most` bytes. Returns its name for messages too.
/// Pipes are read, since shells pass them as files.
///
/// # Errors
/// If it cannot be read or is longer, in one line with the name.
pub(crate) fn read_input(path: &str, most: u64) -> Result<(String, Vec<u8>), String> {
    let (name, read) = if path == "-" {
        ("stdin".to_string(), read_all(io::stdin(), most))
    } else {
        // Not `quoted`, which would cut off the end of a long path.
        (format!("{:?}", path_of(path)), File::open(path_of(path)).and_then(|file| read_all(file, most)))
    };
    match read {
        Ok(bytes) => Ok((name, bytes)),
        Err(error) => Err(format!("cannot read {name}: {error}")),
    }
}

/// The most characters of a line of help.
const WIDTH: usize = 80;

/// Adds `text` to `line`, broken at blanks to fit [`WIDTH`]; further lines begin with `indent` blanks.
fn wrapped(mut line: String, text: &str, indent: usize) -> String {
    let mut lines = String::new();
    for word in text.split(' ') {
        if line.len() + word.len() > WIDTH && line.len() > indent {
            lines = lines + line.trim_end() + "\n";
            line = " ".repeat(indent);
        }
        line = line + word + " ";
    }
    lines + line.trim_end() + "\n"
}

/// Text whose lines fit [`WIDTH`].
pub(crate) fn fitted(text: &str) -> String {
    text.lines().map(|line| wrapped(String::new(), line, 0)).collect()
}

/// Formats rows of two columns that fit [`WIDTH`]. A long entry of the left column has lines of its own.
pub(crate) fn columns(rows: &[(String, String)]) -> String {
    let left = rows.iter().map(|(left, _)| left.len()).filter(|&n| n <= WIDTH * 9 / 20).max().unwrap_or(0);
    let indent = left + 4;
    let mut text = String::new();
    for (entry, right) in rows {
        if entry.len() <= left {
            text += &wrapped(format!("  {entry:left$}  "), right, indent);
        } else {
            text += &wrapped("  ".into(), entry, 6);
            text += &wrapped(" ".repeat(indent), right, indent);
        }
    }
    text
}

/// What `--help` of a command prints: its command lines with what they do, its options, and `notes`, if there are any.
pub(crate) fn help(forms: &[(String, String)], options: &[(String, String)], notes: &str) -> String {
    let head = if options.is_empty() { "" } else { "\noptions:\n" };
    format!("usage:\n{}{head}{}{}", columns(forms), columns(options), fitted(notes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::failure::Failure;

    /// Values of `--flag`, `--either` and `--size`.
    type Options = (bool, String, u32);

    const FLAGS: &[Flag<Options>] = &[
        Flag("--flag", |o, _| on(&mut o.0), ""),
        Flag("--either[=full]", |o, v| text(&mut o.1, v), ""),
        Flag("--size N", |o, v| number(&mut o.2, v, 0..=9), ""),
    ];

    fn words_of(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    fn read(line: &str) -> Result<(Options, Vec<String>), String> {
        let words = words_of(line);
        let mut options = Options::default();
        match super::read("this", FLAGS.iter(), &words, &mut options) {
            Ok((_, words)) => Ok((options, words)),
            Err(Failure::Usage(reason)) => Err(reason),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_values_and_words_in_any_order() {
        let (options, words) = read("a --size=7 - --flag -1 --either b").unwrap();
        assert_eq!(words, ["a", "-", "-1", "b"]);
        assert_eq!(options, (true, String::new(), 7));
        assert_eq!(read("a -- --flag -- -x").unwrap(), (Options::default(), words_of("a --flag -- -x")));
        let (options, words) = read("--either=full --size 3").unwrap();
        assert_eq!((options, words), ((false, "full".into(), 3), vec![]));
    }

    #[test]
    fn errors_name_the_argument() {
        for (line, reason) in [
            ("--size", "--size needs a value: --size N"),
            ("--size --flag", "--size needs a value: --size N"),
            ("--size 1 --size 2", "--size is given twice"),
            ("--flag=1", "--flag takes no value"),
            ("--either --either=2", "--either is given twice"),
            ("--either=", "--either: the value is empty; expected --either[=full]"),
            ("--sise 1", "unknown option \"--sise\" for this; did you mean --size?"),
            ("-size 1", "unknown option \"-size\" for this; did you mean --size?"),
            ("--ei", "unknown option \"--ei\" for this; did you mean --either?"),
            ("--lfag", "unknown option \"--lfag\" for this; did you mean --flag?"),
            ("--quite-another", "unknown option \"--quite-another\" for this; see tabiya this --help"),
        ] {
            assert_eq!(read(line).err().as_deref(), Some(reason), "{line}");
        }
        for bad in ["--size=", "--size +1", "--size -1", "--size 10", "--size 1e3", "--size ٣"] {
            assert!(read(bad).is_err_and(|reason| reason.contains("is not a number from 0 to 9")));
        }
    }

    #[test]
    fn columns_fit_the_width() {
        let rows = [
            ("--size N", "how large ".repeat(20)),
            ("--longer THAN the left column may ever be, by a few words", "far".into()),
        ];
        let text = columns(&rows.map(|(left, right)| (left.to_string(), right)));
        assert!(text.lines().all(|line| line.len() <= WIDTH && line == line.trim_end()), "{text}");
        assert!(text.starts_with("  --size N  how") && text.ends_with("  far\n"), "{text}");
        assert!(text.contains("\n  --longer THAN the"), "{text}");
        assert_eq!(wrapped(String::new(), "", 0), "\n");
    }
}
