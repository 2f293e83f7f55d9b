//! Options of the commands: `--name value`, each at most once. A command passes the names that it accepts.

use std::collections::BTreeMap;
use tabiya::base::{cpu, files};
use tabiya::engine::MAX_THREADS;

/// The arguments of the program as text; a name of a file may have bytes that are not UTF-8.
pub fn words() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|word| files::text_of(word.as_encoded_bytes()))
}

/// The options by name.
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Reads `--name value` pairs. Each of `names`, separated by blanks, may occur once; any other word is an error.
    pub fn read(mut words: impl Iterator<Item = String>, names: &str) -> Result<Options, String> {
        let mut options = BTreeMap::new();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").filter(|name| names.split(' ').any(|known| known == *name));
            let name = name.ok_or_else(|| {
                let all = names.split(' ').map(|name| format!("--{name}"));
                format!("{word:?} is no option; expected {}", Vec::from_iter(all).join(", "))
            })?;
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            if options.insert(name.to_string(), value).is_some() {
                return Err(format!("{word} is given twice"));
            }
        }
        Ok(Options(options))
    }

    /// The value of an option, or `None`.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The name of the game, chess by default.
    pub fn game(&self) -> &str {
        self.text("game").unwrap_or("chess")
    }

    /// The value of a required option.
    pub fn required(&self, name: &str) -> Result<&str, String> {
        self.text(name).filter(|value| !value.is_empty()).ok_or_else(|| format!("--{name} is missing"))
    }

    /// An option as a number from `low` to `high`.
    pub fn number(&self, name: &str, default: f64, low: f64, high: f64) -> Result<f64, String> {
        let Some(text) = self.text(name) else { return Ok(default) };
        let value = text.parse().ok().filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| format!("--{name}: {text:?} is no number from {low} to {high}"))
    }

    /// An option as a whole number from `low` to `high`.
    pub fn count(&self, name: &str, default: usize, low: usize, high: usize) -> Result<usize, String> {
        let Some(text) = self.text(name) else { return Ok(default) };
        let value = text.parse().ok().filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| format!("--{name}: {text:?} is no whole number from {low} to {high}"))
    }

    /// The value of `--threads`; 0, the default, means all cores.
    pub fn threads(&self) -> Result<usize, String> {
        Ok(cpu::threads(self.count("threads", 0, 0, MAX_THREADS)?).min(MAX_THREADS))
    }
}
