//! Moves as players write them: the notation of the World Xiangqi Federation (WXF), and ICCS coordinates.
//!
//! The source is "Official Xiangqi Piece Names and Notation" (Asian Xiangqi Federation 1980, adopted by the WXF in
//! 1997, <http://www.wxf.org/xq/computer/wxf_notation.html>). A move has four characters: the piece, its file, the
//! direction, and the number of ranks or the file that it reaches. Files are counted from the mover's right. Two
//! equal pieces on a file are in tandem: `+` (front) or `-` (rear) replaces the file. Tandem soldiers:
//!
//! | soldiers on the file | texts from the front, to file 4 |
//! |---|---|
//! | two | `P+=4`, `P-=4` |
//! | three | `P+=4`, `P3=4`, `P-=4` (on file 3) |
//! | four | `++=4`, `P+=4`, `P-=4`, `--=4` |
//! | five | `++=4`, `P+=4`, `P3=4`, `P-=4`, `--=4` |
//! | three on file 3 and two on file 7 | `3+=4`, `33=4`, `3-=4`; `7+=6`, `7-=6` |
//!
//! Advisors and elephants keep their file, as is common practice: of two on a file only the rear one can advance and
//! only the front one can retreat.
//!
//! Fairy-Stockfish differs in two ways; its texts are read, but not written. It numbers soldiers from the front
//! (`13=4`, `23=4`, `33=4`) if there are three or more on the file or if soldiers are in tandem on two files. It
//! leaves the sign out if the same step would lead the other piece off the board (`R9-5` for `R+-5`). In both cases
//! the rules above are those of the federation. One text has two meanings: with soldiers in tandem on two files,
//! three of them on file 3, `33=4` moves the middle one by the rules and the rear one by number (on file 1, `11=2`
//! the middle or the front one). The rules decide.
//!
//! Two more forms are read. Some programs leave the `=` out (`C25`). Fairy-Stockfish and pychess can write the piece
//! and its target, and what of the origin is needed, as SAN has it (`Che2`, `Rxa9`, `He4`, a soldier as `e4` or
//! `dxe6`): the piece is in upper case, ranks are as in coordinates.
//!
//! Input is hostile: every text that is not a move here is a [`NotationError`].

use super::standing::{Standing, movement};
use super::{Board, chinese};
use crate::game::text::fault::only_one;
use crate::game::text::notation::bare_move;
use crate::game::{IllegalMove, MoveText, NotationError, Position};
use crate::xiangqi::types::{Kind, Move, Square};

/// Reads a legal move in any notation: coordinates, ICCS, WXF, Chinese.
pub(in crate::xiangqi) fn read(pos: &Position<Board>, text: &str) -> Result<Move, NotationError> {
    let bare = bare_move(text);
    if chinese::is_chinese(bare) {
        return chinese::read(pos, bare);
    }
    let square = |at: usize| bare.as_bytes().get(at..at + 2).and_then(Square::parse);
    match pos.parse_coordinates(bare) {
        Err(_) if square(0).is_none() || square(2).is_none() => pos.parse_wxf(bare),
        result => result,
    }
}

impl Position<Board> {
    /// Writes the legal move `m` in WXF notation, as in `C2=5`, `H8+7`, `R+-4`: upper case for both sides, `=`
    /// for a move along a rank, `H` for the horse and `E` for the elephant.
    ///
    /// Soldiers in tandem are written by the rules of the federation: `P+=4`, `P3=4`, `P-=4` for the front,
    /// middle and rear one of three on file 3, `++=4` and `--=4` for the outer ones of four or five, and with
    /// their file for the letter (`3+=4`, `33=4`) if there are soldiers in tandem on two files.
    ///
    /// The text of a move that is not legal here has no meaning.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let pos = Position::from_fen(Position::START_FEN)?;
    /// assert_eq!(pos.wxf(pos.parse_move("h2e2")?).as_str(), "C2=5");
    /// assert_eq!(pos.wxf(pos.parse_move("b0c2")?).as_str(), "H8+7");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn wxf(&self, m: Move) -> MoveText {
        let standing = Standing::of(self, m);
        let ([a, b], [c, d]) = (standing.text(), movement(self, m, standing.kind));
        MoveText::new(&[a, b, c, d])
    }

    /// A line of moves in WXF notation with move numbers: `1. C2=5 H8+7`.
    ///
    /// # Errors
    /// The first move that is not legal. A null move ([`Move::NONE`]) is `--`.
    ///
    /// ```
    /// use tabiya::xiangqi::Game;
    ///
    /// let game: Game = "startpos moves h2e2 h9g7 C8=6".parse()?;
    /// assert_eq!(game.start().wxf_line(game.moves())?, "1. C2=5 H8+7 2. C8=6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wxf_line(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
        let text = |position: &Self, m| match m {
            Move::NONE => MoveText::new(b"--"),
            m => position.wxf(m),
        };
        self.line_in(moves, |position| Some(position.fullmove_number()), text)
    }

    /// Reads a legal move in WXF notation or in ICCS coordinates.
    ///
    /// Accepted are the texts that [`Position::wxf`] and [`Position::iccs`] write, and:
    /// - lower case;
    /// - `.` for `=`, and dashes for `-`;
    /// - `N` for the horse, `B` for the elephant, `G` for the king, `S` for the soldier;
    /// - the sign of a tandem piece in front of its letter, as in `+R-2`;
    /// - a sign for advisors and elephants on one file, as in `A-+5`;
    /// - the file for the sign if only one piece in tandem can make the move, as in `R9-5`. Of three or five
    ///   soldiers it always means the middle one;
    /// - soldiers numbered from the front, as in `25=4` for the second one on file 5. If soldiers are in tandem on
    ///   two files, the middle one of three has the text with the file twice;
    /// - `C25` for `C2=5`;
    /// - the piece and its target, with the file, the rank or both of its origin if needed: `Che2`, `R3xc9`; ranks
    ///   from [`Position::first_rank`];
    /// - ICCS without the hyphen. Its ranks are 0 to 9, whatever [`Position::first_rank`] is;
    /// - any of `!` and `?` at the end.
    ///
    /// # Errors
    /// If the text is not a move, or if the move is illegal here or ambiguous. The error is one line that quotes
    /// the text; for an ambiguous text it lists the moves that are meant by it.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let pos = Position::from_fen(Position::START_FEN)?;
    /// let central_cannon = pos.parse_move("h2e2")?;
    /// for text in ["C2=5", "c2.5", "H2-E2"] {
    ///     assert_eq!(pos.parse_wxf(text)?, central_cannon);
    /// }
    /// let error = pos.parse_wxf("C2=2").unwrap_err();
    /// assert_eq!(error.reason, "\"C2=2\" is not legal in this position");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn parse_wxf(&self, text: &str) -> Result<Move, NotationError> {
        let no_move = "is not a move; expected one such as C2=5, H8+7, R+-4 or H2-E2";
        let no_move = || NotationError::of_move(text, no_move);
        let letters = letters(text);
        let list = self.legal_moves().into_iter();
        let found: Vec<Move> = if let Some((letters, length)) = letters
            && let Some(squares) = iccs_squares(&letters[..length])
        {
            list.filter(|m| (m.from(), m.to()) == squares).collect()
        } else if let Some(wanted) = Wanted::read(self, text) {
            list.filter(|&m| wanted.is_met_by(self, m)).collect()
        } else {
            let (letters, length) = letters.ok_or_else(no_move)?;
            let (piece, wanted) = match letters[..length] {
                [a, b, c, d] => ([a, b], [if c == b'.' { b'=' } else { c }, d]),
                [a, b @ b'1'..=b'9', d] => ([a, b], [b'=', d]),
                _ => return Err(no_move()),
            };
            if !is_piece(piece) || !matches!(wanted, [b'+' | b'-' | b'=', b'1'..=b'9']) {
                return Err(no_move());
            }
            let is_meant = |m: &Move| {
                let standing = Standing::of(self, *m);
                standing.is_meant_by(piece) && movement(self, *m, standing.kind) == wanted
            };
            list.filter(is_meant).collect()
        };
        only_one(text, &found, |m| self.wxf(m))
    }

    /// Writes the move `m` in the coordinates of the Internet Chinese Chess Server (ICCS), as in `H2-E2`. Files
    /// are A to I from Red's left, ranks 0 to 9 from Red's side, whatever [`Position::first_rank`] is.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let pos = Position::from_fen(Position::START_FEN)?;
    /// assert_eq!(pos.iccs(pos.parse_move("h2e2")?).as_str(), "H2-E2");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn iccs(&self, m: Move) -> MoveText {
        let ([a, b], [c, d]) = (m.from().name(), m.to().name());
        MoveText::new(&[a.to_ascii_uppercase(), b, b'-', c.to_ascii_uppercase(), d])
    }
}

impl Standing {
    /// The sign by which a letter or, of soldiers on two files, a file distinguishes it: the front and rear one
    /// of two or three, the ones next to the outer ones of four or five. `None` for the others.
    fn sign(&self) -> Option<u8> {
        let outer = u32::from(self.count >= 4);
        match self.index {
            _ if self.count < 2 => None,
            index if index == outer => Some(b'+'),
            index if index + outer + 1 == self.count => Some(b'-'),
            _ => None,
        }
    }

    /// The sign that the foremost and rearmost of four or five soldiers have twice.
    fn double_sign(&self) -> Option<u8> {
        match self.index {
            _ if self.count < 4 => None,
            0 => Some(b'+'),
            index if index + 1 == self.count => Some(b'-'),
            _ => None,
        }
    }

    fn is_middle(&self) -> bool {
        self.count % 2 == 1 && self.index == self.count / 2
    }

    /// The first two characters of its moves.
    fn text(&self) -> [u8; 2] {
        let (letter, file) = (letter(self.kind), b'0' + self.file);
        if let Some(sign) = self.double_sign() {
            return [sign, sign];
        }
        let keeps_file = matches!(self.kind, Kind::Advisor | Kind::Elephant);
        let first = if self.two_files && self.count > 1 { file } else { letter };
        [first, self.sign().filter(|_| !keeps_file).unwrap_or(file)]
    }

    /// Whether `text`, two upper-case characters, may mean this piece.
    fn is_meant_by(&self, text: [u8; 2]) -> bool {
        let is_own = |letter: u8| kind_of(letter) == Some(self.kind);
        let soldier = self.kind == Kind::Soldier;
        match text {
            [letter, file @ b'1'..=b'9'] if is_own(letter) => {
                file - b'0' == self.file && (self.is_middle() || self.count.is_multiple_of(2))
            }
            [letter, sign @ (b'+' | b'-')] | [sign @ (b'+' | b'-'), letter] if is_own(letter) => {
                self.sign() == Some(sign)
            }
            [a @ (b'+' | b'-'), b] if a == b => soldier && self.double_sign() == Some(a),
            [file @ b'1'..=b'9', sign @ (b'+' | b'-')] => {
                soldier && file - b'0' == self.file && self.count < 4 && self.sign() == Some(sign)
            }
            [number @ b'1'..=b'9', file @ b'1'..=b'9'] => {
                let by_number = u32::from(number - b'1') == self.index;
                let middle = self.two_files && number == file && self.count == 3;
                soldier
                    && file - b'0' == self.file
                    && self.count > 1
                    && if middle { self.is_middle() } else { by_number }
            }
            _ => false,
        }
    }
}

fn letter(kind: Kind) -> u8 {
    match kind {
        Kind::Horse => b'H',
        Kind::Elephant => b'E',
        _ => kind.letter().to_ascii_uppercase(),
    }
}

/// The piece that an upper-case letter means.
fn kind_of(letter: u8) -> Option<Kind> {
    match letter {
        b'G' => Some(Kind::King),
        b'S' => Some(Kind::Soldier),
        b'A'..=b'Z' => Kind::from_fen_letter(letter).map(|(_, kind)| kind),
        _ => None,
    }
}

/// A move by its piece and target.
struct Wanted {
    kind: Kind,
    file: Option<i32>,
    rank: Option<i32>,
    capture: bool,
    to: Square,
}

impl Wanted {
    /// Reads `Che2`, `Rxa9`, `e4`; `None` if the text has another form.
    fn read(pos: &Position<Board>, text: &str) -> Option<Wanted> {
        let text = text.trim().trim_end_matches(['!', '?', '+', '#', ' ']);
        let (kind, rest) = match text.as_bytes() {
            [letter @ b'A'..=b'Z', rest @ ..] => (kind_of(*letter)?, rest),
            rest => (Kind::Soldier, rest),
        };
        // Nothing that is not ASCII is left.
        let digits = rest.iter().rev().take_while(|c| c.is_ascii_digit()).count();
        let (rest, target) = rest.split_at((rest.len() - digits).checked_sub(1)?);
        let (to, after) = Square::read(target, pos.first_rank())?;
        let (origin, capture) = match rest {
            [origin @ .., b'x'] => (origin, true),
            origin => (origin, false),
        };
        let (file, rank) = match origin {
            [file @ b'a'..=b'i', rank @ ..] => (Some(i32::from(file - b'a')), rank),
            rank => (None, rank),
        };
        let rank = match rank {
            [] => None,
            [rank @ b'0'..=b'9'] => Some(i32::from(rank - b'0')),
            b"10" => Some(10),
            _ => return None,
        };
        let rank = rank.map(|rank| rank - i32::from(pos.first_rank()));
        after.is_empty().then_some(Wanted { kind, file, rank, capture, to })
    }

    fn is_met_by(&self, pos: &Position<Board>, m: Move) -> bool {
        pos.moved_kind(m) == self.kind
            && m.to() == self.to
            && self.file.is_none_or(|file| file == m.from().file())
            && self.rank.is_none_or(|rank| rank == m.from().rank())
            && (!self.capture || pos.is_capture(m))
    }
}

/// Whether two characters can name the piece that moves.
fn is_piece(text: [u8; 2]) -> bool {
    match text {
        [b'+' | b'-', b'+' | b'-'] => text[0] == text[1],
        [b'+' | b'-', letter] => kind_of(letter).is_some(),
        [first, b'+' | b'-' | b'1'..=b'9'] => matches!(first, b'1'..=b'9') || kind_of(first).is_some(),
        _ => false,
    }
}

/// The two squares of a text in ICCS coordinates, in upper case.
fn iccs_squares(letters: &[u8]) -> Option<(Square, Square)> {
    let (from, to) = match letters {
        [a, b, b'-', c, d] | [a, b, c, d] => ([*a, *b], [*c, *d]),
        _ => return None,
    };
    let square = |[file, rank]: [u8; 2]| match file {
        b'A'..=b'I' => Square::parse(&[file.to_ascii_lowercase(), rank]),
        _ => None,
    };
    Some((square(from)?, square(to)?))
}

/// The text in upper-case ASCII with hyphens for dashes and without comments at the end, and its length. `None` if
/// it is longer than a move or has other characters.
fn letters(text: &str) -> Option<([u8; 5], usize)> {
    let (mut letters, mut length) = ([0; 5], 0);
    for c in text.trim().trim_end_matches(['!', '?', ' ']).chars() {
        *letters.get_mut(length)? = match c {
            '–' | '—' | '−' => b'-',
            '!'..='~' => (c as u8).to_ascii_uppercase(),
            _ => return None,
        };
        length += 1;
    }
    Some((letters, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::base::sample;
    use crate::game::GameMove;
    use crate::game::random_play;
    use crate::xiangqi::Position;
    use std::collections::HashSet;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// The positions of random games, some of which begin with pieces in tandem.
    fn random_positions(rng: &mut SplitMix64) -> Vec<Position> {
        let starts = [
            Position::START_FEN,
            "3ak4/4a4/2P3P2/2P3P2/6P2/9/2p3p2/2p3p2/4A4/3AK3p w - - 0 1",
            "3k5/4P4/4P4/4P4/4P4/9/4p4/4p4/4p2p1/5K1p1 b - - 0 1",
            "2bk5/4P4/4P4/4P4/2b1P4/2B1P4/9/4p2p1/4p2p1/2BA1K3 w - - 0 1",
            "1r1aka3/1r7/1n2b4/1n7/1c7/1c6C/8C/3AB3R/7NR/3AK2N1 w - - 0 1",
        ];
        let mut positions = Vec::new();
        for game in 0..sample(15, 30) {
            let start = position(starts[game % starts.len()]);
            positions.extend(random_play::positions(start, 120, rng));
        }
        positions
    }

    /// Fairy-Stockfish's text of a soldier in tandem.
    fn numbered(pos: &Position, m: Move) -> Option<String> {
        let standing = Standing::of(pos, m);
        let numbered = standing.count > 2 || standing.two_files && standing.count > 1;
        let is_tandem = standing.kind == Kind::Soldier && numbered;
        let [sign, number] = movement(pos, m, standing.kind).map(char::from);
        is_tandem.then(|| format!("{}{}{sign}{number}", standing.index + 1, standing.file))
    }

    #[test]
    fn every_move_is_read_back_and_no_two_share_a_text() {
        let mut rng = SplitMix64::new(90);
        let (mut positions, mut tandems, mut soldiers) = (0, 0, 0);
        for pos in random_positions(&mut rng) {
            let mut texts = HashSet::new();
            for &m in &pos.legal_moves() {
                let text = pos.wxf(m).to_string();
                assert_eq!(text.len(), 4);
                for text in [
                    text.clone(),
                    text.to_lowercase(),
                    text.replace('=', "."),
                    text.replace('-', "–"),
                    text.replace('H', "N").replace('E', "B").replace('K', "G").replace('P', "S"),
                    format!("{text}!?"),
                    pos.iccs(m).to_string(),
                    pos.iccs(m).to_string().to_lowercase(),
                    pos.iccs(m).to_string().replace('-', ""),
                ] {
                    assert_eq!(pos.parse_wxf(&text), Ok(m), "{pos:?} {text}");
                }
                let moved = [m.from(), m.to()].map(|square| square.to_string()).concat();
                assert_eq!(pos.iccs(m).to_string().replace('-', "").to_lowercase(), moved);
                let standing = Standing::of(&pos, m);
                if text.as_bytes()[0].is_ascii_alphabetic() && !text.as_bytes()[1].is_ascii_digit() {
                    tandems += 1;
                    let swapped = format!("{}{}{}", &text[1..2], &text[..1], &text[2..]);
                    assert_eq!(pos.parse_wxf(&swapped), Ok(m), "{pos:?} {swapped}");
                }
                if let Some(numbered) = numbered(&pos, m) {
                    soldiers += 1;
                    // The federation's middle soldier has such a text too.
                    let twice = numbered[..1] == numbered[1..2];
                    if !(standing.two_files && standing.count == 3 && twice) {
                        assert_eq!(pos.parse_wxf(&numbered), Ok(m), "{pos:?} {numbered}");
                    }
                }
                assert!(texts.insert(text), "{pos:?}");
            }
            positions += 1;
        }
        assert!(positions > sample(1_000, 2_000), "only {positions} positions");
        assert!(
            tandems > sample(500, 1_000) && soldiers > sample(250, 500),
            "{tandems} in tandem, {soldiers} soldiers"
        );
    }

    #[test]
    fn known_opening() {
        let game = "C2=5 C8=5 H2+3 H8+7 R1=2 R9+1 R2+6 R9=4 H8+7 H2+3 P7+1 R1+1 A4+5 P3+1 E7+9 R1=3";
        let coordinates = "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h6 i8d8 b0c2 b9c7 c3c4 a9a8 f0e1 c6c5 c0a2 a8c8";
        let mut pos = position(Position::START_FEN);
        for (text, coordinates) in game.split(' ').zip(coordinates.split(' ')) {
            let m = pos.parse_wxf(text).unwrap();
            assert_eq!((pos.wxf(m).as_str(), pos.move_text(m).as_str()), (text, coordinates));
            pos.make(m);
        }
    }

    #[test]
    fn tandem_pieces() {
        let three = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        let four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        let five = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1";
        let two_files = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/5K3 w - - 0 1";
        let rooks = "3k5/9/R8/9/9/9/9/9/9/R4K3 w - - 0 1";
        let horses = "3k5/9/9/9/2n6/9/2n6/9/9/5K3 b - - 0 1";
        let guards = "5k3/9/9/9/9/2B6/9/5A3/9/2BK1A3 w - - 0 1";
        for (fen, coordinates, text, also) in [
            (three, "e7d7", "P+=6", "P+.6 +P=6 15=6"),
            (three, "e6d6", "P5=6", "25=6 p5.6"),
            (three, "e5d5", "P-=6", "-P=6 35=6 S-=6 5-=6"),
            (four, "e8d8", "++=6", "15=6 ++.6"),
            (four, "e7d7", "P+=6", "+P=6 25=6"),
            (four, "e6d6", "P-=6", "-P=6 35=6"),
            (four, "e5d5", "--=6", "--.6 45=6"),
            (five, "e8d8", "++=6", "15=6"),
            (five, "e6d6", "P5=6", "35=6"),
            (five, "e5d5", "P-=6", "45=6"),
            (five, "e8e9", "+++1", "15+1"),
            (two_files, "c7b7", "7+=8", "17=8"),
            (two_files, "c6b6", "77=8", "27=8 P7=8"),
            (two_files, "c5b5", "7-=8", "37=8"),
            (two_files, "g6f6", "3+=4", "13=4"),
            (two_files, "g5f5", "3-=4", "23=4"),
            (rooks, "a7b7", "R+=8", "+R=8 r+.8"),
            (rooks, "a7a2", "R+-5", "R9-5 +R-5 R+–5"),
            (rooks, "a0a3", "R-+3", "-R+3 R9+3"),
            (horses, "c5d3", "H-+4", "h-+4 n-+4 -N+4"),
            (horses, "c3d5", "H+-4", "h+-4 N+-4"),
            (guards, "c4e2", "E7-5", "E+-5 B7-5 +E-5"),
            (guards, "c0e2", "E7+5", "E-+5 b7+5"),
            (guards, "f2e1", "A4-5", "A+-5"),
            (guards, "f0e1", "A4+5", "A-+5 a4+5 -A+5"),
        ] {
            let pos = position(fen);
            let m = pos.parse_move(coordinates).unwrap();
            assert_eq!(pos.wxf(m).as_str(), text, "{fen} {coordinates}");
            for text in also.split(' ') {
                assert_eq!(pos.parse_wxf(text), Ok(m), "{fen} {text}");
            }
        }
    }

    #[test]
    fn refused_texts_say_what_is_wrong() {
        let no_move = "is not a move; expected one such as C2=5, H8+7, R+-4 or H2-E2";
        let illegal = "is not legal in this position";
        let two_files = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/5K3 w - - 0 1";
        let three = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        for (fen, text, reason) in [
            (Position::START_FEN, "", no_move),
            (Position::START_FEN, "C20", no_move),
            (Position::START_FEN, "C255", no_move),
            (Position::START_FEN, "25", no_move),
            (Position::START_FEN, "Cje2", no_move),
            (Position::START_FEN, "Ce", no_move),
            (Position::START_FEN, "Ce10", no_move),
            (Position::START_FEN, "Xe2", no_move),
            (Position::START_FEN, "Ce4", illegal),
            (Position::START_FEN, "Cxe2", illegal),
            (Position::START_FEN, "Cae2", illegal),
            (Position::START_FEN, "Ce2", "is ambiguous: C8=5 or C2=5"),
            (Position::START_FEN, "C2=0", no_move),
            (Position::START_FEN, "X2=5", no_move),
            (Position::START_FEN, "C2=5 C8=5", no_move),
            (Position::START_FEN, "炮二平五", no_move),
            (Position::START_FEN, "+-=5", no_move),
            (Position::START_FEN, "H2-E10", no_move),
            (Position::START_FEN, "C2=2", illegal),
            (Position::START_FEN, "C+=5", illegal),
            (Position::START_FEN, "H2-H2", illegal),
            (Position::START_FEN, "h7e7", illegal),
            (Position::START_FEN, "++=5", illegal),
            (three, "P5+1", illegal),
            (two_files, "P+=5", illegal),
            (two_files, "P++1", "is ambiguous: 3++1 or 7++1"),
            ("3k5/9/R8/9/9/9/9/9/9/R4K3 w - - 0 1", "R9=8", "is ambiguous: R-=8 or R+=8"),
        ] {
            let error = position(fen).parse_wxf(text).unwrap_err();
            assert_eq!(error.field, "move");
            assert_eq!(error.reason, format!("{text:?} {reason}"), "{fen}");
        }
        let error = position(Position::START_FEN).parse_wxf(&"é".repeat(1 << 20)).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }

    #[test]
    fn the_piece_and_its_target_are_read() {
        for (fen, coordinates, texts) in [
            (Position::START_FEN, "h2e2", "Che2 Che2! Ch2e2 C25 c25"),
            (Position::START_FEN, "h2h9", "Cxh9 Ch9 Chxh9 Ch2xh9"),
            (Position::START_FEN, "b0c2", "Hc2 Nc2 Hbc2"),
            (Position::START_FEN, "e3e4", "e4 Pe4 ee4 Se4"),
            (Position::START_FEN, "c0e2", "Ece2 Bce2"),
            (Position::START_FEN, "d0e1", "Ade1"),
            (Position::START_FEN, "e0e1", "Ke1 Ge1 K5+1"),
            ("3k5/9/R8/9/9/9/9/9/9/R4K3 w - - 0 1", "a7a3", "R7a3 Ra7a3"),
            ("3k5/9/9/3Pp4/9/9/9/9/9/5K3 w - - 0 1", "d6e6", "dxe6 e6 Pxe6"),
        ] {
            let pos = position(fen);
            let m = pos.parse_move(coordinates).unwrap();
            for text in texts.split(' ') {
                assert_eq!(pos.parse_wxf(text), Ok(m), "{fen} {text}");
            }
        }
        // Ranks from 1.
        let pos = Position::default().with_first_rank(1);
        let capture = pos.parse_move("h3h10").unwrap();
        for text in ["Cxh10", "Ch3xh10", "Ch10+"] {
            assert_eq!(pos.parse_wxf(text), Ok(capture), "{text}");
        }
    }

    #[test]
    fn a_move_that_is_not_legal_is_written_without_a_panic() {
        let pos = position(Position::START_FEN);
        for m in (0..=u16::MAX).map(Move::from_raw) {
            assert_eq!((pos.wxf(m).as_str().len(), pos.iccs(m).as_str().len()), (4, 5));
        }
    }

    #[test]
    fn iccs_has_ranks_from_0_in_every_position() {
        let pos = position(Position::START_FEN).with_first_rank(1);
        let m = pos.parse_move("h3e3").unwrap();
        assert_eq!(pos.iccs(m).as_str(), "H2-E2");
        assert_eq!(pos.parse_wxf("H2-E2"), Ok(m));
    }
}
