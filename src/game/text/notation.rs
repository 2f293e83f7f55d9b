//! Moves as text: what the readers and writers of both games share.

use std::fmt;

/// Whether `text` is a null move: ChessBase's `--` and `Z0`, UCI's `0000`, and other names of it.
pub fn is_null_move(text: &str) -> bool {
    let text = text.trim();
    matches!(text, "--" | "Z0" | "0000" | "@@@@") || ["null", "pass"].iter().any(|name| text.eq_ignore_ascii_case(name))
}

/// What may stand behind a move and says nothing about which it is: check, mate, en passant, comments and evaluations.
/// Longer ones come first.
const MARKS: &str = "(e.p.) (ep) e.p. e.p ep mate dbl dis ch TN (=) +/- -/+ +/= =/+ +- -+ +\u{2212} \u{2212}+ N";
/// The same as single characters.
const MARK_LETTERS: &str = "+#!?=.,;†‡□⊡±∓⩲⩱∞⯹⇆⇄→↑⟳∆⌓⨀‼⁇⁈⁉…";

/// Whether an `N` behind `text` may be the knight that a pawn becomes, as in `e8N`: else it marks a novelty.
fn may_promote(text: &str) -> bool {
    let text = text.trim_end_matches(['=', '/', '-']);
    let is_piece = match text.as_bytes() {
        // `B7B8N` are coordinates.
        [b'B', second, ..] => !second.is_ascii_digit(),
        [first, ..] => matches!(first, b'N' | b'R' | b'Q' | b'K'),
        [] => false,
    };
    text.ends_with(['1', '8']) && !is_piece
}

/// The text without the blanks around it and the marks behind it; empty if it has nothing but marks.
pub(crate) fn without_marks(text: &str) -> &str {
    // Longer texts are no moves; the readers refuse them.
    let mut bare = text.trim();
    if bare.len() > 100 {
        return bare;
    }
    loop {
        let before = bare.len();
        bare = MARKS.split(' ').fold(bare, |bare, mark| match bare.strip_suffix(mark) {
            Some(rest) if mark != "N" || !may_promote(rest) => rest,
            _ => bare,
        });
        if let Some((rest, number)) = bare.rsplit_once('$')
            && number.bytes().all(|digit| digit.is_ascii_digit())
        {
            bare = rest;
        }
        bare = bare.trim_end_matches(|c: char| c.is_whitespace() || MARK_LETTERS.contains(c));
        if bare.len() == before {
            return bare;
        }
    }
}

/// The text of a move without the blanks around it, the number in front of it (`12.`, `12...`) and the marks behind
/// it, which have no influence on which move it is.
pub fn bare_move(text: &str) -> &str {
    let bare = without_marks(text);
    if bare.is_empty() {
        // Nothing but marks: for the message.
        return text.trim();
    }
    let rest = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < bare.len() && rest.starts_with(['.', '…']) {
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '…'));
        // `25.4` is a move of xiangqi.
        if rest.len() > 1 {
            return rest;
        }
    }
    bare
}

/// The text of a move, stored inline so that printing does not allocate.
///
/// ```
/// use tabiya::chess::Position;
///
/// let start = Position::default();
/// let text = start.san(start.parse_move("g1f3")?);
/// assert_eq!((text.as_str(), format!("{text:>5}").as_str()), ("Nf3", "  Nf3"));
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveText {
    bytes: [u8; 8],
    len: u8,
}

impl MoveText {
    /// Stores at most eight ASCII characters; SAN needs seven, as in `Qa1xb2#`.
    ///
    /// # Panics
    /// If `text` is longer or not ASCII. Move texts come from the games, never from input.
    pub fn new(text: &[u8]) -> Self {
        assert!(text.is_ascii(), "move text is ASCII");
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text);
        MoveText { bytes, len: text.len() as u8 }
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
