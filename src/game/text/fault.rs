//! Texts that cannot be read: [`NotationError`], the sort of its fault, and what its messages are made of.
//!
//! Messages are one line; the texts in them are untrusted.

use crate::base::files::is_byte;
use crate::base::text::readable_error;
use std::fmt;

/// Why the text of a position or move was rejected.
///
/// ```
/// use tabiya::chess::Position;
///
/// let error = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPX/RNBQKBNR w KQkq - 0 1".parse::<Position>().unwrap_err();
/// assert_eq!((error.field, error.offset), ("FEN board", 33));
/// assert_eq!(error.to_string(), "FEN board, character 34: \"X\" is not a piece, a digit from 1 to 8 or /");
/// assert_eq!(format!("{error:?}"), error.to_string()); // what `main` prints if it returns the error
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotationError {
    /// The faulty part: "FEN", "FEN castling", "move", …
    pub field: &'static str,
    /// Byte offset of the fault in the input.
    pub offset: usize,
    /// What is wrong and what was expected, in one line.
    pub reason: String,
    /// What sort of fault it is, for programs.
    pub fault: Fault,
}

/// What sort of fault a [`NotationError`] is.
///
/// ```
/// use tabiya::chess::Position;
/// use tabiya::game::Fault;
///
/// let fault = |text| Position::default().parse_move(text).map_err(|error| error.fault);
/// assert_eq!((fault("e2e9"), fault("e2e5")), (Err(Fault::Malformed), Err(Fault::Illegal)));
/// let rooks: Position = "4k3/8/8/8/8/R6R/8/4K3 w - - 0 1".parse()?;
/// assert_eq!(rooks.parse_move("Rd3").unwrap_err().fault, Fault::Ambiguous);
/// # Ok::<(), tabiya::game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The text is no FEN, no move, no square, …
    Malformed,
    /// The text is a FEN, but there is no such position.
    Impossible,
    /// The text is a FEN of a position with more pieces of a side or kind than can be counted.
    TooManyPieces,
    /// The text is a move that is not legal in this position.
    Illegal,
    /// The text is a move, and more than one legal move is meant by it.
    Ambiguous,
}

impl NotationError {
    /// An error in `field` at byte `offset`: a text that is malformed.
    pub fn new(field: &'static str, offset: usize, reason: impl Into<String>) -> Self {
        NotationError { field, offset, reason: reason.into(), fault: Fault::Malformed }
    }

    /// An error in `text`, which it quotes.
    pub(crate) fn of(field: &'static str, text: &str, reason: &str) -> Self {
        NotationError::new(field, 0, format!("{} {reason}", quoted(text)))
    }

    /// The same for a text that should be a move.
    pub(crate) fn of_move(text: &str, reason: &str) -> Self {
        NotationError::of("move", text, reason)
    }

    /// The same error as another sort of fault.
    #[must_use]
    pub fn with_fault(self, fault: Fault) -> Self {
        NotationError { fault, ..self }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, character {}: {}", self.field, self.offset + 1, self.reason)
    }
}

readable_error!(NotationError);

/// Untrusted text for a one-line error message: quoted, escaped, cut after 40 characters.
pub fn quoted(text: &str) -> String {
    let mut shown = String::from("\"");
    for (number, letter) in text.chars().enumerate() {
        if number == 40 {
            shown.push('…');
            break;
        }
        if is_byte(letter) {
            shown += &format!("\\x{:02x}", u32::from(letter) & 0xff);
        } else if letter == '\'' {
            shown.push(letter);
        } else {
            shown.extend(letter.escape_debug());
        }
    }
    shown + "\""
}

/// The move that `text` means, if only one move is `found` for it. `write` gives the text of a move.
///
/// # Errors
/// If there is none, or if the text is ambiguous.
pub(crate) fn only_one<M: Copy, T: fmt::Display>(
    text: &str,
    found: &[M],
    write: impl Fn(M) -> T,
) -> Result<M, NotationError> {
    let (fault, reason) = match *found {
        [only] => return Ok(only),
        [] => (Fault::Illegal, "is not legal in this position".into()),
        _ => {
            let names: Vec<String> = found.iter().map(|&m| write(m).to_string()).collect();
            (Fault::Ambiguous, format!("is ambiguous: {}", names.join(" or ")))
        }
    };
    Err(NotationError::of_move(text, &reason).with_fault(fault))
}

/// The value of `all` that is displayed as `text`, in any case.
///
/// # Errors
/// An error in `field` that lists the names.
pub(crate) fn named<T: Copy + fmt::Display>(text: &str, field: &'static str, all: &[T]) -> Result<T, NotationError> {
    let named = all.iter().find(|value| value.to_string().eq_ignore_ascii_case(text));
    named.copied().ok_or_else(|| {
        let names: Vec<String> = all.iter().map(T::to_string).collect();
        NotationError::of(field, text, &format!("is not one of {}", names.join(", ")))
    })
}
