//! Movetext: the moves of a game as PGN files, books and people write them, with all that stands between them.
//!
//! [`moves`] finds the moves, for [`Game::play_line`](super::Game::play_line) and text books. Which of them are legal
//! only a position can say.
//!
//! The source is section 8.2 of the PGN standard (Steven J. Edwards, 1994). The text is untrusted: what is neither a
//! move nor anything that may stand between moves is handed out as a move, so that its reader refuses it.

use super::fault::{NotationError, quoted};
use super::notation::{is_null_move, without_marks};
use crate::base::text::is_dash;

/// The moves of `text` with their offsets, in order, each as it is written: with the marks behind it, and with a number
/// that has no blank after it. Left out are
///
/// - numbers: `1.`, `1...`, and without a dot up to 99;
/// - comments in braces, those from a `;` behind a blank to the end of the line, and lines that begin with `%`;
/// - variations in parentheses, also inside each other;
/// - marks behind a blank: `?!`, `$14`, `e.p.`, `±`;
/// - the result at the end.
///
/// A comment or variation that is not closed, or closed without being open, and a move behind the result are errors;
/// nothing follows an error.
pub(crate) fn moves(text: &str) -> impl Iterator<Item = Result<(usize, &str), NotationError>> {
    let mut words = Words { text, at: 0, result: None };
    std::iter::from_fn(move || words.next_move().inspect_err(|_| words.at = text.len()).transpose())
}

struct Words<'a> {
    text: &'a str,
    at: usize,
    /// The result, if it has been read.
    result: Option<&'a str>,
}

impl<'a> Words<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn next_move(&mut self) -> Result<Option<(usize, &'a str)>, NotationError> {
        let error = |at, reason: &str| NotationError::new("movetext", at, reason);
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            let begins_line = self.text[..self.at].ends_with(['\n', '\r']) || self.at == 0;
            match self.rest().chars().next() {
                None => return Ok(None),
                Some('{') => self.skip_comment()?,
                Some(';') => self.skip_line(),
                Some('%') if begins_line => self.skip_line(),
                Some('(') if mark_in_parentheses(self.rest()).is_none() => self.skip_variation()?,
                Some(')') => return Err(error(self.at, "\")\" closes no variation")),
                Some('}') => return Err(error(self.at, "\"}\" closes no comment")),
                Some(_) => {
                    let (at, word) = (self.at, self.word());
                    self.at += word.len();
                    let is_result = is_result(word);
                    if !is_result && !is_null_move(word) && (is_number(word) || without_marks(word).is_empty()) {
                        continue;
                    }
                    if let Some(result) = self.result {
                        return Err(error(at, &format!("{} follows the result {result}", quoted(word))));
                    }
                    if !is_result {
                        return Ok(Some((at, word)));
                    }
                    self.result = Some(word);
                }
            }
        }
    }

    /// The word here: up to a blank, a comment or a variation.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        let mut end = 0;
        while let Some(c) = rest[end..].chars().next() {
            end += match c {
                '{' | ')' => break,
                '(' => match mark_in_parentheses(&rest[end..]) {
                    Some(length) => length,
                    None => break,
                },
                c if c.is_whitespace() => break,
                c => c.len_utf8(),
            };
        }
        &rest[..end]
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
    }

    fn skip_comment(&mut self) -> Result<(), NotationError> {
        let end = self.rest().find('}');
        let open = || NotationError::new("movetext", self.at, "the comment is not closed; expected }");
        self.at += end.ok_or_else(open)? + 1;
        Ok(())
    }

    fn skip_variation(&mut self) -> Result<(), NotationError> {
        let (start, mut depth) = (self.at, 0);
        while let Some(c) = self.rest().chars().next() {
            match c {
                '{' => {
                    self.skip_comment()?;
                    continue;
                }
                ';' if self.text[..self.at].ends_with(char::is_whitespace) => {
                    self.skip_line();
                    continue;
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            self.at += c.len_utf8();
            if depth == 0 {
                return Ok(());
            }
        }
        Err(NotationError::new("movetext", start, "the variation is not closed; expected )"))
    }
}

/// The length of parentheses at the beginning of `text` that are part of a move or a mark: `(Q)`, `(ep)`, `(=)`.
fn mark_in_parentheses(text: &str) -> Option<usize> {
    // The longest is `(e.p.)`; a figurine has more bytes than a letter.
    let end = text.char_indices().take(6).find(|&(_, c)| c == ')')?.0;
    let inner = &text[1..end];
    (matches!(inner, "ep" | "e.p.") || inner.chars().count() == 1).then_some(end + 1)
}

/// Whether the word is the number of a move, as in `1. e4 1... e5`, or as in `1 e4 e5`. A longer number without a dot
/// may be a move of xiangqi.
fn is_number(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - rest.len();
    digits > 0 && (if rest.is_empty() { digits <= 2 } else { rest.trim_matches(['.', '…']).is_empty() })
}

fn is_result(word: &str) -> bool {
    let plain: String = word.chars().take(8).map(|c| if is_dash(c) { '-' } else { c }).collect();
    matches!(plain.as_str(), "1-0" | "0-1" | "1/2-1/2" | "½-½" | "1/2" | "*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, (usize, String)> {
        let words: Result<Vec<_>, _> = moves(text).collect();
        let words = words.map_err(|error| (error.offset, error.reason))?;
        words.iter().for_each(|&(at, word)| assert!(text[at..].starts_with(word)));
        Ok(words.iter().map(|(_, word)| *word).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn moves_are_found_between_all_that_a_pgn_has() {
        for (text, found) in [
            ("", ""),
            ("1. e4 e5 2. Nf3", "e4 e5 Nf3"),
            ("1... e5 2. Nf3", "e5 Nf3"),
            ("1.e4 e5 2.Nf3", "1.e4 e5 2.Nf3"),
            ("1 e4 e5 2 Nf3 99 Nc6", "e4 e5 Nf3 Nc6"),
            ("1. ... e5 1 . e4 1… e5", "e5 e4 e5"),
            ("1. e4 e5 1-0", "e4 e5"),
            ("e4 1/2-1/2", "e4"),
            ("e4 ½–½", "e4"),
            ("e4 0–1 {at last}", "e4"),
            ("e4 * ; the end", "e4"),
            ("*", ""),
            ("e4 $1 $14 e5 $", "e4 e5"),
            ("e4$14 e5!?", "e4$14 e5!?"),
            ("Nb6 ?! e5 !! = N e.p. ± +- (ep) (=) Nc3 □", "Nb6 e5 Nc3"),
            ("e4 {one (two) ; three\n} e5{four}Nf3", "e4 e5 Nf3"),
            ("{e4} e5", "e5"),
            ("e4 ; e5 (\nNf3;\nNc6", "e4 Nf3; Nc6"),
            ("e4; e5; Nf3", "e4; e5; Nf3"),
            ("% e4\ne5\n%d4 {\r\n%\nNf3", "e5 Nf3"),
            ("e4 (1. d4 d5 (1... Nf6 {)} 2. c4) 2. c4) e5", "e4 e5"),
            ("1.e4(1.d4)e5(c5)2.Nf3", "1.e4 e5 2.Nf3"),
            ("e4 (d4 ; not e4)\n) e5", "e4 e5"),
            ("e8(Q) e8(♕)+ exd6(ep) exd6(e.p.) O-O", "e8(Q) e8(♕)+ exd6(ep) exd6(e.p.) O-O"),
            ("0-0 0-0-0 0000 -- Z0", "0-0 0-0-0 0000 -- Z0"),
            ("C2=5 H8+7 25.4 254 11.2 炮二平五 ++=4", "C2=5 H8+7 25.4 254 11.2 炮二平五 ++=4"),
            ("e4\u{a0}\u{3000}e5\r\n\tNf3", "e4 e5 Nf3"),
            ("[Event \"x\"]", "[Event \"x\"]"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(found), "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_or_follows_the_result_is_refused() {
        for (text, at, reason) in [
            ("e4 {e5", 3, "the comment is not closed; expected }"),
            ("e4 (e5", 3, "the variation is not closed; expected )"),
            ("e4 (e5 {) e6", 7, "the comment is not closed; expected }"),
            ("e4 ((e5) e6", 3, "the variation is not closed; expected )"),
            ("e4) e5", 2, "\")\" closes no variation"),
            ("e4 } e5", 3, "\"}\" closes no comment"),
            ("e4 1-0 1. d4", 10, "\"d4\" follows the result 1-0"),
            ("e4 * *", 5, "\"*\" follows the result *"),
        ] {
            assert_eq!(read(text), Err((at, reason.to_string())), "{text}");
        }
        // Nothing follows an error.
        assert_eq!(moves("e4 ) e5").map(|word| word.is_ok()).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn long_texts_are_read_once() {
        let open = "(".repeat(1 << 16);
        assert!(read(&open).is_err());
        let closed = format!("{open}{} e4", ")".repeat(1 << 16));
        assert_eq!(read(&closed).as_deref(), Ok("e4"));
        assert_eq!(read(&"(a (b) c) {x}\n".repeat(1 << 12)).as_deref(), Ok(""));
    }
}
