//! JSON output: objects and arrays of strings and numbers, with members in the order given.

use std::fmt::{self, Display, Write as _};

/// A JSON object: its members as text.
pub struct Object(Vec<String>);

impl Object {
    /// An empty object.
    pub fn new() -> Self {
        Object(Vec::new())
    }

    /// A member with a string value.
    #[must_use]
    pub fn string(self, name: &str, value: &str) -> Self {
        self.raw(name, escape(value))
    }

    /// A member whose value is a number or already formatted as JSON.
    #[must_use]
    pub fn raw(mut self, name: &str, value: impl Display) -> Self {
        self.0.push(format!("{}:{value}", escape(name)));
        self
    }

    /// A member `seconds`.
    #[cfg(feature = "program")]
    #[must_use]
    pub fn seconds(self, time: std::time::Duration) -> Self {
        self.raw("seconds", format_args!("{:.6}", time.as_secs_f64()))
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.0.join(","))
    }
}

/// An object whose values are numbers or already formatted as JSON.
#[cfg(feature = "program")]
pub fn object(members: impl IntoIterator<Item = (impl AsRef<str>, impl Display)>) -> Object {
    members.into_iter().fold(Object::new(), |object, (name, value)| object.raw(name.as_ref(), value))
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
        let text = Object::new().string("a\"", "b\\\n").raw("n", 12).to_string();
        assert_eq!(text, r#"{"a\"":"b\\\u000a","n":12}"#);
        assert_eq!(Object::new().to_string(), "{}");
    }
}
