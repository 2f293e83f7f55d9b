//! JSON output: objects and arrays of strings and numbers, with members in the order given.
//!
//! Used by the subcommands that have `--json`.

use std::fmt::{Display, Write as _};

/// A JSON object under construction.
pub struct Object {
    text: String,
}

impl Object {
    /// An empty object.
    pub fn new() -> Self {
        Object { text: "{".into() }
    }

    /// A member with a string value.
    #[must_use]
    pub fn string(self, name: &str, value: &str) -> Self {
        let value = escape(value);
        self.raw(name, value)
    }

    /// A member whose value is a number or already formatted as JSON.
    #[must_use]
    pub fn raw(mut self, name: &str, value: impl Display) -> Self {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        let _ = write!(self.text, "{}:{value}", escape(name));
        self
    }

    /// The text of the object.
    pub fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// An object whose values are numbers or already formatted as JSON.
pub fn object(members: impl IntoIterator<Item = (impl AsRef<str>, impl Display)>) -> String {
    let add = |object: Object, (name, value): (_, _)| object.raw(AsRef::as_ref(&name), value);
    members.into_iter().fold(Object::new(), add).finish()
}

/// An array of numbers or of items already formatted as JSON.
pub fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}

/// A JSON string literal for `text`.
pub fn escape(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => _ = write!(out, "\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::Object;

    #[test]
    fn members_are_separated_and_strings_escaped() {
        let text = Object::new().string("a\"", "b\\\n").raw("n", 12).finish();
        assert_eq!(text, r#"{"a\"":"b\\\u000a","n":12}"#);
        assert_eq!(Object::new().finish(), "{}");
    }
}
