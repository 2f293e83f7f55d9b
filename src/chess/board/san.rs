//! Standard Algebraic Notation (SAN), the moves of PGN files: written as the PGN standard's export format has
//! them, read in the forms that people and programs write.
//!
//! The source is section 8.2.3 of "Standard: Portable Game Notation Specification and Implementation Guide" (Steven J.
//! Edwards, 1994). Input is hostile: every text that is not a move here is a [`NotationError`].

use super::Board;
use crate::base::text::is_dash;
use crate::chess::types::{Kind, Move, MoveKind, Square};
use crate::game::text::fault::{Fault, only_one};
use crate::game::text::notation::bare_move;
use crate::game::{IllegalMove, MoveText, Moves, NotationError, Position};

impl Position<Board> {
    /// Writes the legal move `m` in Standard Algebraic Notation, as PGN files have it: `Nf3`, `exd5`, `Rad1`,
    /// `e8=Q+`, `O-O-O`, `Qh7#`. Castling is `O-O` or `O-O-O` in Chess960 too, by the side of the king on which
    /// the rook is.
    ///
    /// A null move ([`Move::NONE`]) is `--`. The text of another move that is not legal here has no meaning.
    ///
    /// ```
    /// use tabiya::chess::Position;
    ///
    /// let pos = Position::from_fen("3r3r/8/8/1k6/8/8/2K5/8 b - - 0 1")?;
    /// assert_eq!(pos.san(pos.parse_move("d8f8")?).as_str(), "Rdf8");
    /// assert_eq!(pos.san(pos.parse_move("h8h2")?).as_str(), "Rh2+");
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    pub fn san(&self, m: Move) -> MoveText {
        write(self, m)
    }

    /// A line of moves in SAN with move numbers, as PGN has it.
    ///
    /// # Errors
    /// The first move that is not legal. A null move ([`Move::NONE`]) is `--`.
    ///
    /// ```
    /// use tabiya::chess::Game;
    ///
    /// let game: Game = "startpos moves e2e4 e7e5 g1f3".parse()?;
    /// assert_eq!(game.start().san_line(game.moves())?, "1. e4 e5 2. Nf3");
    /// let second = game.start().play(game.moves()[0])?;
    /// assert_eq!(second.san_line(&game.moves()[1..])?, "1... e5 2. Nf3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "variation_san")]
    pub fn san_line(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
        self.line_in(moves, |position| Some(position.fullmove_number()), Position::san)
    }
}

/// No move is longer, with all its marks; longer texts are refused unread.
const MAX_LENGTH: usize = 24;

/// The characters of a move, in place.
#[derive(Default)]
struct Letters {
    bytes: [u8; MAX_LENGTH],
    len: usize,
}

impl Letters {
    /// Appends a letter; returns false if there is no room.
    fn push(&mut self, letter: u8) -> bool {
        let Some(place) = self.bytes.get_mut(self.len) else { return false };
        *place = letter;
        self.len += 1;
        true
    }

    fn extend(&mut self, letters: &[u8]) {
        for &letter in letters {
            self.push(letter);
        }
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Writes a legal move.
pub(in crate::chess) fn write(pos: &Position<Board>, m: Move) -> MoveText {
    let mut text = Letters::default();
    if m == Move::NONE {
        return MoveText::new(b"--");
    }
    let capture = pos.is_capture(m);
    if m.is(MoveKind::Castle) {
        text.extend(if m.to() > m.from() { b"O-O" } else { b"O-O-O" });
    } else {
        if m.piece() == Kind::Pawn {
            if capture {
                text.push(m.from().name()[0]);
            }
        } else {
            text.push(m.piece().letter().to_ascii_uppercase());
            let [file, rank] = m.from().name();
            let (by_file, by_rank) = origin_parts(pos, m);
            if by_file {
                text.push(file);
            }
            if by_rank {
                text.push(rank);
            }
        }
        if capture {
            text.push(b'x');
        }
        text.extend(&m.to().name());
        if let Some(kind) = m.promotion() {
            text.extend(&[b'=', kind.letter().to_ascii_uppercase()]);
        }
    }
    let mut child = *pos;
    child.make(m);
    if !child.checkers().is_empty() {
        text.push(if child.legal_moves().is_empty() { b'#' } else { b'+' });
    }
    MoveText::new(text.as_slice())
}

/// Whether the file and the rank of its origin are needed to distinguish the move of a piece from the other legal
/// moves of such pieces to the same square: the file if that is enough, else the rank, else both.
fn origin_parts(pos: &Position<Board>, m: Move) -> (bool, bool) {
    let (mut rivals, mut on_file, mut on_rank) = (false, false, false);
    for other in &pos.legal_moves() {
        // Castling has the rook's square as its target, which no other move of the king can have.
        if other.piece() == m.piece() && other.to() == m.to() && other.from() != m.from() {
            rivals = true;
            on_file |= other.from().file() == m.from().file();
            on_rank |= other.from().rank() == m.from().rank();
        }
    }
    (rivals && (!on_file || on_rank), rivals && on_file)
}

/// The parts of a move's text. Castling is read without them.
struct Wanted {
    /// `None` is any piece.
    piece: Option<Kind>,
    file: Option<i32>,
    rank: Option<i32>,
    /// The text says that the move takes a piece.
    capture: bool,
    to: Square,
    promotion: Option<Kind>,
}

impl Wanted {
    /// Whether `m` is such a move, whatever it promotes to.
    fn is_met_by(&self, pos: &Position<Board>, m: Move) -> bool {
        // A pawn's capture is written with its file; `d5` does not mean it.
        let file = match (self.piece, self.file) {
            (Some(Kind::Pawn), None) => Some(self.to.file()),
            (_, file) => file,
        };
        self.piece.is_none_or(|kind| kind == m.piece())
            && !m.is(MoveKind::Castle)
            && m.to() == self.to
            && file.is_none_or(|file| file == m.from().file())
            && self.rank.is_none_or(|rank| rank == m.from().rank())
            && (!self.capture || pos.is_capture(m))
    }
}

/// Reads a legal move.
pub(in crate::chess) fn read(pos: &Position<Board>, text: &str) -> Result<Move, NotationError> {
    let error = |reason: &str| NotationError::of_move(text, reason);
    let no_move = "is not a move; expected one such as e2e4, e7e8q, Nf3, exd5, e8=Q or O-O, with English letters";
    let illegal = || error("is not legal in this position").with_fault(Fault::Illegal);
    let letters = letters(bare_move(text)).ok_or_else(|| error(no_move))?;
    let letters = letters.as_slice();
    let list = pos.legal_moves();
    if let Some(kingside) = castling(letters) {
        let wanted = |m: &&Move| m.is(MoveKind::Castle) && (m.to() > m.from()) == kingside;
        return list.iter().find(wanted).copied().ok_or_else(illegal);
    }
    let (letter, rest) = piece_letter(letters);
    let (rest, promotion) = promotion(rest);
    let [middle @ .., file, rank] = rest else { return Err(error(no_move)) };
    let to = Square::parse(&[*file, *rank]).ok_or_else(|| error(no_move))?;
    let promotion = promotion.ok_or_else(|| error("must promote to n, b, r or q"))?;
    let (middle, capture) = match middle {
        [middle @ .., b'x' | b':' | b'*'] => (middle, true),
        [middle @ .., b'-', b'>'] | [middle @ .., b'-'] => (middle, false),
        _ => (middle, false),
    };
    let (file, rank) = match middle {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(i32::from(file - b'a')), None),
        [rank @ b'1'..=b'8'] => (None, Some(i32::from(rank - b'1'))),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(i32::from(file - b'a')), Some(i32::from(rank - b'1'))),
        _ => return Err(error(no_move)),
    };
    let piece = match (letter, file.zip(rank).and_then(|(file, rank)| Square::at(file, rank))) {
        (Some(kind), _) => Some(kind),
        // Coordinates name the piece by its square; the king may castle.
        (None, Some(from)) => match pos.piece_on(from) {
            Some((side, Kind::King)) if side == pos.side() && !capture && promotion.is_none() => {
                return pos.parse_coordinates(&format!("{from}{to}")).map_err(|_| illegal());
            }
            Some((_, kind)) => Some(kind),
            None => return Err(illegal()),
        },
        // `xd5` says no more than that something takes there.
        (None, None) => (!capture || !middle.is_empty()).then_some(Kind::Pawn),
    };
    let wanted = Wanted { piece, file, rank, capture, to, promotion };
    choose(pos, text, &list, &wanted)
}

/// The only move of `list` that is `wanted`, or what is wrong.
fn choose(pos: &Position<Board>, text: &str, list: &Moves<Move>, wanted: &Wanted) -> Result<Move, NotationError> {
    let to = wanted.to;
    let moves: Vec<Move> = list.iter().copied().filter(|&m| wanted.is_met_by(pos, m)).collect();
    let found: Vec<Move> = moves.iter().copied().filter(|m| m.promotion() == wanted.promotion).collect();
    let quiet = Wanted { capture: false, ..*wanted };
    let (fault, reason) = if !found.is_empty() {
        return only_one(text, &found, |m| write(pos, m));
    } else if moves.is_empty() && list.iter().any(|&m| quiet.is_met_by(pos, m)) {
        (Fault::Illegal, format!("captures nothing: no piece of the opponent is on {to}"))
    } else if moves.is_empty() {
        return only_one(text, &moves, |m| write(pos, m));
    } else if wanted.promotion.is_some() {
        let reason = "is not legal in this position: nothing promotes by this move";
        (Fault::Illegal, reason.into())
    } else {
        let square = wanted.file.zip(wanted.rank).and_then(|(file, rank)| Square::at(file, rank));
        let example = square.map_or(format!("{to}=Q"), |from| format!("{from}{to}q"));
        let reason = "does not say what the pawn becomes; expected one such as";
        (Fault::Ambiguous, format!("{reason} {example}"))
    };
    Err(NotationError::of_move(text, &reason).with_fault(fault))
}

/// The text in ASCII: figurines become letters, dashes and arrows hyphens, the sign of multiplication an `x`,
/// coordinates in capitals small letters. `None` if it is too long or has other characters.
fn letters(text: &str) -> Option<Letters> {
    let mut letters = Letters::default();
    for c in text.chars() {
        let letter = match c {
            '♔' | '♚' => b'K',
            '♕' | '♛' => b'Q',
            '♖' | '♜' => b'R',
            '♗' | '♝' => b'B',
            '♘' | '♞' => b'N',
            '♙' | '♟' => b'P',
            // Letters of Greek and Russian that look like an O.
            'Ο' | 'О' => b'O',
            '×' => b'x',
            '→' => b'-',
            c if is_dash(c) => b'-',
            // The selectors of a figurine's form.
            '\u{fe0e}' | '\u{fe0f}' => continue,
            ' '..='~' => c as u8,
            _ => return None,
        };
        if !letters.push(letter) {
            return None;
        }
    }
    let square = |at| matches!(letters.as_slice().get(at..at + 2), Some([b'A'..=b'H', b'1'..=b'8']));
    if square(0) && (2..5).any(square) {
        letters.bytes.make_ascii_lowercase();
    }
    Some(letters)
}

/// Whether the text castles on the king's side of the board, `O-O`, or on the queen's; `None` if it is another move.
fn castling(letters: &[u8]) -> Option<bool> {
    let is_o = |letter: &u8| matches!(letter, b'O' | b'o' | b'0');
    match letters {
        [a, b'-', b, b'-', c] | [a, b, c] if [a, b, c].into_iter().all(is_o) => Some(false),
        [a, b'-', b] | [a, b] if is_o(a) && is_o(b) => Some(true),
        _ => None,
    }
}

/// The piece that a text begins with, and the rest.
fn piece_letter(letters: &[u8]) -> (Option<Kind>, &[u8]) {
    match letters {
        // A `b` is a file.
        [letter @ (b'N' | b'n' | b'B' | b'R' | b'r' | b'Q' | b'q' | b'K' | b'k' | b'P'), rest @ ..] => {
            (Kind::from_fen_letter(*letter).map(|(_, kind)| kind), rest)
        }
        _ => (None, letters),
    }
}

/// The text without the piece that a pawn becomes, and that piece; `None` instead of an answer if a pawn cannot
/// become it.
fn promotion(letters: &[u8]) -> (&[u8], Option<Option<Kind>>) {
    let (rest, letter) = match letters {
        [rest @ .., b'(', letter, b')'] | [rest @ .., b'=' | b'/', letter] => (rest, letter),
        [rest @ .., letter] if letter.is_ascii_alphabetic() => (rest, letter),
        _ => return (letters, Some(None)),
    };
    let kind = Kind::from_fen_letter(*letter).map(|(_, kind)| kind);
    let kind = kind.filter(|kind| !matches!(kind, Kind::Pawn | Kind::King));
    (rest, kind.map(Some))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::SplitMix64;
    use crate::base::sample;
    use crate::chess::Position;

    use crate::game::GameMove;
    use crate::game::random_play;
    use std::collections::HashSet;

    const OPERA: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 \
        Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#";
    const IMMORTAL: &str = "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 \
        cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#";

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// A start position of Chess960, drawn at random.
    fn chess960_start(rng: &mut SplitMix64) -> Position {
        Position::chess960_start(rng.below(960) as u32).unwrap()
    }

    /// The positions of random games: ordinary ones, Chess960, and some that begin with many queens, rooks or
    /// pawns about to promote.
    fn random_positions(rng: &mut SplitMix64) -> Vec<Position> {
        let set_up = [
            "2q1q3/4q2k/2q1q3/8/8/2Q1Q3/8/K1Q1Q1Q1 w - - 0 1",
            "1n1n1n1k/1n3n2/8/1r3r2/8/R2R1N1N/8/K2R1N1N b - - 0 1",
            "1r1r4/PPPP1PPP/4k3/8/8/4K3/pppp1ppp/5R1R w - - 0 1",
            "b1b1b3/7k/b1b1b3/8/8/2B1B1B1/8/K1B1B1B1 w - - 0 1",
        ];
        let mut positions = Vec::new();
        for game in 0..sample(24, 60) {
            let start = match game % 3 {
                0 => position(Position::START_FEN),
                1 => chess960_start(rng),
                _ => position(set_up[game / 3 % set_up.len()]),
            };
            positions.extend(random_play::positions(start, 120, rng));
        }
        positions
    }

    /// The text of a move without its marks of check, by trying every form of the origin from the shortest.
    fn shortest_text(list: &[Move], capture: bool, m: Move) -> String {
        let (letter, x) = (m.piece().letter().to_ascii_uppercase() as char, if capture { "x" } else { "" });
        let [file, rank] = m.from().name().map(char::from);
        let promotion = m.promotion().map(|kind| format!("={}", kind.letter().to_ascii_uppercase() as char));
        let promotion = promotion.unwrap_or_default();
        match m.piece() {
            _ if m.is(MoveKind::Castle) => {
                return if m.to().file() > m.from().file() { "O-O" } else { "O-O-O" }.to_string();
            }
            Kind::Pawn if capture => return format!("{file}x{}{promotion}", m.to()),
            Kind::Pawn => return format!("{}{promotion}", m.to()),
            _ => {}
        }
        let same = |other: &&Move| other.piece() == m.piece() && other.to() == m.to();
        let count = |fits: &dyn Fn(&&Move) -> bool| list.iter().filter(same).filter(fits).count();
        let on_file = count(&|other| other.from().file() == m.from().file());
        let on_rank = count(&|other| other.from().rank() == m.from().rank());
        let origin = if count(&|_| true) == 1 {
            String::new()
        } else if on_file == 1 {
            file.to_string()
        } else if on_rank == 1 {
            rank.to_string()
        } else {
            format!("{file}{rank}")
        };
        format!("{letter}{origin}{x}{}", m.to())
    }

    #[test]
    fn every_move_is_read_back_and_no_two_share_a_text() {
        let mut rng = SplitMix64::new(64);
        let (mut positions, mut both, mut mates) = (0, 0, 0);
        for pos in random_positions(&mut rng) {
            let list = pos.legal_moves();
            let mut texts = HashSet::new();
            for &m in &list {
                let text = pos.san(m).to_string();
                assert_eq!(pos.parse_move(&text), Ok(m), "{pos:?} {text}");
                let bare = text.trim_end_matches(['+', '#']);
                assert_eq!(bare, shortest_text(&list, pos.is_capture(m), m), "{pos:?}");
                let mut child = pos;
                child.make(m);
                let mark = match (child.checkers().is_empty(), child.count_legal()) {
                    (true, _) => "",
                    (false, 0) => "#",
                    (false, _) => "+",
                };
                assert_eq!(&text[bare.len()..], mark, "{pos:?} {text}");
                both += u32::from(bare.len() >= 5 && m.piece() == Kind::Queen && !bare.contains('x'));
                mates += u32::from(mark == "#");
                if !m.is(MoveKind::Castle) {
                    let letter = m.piece().letter().to_ascii_uppercase() as char;
                    let promotion = m.promotion().map(|kind| char::from(kind.letter()));
                    let promotion = promotion.map(String::from).unwrap_or_default();
                    for text in [
                        format!("{letter}{}{}{promotion}", m.from(), m.to()),
                        format!("{letter}{}-{}{promotion}", m.from(), m.to()),
                        format!("{}{}{promotion}", m.from(), m.to()),
                        text.replace('x', ""),
                    ] {
                        assert_eq!(pos.parse_move(&text), Ok(m), "{pos:?} {text}");
                    }
                }
                assert_eq!(pos.parse_move(&pos.move_text(m).to_string()), Ok(m), "{pos:?} {text}");
                assert!(texts.insert(text), "{pos:?}");
            }
            positions += 1;
        }
        assert!(positions > sample(1_500, 4_000), "only {positions} positions");
        assert!(both > sample(40, 100) && mates > sample(3, 10), "{both} with both coordinates, {mates} mates");
    }

    #[test]
    fn known_games() {
        for game in [OPERA, IMMORTAL] {
            let mut pos = position(Position::START_FEN);
            for text in game.split_whitespace() {
                let m = pos.parse_move(text).unwrap();
                assert_eq!(pos.san(m).as_str(), text);
                pos.make(m);
            }
            assert_eq!(pos.count_legal(), 0);
        }
    }

    #[test]
    fn pinned_pieces_are_not_distinguished_and_seven_characters_fit() {
        for (fen, coordinates, text) in [
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
            ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
            ("4r2k/8/8/1N6/8/8/4N3/4K3 w - - 0 1", "b5d4", "Nd4"),
            ("7k/8/8/8/8/Q7/1r6/Q1Q4K w - - 0 1", "a1b2", "Qa1xb2+"),
            ("7k/6pp/8/8/8/Q7/1r6/Q1Q1R2K w - - 0 1", "e1e8", "Re8#"),
            ("k7/8/8/8/8/5N2/8/5N1K w - - 0 1", "f1d2", "N1d2"),
            ("rk6/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1", "O-O"),
        ] {
            let pos = position(fen);
            let m = pos.parse_move(coordinates).unwrap();
            assert_eq!(pos.san(m).as_str(), text, "{fen}");
        }
    }

    #[test]
    fn every_accepted_form() {
        let start = Position::START_FEN;
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let promotion = "3r4/4P2k/8/8/8/8/8/K7 w - - 0 1";
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let rooks = "4k3/8/8/r7/8/8/8/R3K2R w - - 0 1";
        let forms: &[(&str, &str, &str)] = &[
            (start, "e2e4", "e4 e2e4 e2-e4 e2–e4 Pe4 Pe2-e4 ♙e4 e4! e4?! e4+ e4# e4!? ee4 2e4 e2e4! E2E4 E2-E4"),
            (start, "e2e4", "e2->e4 e2→e4 e2e4# 1.e4 1...e4 1…e4 e4N e4= e4□ e4± e4∓ e4+- e4$14 e4, e4TN e2e4N"),
            (start, "g1f3", "Nf3 Ngf3 N1f3 Ng1f3 Ng1-f3 N-f3 nf3 ng1f3 g1f3 g1-f3 ♘f3 ♞f3 ♘\u{fe0e}f3 Nf3++"),
            (castling, "e1g1", "O-O o-o 0-0 O–O OO 00 O-O! 0-0+ O‑O O‐O O−O О-О e1g1 e1-g1 e1h1 E1G1"),
            (castling, "e1c1", "O-O-O o-o-o 0-0-0 OOO 000 O-O-O# O—O—O e1c1 e1-c1 e1a1 E1-C1"),
            (castling, "e1f1", "Kf1 Kef1 Ke1f1 Ke1-f1 e1f1 kf1 ♔f1"),
            (promotion, "e7e8n", "e8=N e8N e8(N) e8/N e8=n e8n e7e8n e7-e8=N e8=♘ e8=N! E7E8N"),
            (promotion, "e7e8q", "e7e8=Q e7e8Q e7e8(Q) e7e8q! e7e8q+ e7-e8/Q e8=Q□ e8QN"),
            (promotion, "e7d8q", "exd8=Q+ exd8Q ed8Q ed8=Q e:d8(Q) e7xd8=Q e7d8q e×d8=Q Pexd8=Q"),
            (
                en_passant,
                "e5d6",
                "exd6 ed6 exd6e.p. exd6ep e5xd6 e5d6 e:d6 exd6e.p.+ e5d6ep e5d6e.p. xd6 E5XD6 exd6(ep)",
            ),
            (rooks, "a1a5", "Rxa5 Ra5 Raxa5 Ra1xa5 Ra1a5 R1a5 a1xa5 a1a5 rxa5 R:a5 ♖×a5 Rxa5!!"),
            ("4k3/8/8/8/8/8/1P6/2B1K3 w - - 0 1", "c1d2", "Bd2 Bcd2 Bc1d2 c1d2 ♗d2"),
            ("4k3/8/8/8/8/8/1P6/2B1K3 w - - 0 1", "b2b3", "b3 bb3 b2b3 Pb3"),
        ];
        for (fen, coordinates, texts) in forms {
            let pos = position(fen);
            let expected = pos.parse_coordinates(coordinates);
            assert!(expected.is_ok());
            for text in texts.split(' ') {
                assert_eq!(pos.parse_move(text), expected, "{fen} {text}");
                assert_eq!(pos.parse_move(&format!(" {text}\t")), expected, "{fen} {text}");
            }
        }
        let pos = position(en_passant);
        for text in ["exd6 e.p.", "e5d6 e.p.", "e5d6 ", "12. exd6 e.p. +−", "12... e5xd6 N", "exd6 (=) $1 $14"] {
            assert_eq!(pos.parse_move(text), pos.parse_coordinates("e5d6"), "{text}");
        }
    }

    #[test]
    fn refused_texts_say_what_is_wrong() {
        let no_move = "is not a move; expected one such as e2e4, e7e8q, Nf3, exd5, e8=Q or O-O, with English letters";
        let illegal = "is not legal in this position";
        let promotion = "3r4/4P2k/8/8/8/8/8/K7 w - - 0 1";
        for (fen, text, reason) in [
            (Position::START_FEN, "", no_move),
            (Position::START_FEN, "Nf3 e5", no_move),
            (Position::START_FEN, "Nf33", no_move),
            (Position::START_FEN, "N\u{661}f3", no_move),
            (Position::START_FEN, "O-O-O-O", no_move),
            (Position::START_FEN, "--", no_move),
            (Position::START_FEN, "e9", no_move),
            (Position::START_FEN, "1.", no_move),
            (Position::START_FEN, "+-", no_move),
            (Position::START_FEN, "$1", no_move),
            (Position::START_FEN, "E2e4", no_move),
            (Position::START_FEN, "e2e4e5", no_move),
            (Position::START_FEN, "e4=K", "must promote to n, b, r or q"),
            (promotion, "e7e8k", "must promote to n, b, r or q"),
            (promotion, "e7e8", "does not say what the pawn becomes; expected one such as e7e8q"),
            (Position::START_FEN, "d8h4#", illegal),
            (Position::START_FEN, "O-O", illegal),
            (Position::START_FEN, "e5", illegal),
            (Position::START_FEN, "Ke1g1", illegal),
            (Position::START_FEN, "e1g1", illegal),
            (Position::START_FEN, "e4e5", illegal),
            (Position::START_FEN, "Nbf3", illegal),
            (Position::START_FEN, "e7e5", illegal),
            (Position::START_FEN, "Nxf3", "captures nothing: no piece of the opponent is on f3"),
            (Position::START_FEN, "e4=Q", "is not legal in this position: nothing promotes by this move"),
            (promotion, "e8", "does not say what the pawn becomes; expected one such as e8=Q"),
            (promotion, "d8=Q", illegal),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", illegal),
            ("4k3/8/8/8/8/R6R/8/4K3 w - - 0 1", "Rd3", "is ambiguous: Rad3 or Rhd3"),
            ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "xd5", "is ambiguous: exd5 or cxd5"),
            ("4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1", "xd5", "is ambiguous: Nxd5 or exd5"),
            ("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", "xd5", illegal),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "xd5", illegal),
            ("7k/8/8/8/8/Q7/1r6/Q1Q4K w - - 0 1", "Qab2", "is ambiguous: Qa1xb2+ or Q3xb2+"),
        ] {
            let error = position(fen).parse_move(text).unwrap_err();
            assert_eq!(error.field, "move");
            assert_eq!(error.reason, format!("{text:?} {reason}"), "{fen}");
        }
        let error = position(Position::START_FEN).parse_move(&"é".repeat(1 << 20)).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }

    #[test]
    fn a_move_that_is_not_legal_is_written_without_a_panic() {
        for raw in 0..=u16::MAX {
            assert!(position(Position::START_FEN).san(Move::from_raw(raw)).as_str().len() >= 2);
        }
    }
}
