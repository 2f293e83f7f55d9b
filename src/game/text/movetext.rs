//! A game as PGN files, books and people write it: tags, and movetext, the moves with all that stands between them.
//!
//! [`Start::read`] reads the tags, and [`moves`] finds the moves. Which of them are legal only a position can say.
//!
//! The source is section 8 of the PGN standard (Steven J. Edwards, 1994). The text is untrusted: what is neither a
//! move nor anything that may stand between moves is handed out as a move, so that its reader refuses it.

use crate::base::text::is_dash;
use crate::game::position::{Position, Rules};
use crate::game::text::fault::{Fault, NotationError, quoted};
use crate::game::text::fen::Tolerance;
use crate::game::text::notation::{is_null_move, without_marks};

/// Names in the tag `Variant`, without blanks and hyphens: of any game, of chess, of Chess960, of xiangqi.
const ANY: [&str; 3] = ["standard", "normal", "fromposition"];
const CHESS: [&str; 1] = ["chess"];
const CHESS960: [&str; 5] = ["chess960", "fischerandom", "fischerrandom", "freestyle", "freestylechess"];
const XIANGQI: [&str; 2] = ["xiangqi", "chinesechess"];

/// What the tags of a game say of its beginning.
#[derive(Default)]
pub(crate) struct Start {
    /// The tag `FEN`, and the offset of its value.
    fen: Option<(String, usize)>,
    /// The tag `SetUp`: 0 or 1.
    set_up: Option<(String, usize)>,
    /// The tag `Variant`.
    variant: Option<(String, usize)>,
    /// The offset of the movetext.
    pub moves: usize,
}

impl Start {
    /// Reads the tags at the beginning of `text`, with the comments between them. All but `FEN`, `SetUp` and `Variant`
    /// are skipped, and so are these if they are empty.
    ///
    /// # Errors
    /// If a tag is not closed on its line, or one of those three is there twice.
    pub fn read(text: &str) -> Result<Start, NotationError> {
        let mut start = Start::default();
        // A file may begin with a mark.
        let at = text.len() - text.trim_start_matches('\u{feff}').len();
        let mut words = Words { text, at, result: None };
        while let Some(c) = words.skip_blanks() {
            match c {
                '[' => {
                    let (name, value, at) = words.tag()?;
                    let place = match name.to_ascii_lowercase().as_str() {
                        "fen" => &mut start.fen,
                        "setup" => &mut start.set_up,
                        "variant" => &mut start.variant,
                        _ => continue,
                    };
                    if !value.is_empty() && place.replace((value, at)).is_some() {
                        return Err(NotationError::new("tag", at, format!("{name} is there twice")));
                    }
                }
                '{' => words.skip_comment()?,
                ';' => words.skip_line(),
                '%' if words.begins_line() => words.skip_line(),
                _ => break,
            }
        }
        start.moves = words.at;
        Ok(start)
    }

    /// The position that the tags give; `None` if they give none.
    ///
    /// # Errors
    /// If `FEN` is not a position, `SetUp` contradicts it, or `Variant` is another game.
    pub fn position<B: Rules>(&self, tolerance: &mut Tolerance) -> Result<Option<Position<B>>, NotationError> {
        if let Some((name, at)) = &self.variant {
            let plain = name.to_ascii_lowercase().replace([' ', '-'], "");
            let plain = plain.as_str();
            let is_xiangqi = B::SIZE.ranks == 10;
            let is_chess960 = CHESS960.contains(&plain);
            let is_this = if is_xiangqi { XIANGQI.contains(&plain) } else { CHESS.contains(&plain) || is_chess960 };
            if !is_this && !ANY.contains(&plain) {
                let game = if is_xiangqi { "xiangqi" } else { "chess" };
                let reason = format!("Variant is {}, expected {game}", quoted(name));
                return Err(NotationError::new("tag", *at, reason));
            }
            if is_chess960 {
                *tolerance = tolerance.clone().for_chess960(true);
            }
        }
        let read = |(fen, at): &(String, usize)| {
            let read = Position::<B>::read_fen(fen, tolerance);
            read.map_err(|error| NotationError { offset: at + error.offset, ..error })
        };
        let position = self.fen.as_ref().map(read).transpose()?;
        if let Some((value, at)) = &self.set_up {
            let initial = position.is_none_or(|position| position.key() == Position::<B>::default().key());
            let reason = match (value.as_str(), &position) {
                ("0", _) if initial => return Ok(position),
                ("1", Some(_)) => return Ok(position),
                ("0", _) => "SetUp is 0, but FEN is not the initial position".to_string(),
                ("1", None) => "SetUp is 1, but there is no FEN".to_string(),
                _ => format!("SetUp is {}, expected 0 or 1", quoted(value)),
            };
            return Err(NotationError::new("tag", *at, reason));
        }
        Ok(position)
    }

    /// Whether the game begins at `position`, as far as the tags say.
    ///
    /// # Errors
    /// Those of [`Start::position`], and if the tags give another position.
    pub fn check<B: Rules>(&self, position: &Position<B>) -> Result<(), NotationError> {
        let Some(start) = self.position::<B>(&mut Tolerance::lenient())? else { return Ok(()) };
        let at = self.fen.as_ref().map_or(0, |(_, at)| *at);
        let error = || NotationError::new("tag", at, "FEN is another position than the one on the board");
        if start.key() == position.key() { Ok(()) } else { Err(error().with_fault(Fault::Impossible)) }
    }
}

/// The moves of `text` with their offsets, in order, each as it is written: with the marks behind it, and with a number
/// that has no blank after it. Left out are
///
/// - numbers: `1.`, `1...`, and without a dot up to 99;
/// - comments in braces, those from a `;` to the end of the line, and lines that begin with `%`;
/// - variations in parentheses, also inside each other;
/// - numbers of comments: `$14`; and marks behind a blank: `?!`, `e.p.`, `±`;
/// - the result at the end, also if no blank stands before it.
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

    /// Skips blanks; the character behind them.
    fn skip_blanks(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn begins_line(&self) -> bool {
        self.at == 0 || self.text[..self.at].ends_with(['\n', '\r', '\u{feff}'])
    }

    /// Reads a tag, in brackets on one line: its name, its value, and the offset of the value. A quotation mark in the
    /// value has a backslash before it; one that is not followed by the end of the tag is read without. A tag may also
    /// lack its quotation marks.
    fn tag(&mut self) -> Result<(&'a str, String, usize), NotationError> {
        let line = &self.rest()[1..];
        let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
        let begin = self.at + 1;
        let bracket = line.find(']');
        if let Some(quote) = line.find('"').filter(|&quote| bracket.is_some_and(|bracket| quote < bracket)) {
            let value = &line[quote + 1..];
            let (mut text, mut chars) = (String::new(), value.char_indices());
            while let Some((i, c)) = chars.next() {
                let behind = value[i + c.len_utf8()..].trim_start();
                if c == '\\' && value[i + 1..].starts_with(['"', '\\']) {
                    text.extend(chars.next().map(|(_, c)| c));
                } else if c == '"' && behind.starts_with(']') {
                    self.at = begin + line.len() - behind.len() + 1;
                    return Ok((line[..quote].trim_matches([' ', '\t', ':', '=']), text, begin + quote + 1));
                } else {
                    text.push(c);
                }
            }
        }
        let Some(bracket) = bracket else {
            return Err(NotationError::new("tag", self.at, "expected a tag such as [Event \"name\"]"));
        };
        self.at = begin + bracket + 1;
        let (name, value) = line[..bracket].trim().split_once([' ', '\t']).unwrap_or((&line[..bracket], ""));
        // A value is a slice of the text, so the difference of the pointers is its offset; a missing value is not.
        let at = if value.is_empty() { begin } else { value.as_ptr() as usize - self.text.as_ptr() as usize };
        Ok((name.trim_matches([' ', '\t', ':', '=']), value.trim().into(), at))
    }

    fn next_move(&mut self) -> Result<Option<(usize, &'a str)>, NotationError> {
        let error = |at, reason: &str| NotationError::new("movetext", at, reason);
        loop {
            match self.skip_blanks() {
                None => return Ok(None),
                Some('{') => self.skip_comment()?,
                Some(';') => self.skip_line(),
                Some('%') if self.begins_line() => self.skip_line(),
                Some('(') if mark_in_parentheses(self.rest()).is_none() => self.skip_variation()?,
                Some(')') => return Err(error(self.at, "\")\" closes no variation")),
                Some('}') => return Err(error(self.at, "\"}\" closes no comment")),
                Some('$') => {
                    let digits = self.rest()[1..].trim_start_matches(|c: char| c.is_ascii_digit());
                    self.at = self.text.len() - digits.len();
                }
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

    /// The word here: up to a blank, a comment, a variation, or a result.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        if rest.starts_with('*') {
            return &rest[..1];
        }
        let mut end = 0;
        while let Some(c) = rest[end..].chars().next() {
            end += match c {
                '{' | ')' | ';' | '$' | '*' => break,
                '(' => match mark_in_parentheses(&rest[end..]) {
                    Some(length) => length,
                    None => break,
                },
                c if c.is_whitespace() => break,
                c => c.len_utf8(),
            };
        }
        let word = &rest[..end];
        let results = ["1/2-1/2", "1-0", "0-1"];
        let before = results.iter().filter_map(|result| word.strip_suffix(result)).find(|before| !before.is_empty());
        before.unwrap_or(word)
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
                ';' => {
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
        for &(at, word) in words.iter() {
            assert!(text[at..].starts_with(word));
        }
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
            ("e4$14 e5!?$2(d4)Nf3", "e4 e5!? Nf3"),
            ("1. e4 e5; remark 2. d4\n2. Nf3", "e4 e5 Nf3"),
            ("f3 e5 g4 Qh4#0-1", "f3 e5 g4 Qh4#"),
            ("1.e4 e5 2.Nf31/2-1/2", "1.e4 e5 2.Nf3"),
            ("O-O-O1-0 {one}", "O-O-O"),
            ("0-0-0 0-0*", "0-0-0 0-0"),
            ("Nb6 ?! e5 !! = N e.p. ± +- (ep) (=) Nc3 □", "Nb6 e5 Nc3"),
            ("e4 {one (two) ; three\n} e5{four}Nf3", "e4 e5 Nf3"),
            ("{e4} e5", "e5"),
            ("e4 ; e5 (\nNf3;\nNc6", "e4 Nf3 Nc6"),
            ("e4; e5; Nf3", "e4"),
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

    #[cfg(feature = "chess")]
    #[test]
    fn tags_say_where_a_game_begins() {
        use crate::chess::Board;
        const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let start = |text: &str| {
            let start = Start::read(text).map_err(|error| error.reason)?;
            let position = start.position::<Board>(&mut Tolerance::strict()).map_err(|error| error.reason)?;
            Ok::<_, String>((position.map(|position| position.to_fen()), text[start.moves..].to_string()))
        };
        for (text, fen, moves) in [
            ("1. e4", None, "1. e4"),
            ("", None, ""),
            ("\u{feff}[Event \"x\"]\r\n[Site \"\"]\r\n\r\n1. e4", None, "1. e4"),
            ("[Event \"a \\\"b\\\" \\\\ \"c\" d\"] e4", None, "e4"),
            (" {one} ; two\n% three\n[A \"b\"][C \"d\"]{four}e4 [E \"f\"]", None, "e4 [E \"f\"]"),
            (&format!("[SetUp \"1\"]\n[FEN \"{KINGS}\"]\n\n1. O-O *"), Some(KINGS), "1. O-O *"),
            (&format!("[ FEN  \"{KINGS}\" ]"), Some(KINGS), ""),
            ("[SetUp \"0\"] e4", None, "e4"),
            (
                "[Variant \"Fischerandom\"] [FEN \"4k3/8/8/8/8/8/8/4KR2 w K - 0 1\"] O-O",
                Some("4k3/8/8/8/8/8/8/4KR2 w F - 0 1"),
                "O-O",
            ),
            ("[Variant \"From Position\"] e4", None, "e4"),
            ("[Round: \"3\"] [SetUp \"\"]\n[FEN \"\"]e4", None, "e4"),
            ("[Event]\n[Date 2024.01.01][é \"x\"] [Event \"x\" y] [\"x\"][]\ne4", None, "e4"),
            (&format!("[fen: \"{KINGS}\"]"), Some(KINGS), ""),
            (&format!("[SetUp 1]\n[FEN {KINGS}]\nO-O"), Some(KINGS), "O-O"),
        ] {
            assert_eq!(start(text), Ok((fen.map(String::from), moves.to_string())), "{text}");
        }
        for (text, reason) in [
            ("[Event \"x\"\n]", "expected a tag such as [Event \"name\"]"),
            ("[FEN \"8/8\"]", "rank 8 has 8 squares"),
            ("[SetUp \"1\"] e4", "SetUp is 1, but there is no FEN"),
            ("[SetUp \"yes\"] e4", "SetUp is \"yes\", expected 0 or 1"),
            (&format!("[SetUp \"0\"][FEN \"{KINGS}\"]"), "SetUp is 0, but FEN is not the initial position"),
            (&format!("[FEN \"{KINGS}\"][FEN \"{KINGS}\"]"), "FEN is there twice"),
            ("[Variant \"Atomic\"] e4", "Variant is \"Atomic\", expected chess"),
            ("[Variant \"xiangqi\"] e4", "Variant is \"xiangqi\", expected chess"),
        ] {
            let error = start(text).unwrap_err();
            assert!(error == reason || text == "[FEN \"8/8\"]", "{text}: {error}");
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
