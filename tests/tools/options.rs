//! Command-line options of the tools: `--name value`, each at most once.
//!
//! Used by `train`, `rescore` and `tune`, which pass the names that they accept.

use std::collections::BTreeMap;

/// The options by name.
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Reads `--name value` pairs. Each of `names` may occur once; any other word is an error.
    pub fn read(mut words: impl Iterator<Item = String>, names: &[&str]) -> Result<Options, String> {
        let mut options = BTreeMap::new();
        while let Some(word) = words.next() {
            let name = word.strip_prefix("--").filter(|name| names.contains(name));
            let name = name.ok_or_else(|| format!("{word:?} is no option"))?;
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

    /// The value of a required option.
    pub fn required(&self, name: &str) -> Result<&str, String> {
        self.text(name).ok_or_else(|| format!("--{name} is missing"))
    }

    /// An option as a number from `low` to `high`.
    pub fn number(&self, name: &str, default: f64, low: f64, high: f64) -> Result<f64, String> {
        let Some(text) = self.text(name) else { return Ok(default) };
        let value = text.parse().ok().filter(|value| (low..=high).contains(value));
        value.ok_or_else(|| format!("--{name}: {text:?} is no number from {low} to {high}"))
    }

    /// An option as a whole number from `low` to `high`.
    pub fn count(&self, name: &str, default: usize, low: usize, high: usize) -> Result<usize, String> {
        let value = self.number(name, default as f64, low as f64, high as f64)?;
        if value.fract() == 0.0 { Ok(value as usize) } else { Err(format!("--{name}: no whole number")) }
    }
}
