//! Reading of command-line options by hand: flags, options with a value, and the words between them.
//!
//! Used by the subcommands. Every fault names the argument and what was expected.

use super::failure::Failure;
use crate::game::notation::quoted;
use std::ffi::OsString;
use std::ops::RangeInclusive;

/// The arguments as text.
pub(super) fn utf8(arguments: impl Iterator<Item = OsString>) -> Result<Vec<String>, Failure> {
    arguments
        .enumerate()
        .map(|(i, argument)| {
            argument.into_string().map_err(|raw| {
                let shown = quoted(&raw.to_string_lossy());
                Failure::Usage(format!("argument {} ({shown}) is not UTF-8 text", i + 1))
            })
        })
        .collect()
}

/// The options and words of one subcommand.
pub(super) struct Args {
    words: Vec<String>,
    flags: Vec<String>,
    values: Vec<(String, String)>,
}

impl Args {
    /// Sorts `arguments` by the names of the flags and of the options that take a value (`--name VALUE` or
    /// `--name=VALUE`). A flag written `--name=` here may have an attached value.
    pub fn read(arguments: &[String], flags: &[&str], options: &[&str]) -> Result<Args, Failure> {
        let mut args = Args { words: Vec::new(), flags: Vec::new(), values: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if !argument.starts_with("--") {
                args.words.push(argument.clone());
                continue;
            }
            let (name, attached) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (argument.as_str(), None),
            };
            if args.flag(name) || args.value(name).is_some() {
                return Err(Failure::Usage(format!("{name} is given twice")));
            }
            let optional = |flag: &&str| flag.strip_suffix('=') == Some(name);
            if flags.iter().any(optional) {
                args.flags.push(name.into());
                args.values.extend(attached.map(|value| (name.into(), value)));
            } else if flags.contains(&name) {
                if attached.is_some() {
                    return Err(Failure::Usage(format!("{name} takes no value")));
                }
                args.flags.push(name.into());
            } else if options.contains(&name) {
                let value = attached.or_else(|| rest.next().cloned());
                let value = value.ok_or_else(|| Failure::Usage(format!("{name} needs a value")))?;
                args.values.push((name.into(), value));
            } else {
                let shown = quoted(name);
                return Err(Failure::Usage(format!(
                    "{shown} is no option here; see tabiya --help"
                )));
            }
        }
        Ok(args)
    }

    /// The arguments that are no options.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the flag is given.
    pub fn flag(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }

    /// The value of an option, if it is given.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(option, _)| option == name).map(|(_, value)| value.as_str())
    }

    /// The value of a numeric option, `default` if it is not given.
    pub fn number(
        &self,
        name: &str,
        default: u128,
        range: RangeInclusive<u128>,
    ) -> Result<u128, Failure> {
        self.value(name).map_or(Ok(default), |text| number(name, text, range))
    }

    /// The first of `names` that is given, as flag or option.
    pub fn first_of(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.flag(name) || self.value(name).is_some())
    }
}

/// Reads a number of `range`; `name` is the argument to blame.
pub(super) fn number(name: &str, text: &str, range: RangeInclusive<u128>) -> Result<u128, Failure> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| digits && range.contains(n)).ok_or_else(|| {
        let (low, high) = (range.start(), range.end());
        let bounds = if *high == u128::MAX {
            format!("from {low}")
        } else {
            format!("from {low} to {high}")
        };
        Failure::Usage(format!("{name}: {} is no number {bounds}", quoted(text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Args, Failure> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        Args::read(&words, &["--flag", "--either="], &["--size"])
    }

    #[test]
    fn flags_values_and_words_in_any_order() {
        let args = read("a --size=7 b --flag").ok().unwrap();
        assert_eq!(args.words(), ["a", "b"]);
        assert!(args.flag("--flag") && !args.flag("--size"));
        assert_eq!(args.number("--size", 1, 0..=9).ok(), Some(7));
        assert_eq!(args.number("--other", 1, 0..=9).ok(), Some(1));
        assert_eq!(args.first_of(&["--other", "--flag"]), Some("--flag"));
        let [bare, full] = ["--either b", "--either=x b"].map(|line| read(line).ok().unwrap());
        assert!(bare.flag("--either") && full.flag("--either") && bare.words() == full.words());
        assert_eq!((bare.value("--either"), full.value("--either")), (None, Some("x")));
    }

    #[test]
    fn faults_name_the_argument() {
        for (line, word) in [
            ("--size", "--size needs a value"),
            ("--size 1 --size 2", "--size is given twice"),
            ("--flag=1", "--flag takes no value"),
            ("--either --either=2", "--either is given twice"),
            ("--sise 1", "\"--sise\" is no option"),
        ] {
            match read(line) {
                Err(Failure::Usage(text)) => assert!(text.contains(word), "{text}"),
                _ => panic!("{line} was accepted"),
            }
        }
        for bad in ["", "+1", "-1", "10", "1e3", "99999999999999999999999999999999999999999"] {
            assert!(number("--size", bad, 0..=9).is_err(), "{bad}");
        }
    }
}
