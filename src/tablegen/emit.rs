//! Formats tables as Rust source, and writes files only if their text has changed.
//!
//! The other files of this folder use it to format, `build.rs` to write.

use std::fmt::Write as _;
use std::{fs, io, path::Path};

/// The Rust source of one generated file, built table by table.
pub struct Source {
    text: String,
}

impl Source {
    /// An empty file whose header describes its contents.
    pub fn new(what: &str) -> Self {
        let text =
            format!("// {what}\n// Written by build.rs from src/tablegen. Do not edit: the next build repairs it.\n");
        Source { text }
    }

    /// Appends a `pub static` array of `u64`, nested by `shape` (outermost length first).
    ///
    /// # Panics
    /// If `shape` does not multiply out to the number of values.
    pub fn table_u64(&mut self, doc: &str, name: &str, shape: &[usize], values: &[u64]) {
        self.table(doc, name, "u64", shape, values, |text, &v| {
            let _ = write!(text, "0x{v:016x}");
        });
    }

    /// Appends a `pub static` array of values that are already formatted, such as small numbers or tuples.
    ///
    /// # Panics
    /// If `shape` does not multiply out to the number of values.
    pub fn table_text(&mut self, doc: &str, name: &str, element: &str, shape: &[usize], values: &[String]) {
        self.table(doc, name, element, shape, values, |text, v| text.push_str(v));
    }

    fn table<T>(
        &mut self,
        doc: &str,
        name: &str,
        element: &str,
        shape: &[usize],
        values: &[T],
        print: impl Fn(&mut String, &T),
    ) {
        assert_eq!(shape.iter().product::<usize>(), values.len(), "shape of {name}");
        let kind = shape.iter().rev().fold(element.to_string(), |t, n| format!("[{t}; {n}]"));
        let _ = write!(self.text, "\n/// {doc}\npub static {name}: {kind} = ");
        let opened = self.text.len();
        nest(&mut self.text, shape, values, &print);
        debug_assert!(self.text.len() > opened);
        self.text.push_str(";\n");
    }

    /// The finished source.
    pub fn finish(self) -> String {
        self.text
    }
}

/// Values per line.
const PER_LINE: usize = 8;

/// Formats nested arrays.
fn nest<T>(text: &mut String, shape: &[usize], values: &[T], print: &impl Fn(&mut String, &T)) {
    text.push('[');
    match shape {
        [_, inner @ ..] if !inner.is_empty() => {
            for part in values.chunks(inner.iter().product()) {
                text.push('\n');
                nest(text, inner, part, print);
                text.push(',');
            }
        }
        _ => {
            for (i, value) in values.iter().enumerate() {
                text.push_str(if i % PER_LINE == 0 { "\n" } else { " " });
                print(text, value);
                text.push(',');
            }
        }
    }
    text.push_str("\n]");
}

/// Writes `text` to the file at `path` if it differs.
///
/// # Errors
/// If the file cannot be written.
pub fn refresh(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text)
}
