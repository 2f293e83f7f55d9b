//! Text: files written on any system ([`decode`], [`decimal`]), words that were meant ([`hint`]), and boards drawn with
//! characters ([`grid`]).

use std::str::FromStr;

/// Decodes `bytes`: UTF-8, or the encoding that a byte-order mark gives. The mark is dropped. (PowerShell's `>`
/// writes UTF-16.) Invalid sequences become U+FFFD, which no format accepts. Every line end becomes a line feed, the
/// lone carriage return of old Mac files too.
pub fn decode(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks(2).map(|b| unit([b[0], *b.get(1).unwrap_or(&0)])).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

/// Makes a type with `Display` an error. `Debug` writes the same text: a program prints that whose `main` returns the
/// error.
macro_rules! readable_error {
    ($error:ty) => {
        impl std::error::Error for $error {}

        impl std::fmt::Debug for $error {
            /// Writes the message, as `Display` does.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use readable_error;

/// Parses a number that consists of digits only: no sign, no blanks. `None` for anything else.
pub fn decimal<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// A number of things: "1 position", "2 positions".
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Whether `c` is a hyphen, a dash or the minus sign.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// The most bytes of a word that may mean another one.
const LONGEST_WORD: usize = 80;

/// A hint for the unknown word `text`: the most similar of `names`, or `otherwise` if none is close.
pub fn hint<'a>(text: &str, names: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    // Nothing that is longer is near.
    if text.len() > LONGEST_WORD {
        return otherwise.into();
    }
    let text = text.trim_start_matches('-');
    let edits = |name: &str| {
        if text.len() > 1 && name.starts_with(text) { 1 } else { distance(text.as_bytes(), name.as_bytes()) }
    };
    let rated = names.map(|name| (name, name.trim_start_matches('-')));
    let rated = rated.map(|(name, bare)| (edits(bare), 1 + bare.len() / 5, name));
    let near = rated.filter(|(edits, limit, _)| edits <= limit).min_by_key(|&(edits, ..)| edits);
    near.map_or(otherwise.into(), |(.., name)| format!("did you mean {name}?"))
}

/// Edit distance: insertions, deletions, substitutions and swaps of adjacent bytes.
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

/// Draws a board, its last rank first: one character a square, separated by spaces; the lines are separated by line
/// feeds.
pub fn grid(files: i32, ranks: i32, cell: impl Fn(i32, i32) -> char) -> String {
    let row = |rank| (0..files).map(|file| cell(file, rank).to_string()).collect::<Vec<_>>().join(" ");
    (0..ranks).rev().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{decode, hint};

    #[test]
    fn long_words_have_no_hint() {
        assert_eq!(hint("perf", ["perft", "help"].into_iter(), "none"), "did you mean perft?");
        assert_eq!(hint(&"perft".repeat(1 << 20), ["perft"].into_iter(), "none"), "none");
    }

    #[test]
    fn byte_order_marks_select_the_encoding_and_are_dropped() {
        let text = "e2e4: 20\né\n";
        let wide =
            |unit: fn(u16) -> [u8; 2]| -> Vec<u8> { format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect() };
        let marked = format!("\u{feff}{text}").into_bytes();
        for bytes in [text.into(), marked, wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
            assert_eq!(decode(&bytes), text, "{bytes:?}");
        }
        assert_eq!(decode(b"a\rb\r\n\nc\n\r"), "a\nb\n\nc\n\n");
        // An odd byte at the end, and Latin-1.
        assert_eq!(decode(b"\xff\xfea\0b"), "ab");
        assert_eq!(decode(b"\xff\xfe"), "");
        assert_eq!(decode(b"caf\xe9"), "caf\u{fffd}");
    }
}
