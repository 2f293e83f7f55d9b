//! A second, slow and obvious implementation of chess: an array of 64 piece codes, pseudo-legal moves, king capture.
//!
//! It shares no code, tables or representation with the crate and has its own FEN reader. Keep it simple.

use std::fmt;

pub const EMPTY: u8 = 0;
pub const PAWN: u8 = 1;
pub const KNIGHT: u8 = 2;
pub const BISHOP: u8 = 3;
pub const ROOK: u8 = 4;
pub const QUEEN: u8 = 5;
pub const KING: u8 = 6;
/// Added to the code of a black piece.
pub const BLACK: u8 = 8;

const LETTERS: &str = ".PNBRQK..pnbrqk";

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const JUMPS: [(i32, i32); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// A move: from, to (the rook's square when castling), the promotion piece or [`EMPTY`], whether it castles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    pub from: usize,
    pub to: usize,
    pub becomes: u8,
    pub castles: bool,
}

/// The whole state of a game except its history.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mailbox {
    pub board: [u8; 64],
    /// 0 or [`BLACK`].
    pub side: u8,
    /// Whether the rook on this square may castle.
    pub rights: [bool; 64],
    /// The square that the last double step passed, whether or not a pawn can capture there.
    pub passed: Option<usize>,
    pub halfmove: u32,
    pub fullmove: u32,
}

fn offset(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    if (0..8).contains(&file) && (0..8).contains(&rank) { Some((rank * 8 + file) as usize) } else { None }
}

impl Mailbox {
    /// Reads a FEN that is known to be valid.
    pub fn from_fen(fen: &str) -> Mailbox {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let mut new = Mailbox {
            board: [EMPTY; 64],
            side: if fields[1] == "w" { 0 } else { BLACK },
            rights: [false; 64],
            passed: None,
            halfmove: fields.get(4).map_or(0, |text| text.parse().unwrap()),
            fullmove: fields.get(5).map_or(1, |text| text.parse().unwrap()),
        };
        for (row, text) in fields[0].split('/').enumerate() {
            let mut square = (7 - row) * 8;
            for letter in text.chars() {
                if let Some(skip) = letter.to_digit(10) {
                    square += skip as usize;
                } else {
                    new.board[square] = LETTERS.find(letter).unwrap() as u8;
                    square += 1;
                }
            }
        }
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            let (row, colour) = if letter.is_uppercase() { (0, 0) } else { (56, BLACK) };
            let king = new.king(colour);
            let is_rook = |file: &usize| new.board[row + file] == ROOK + colour;
            let file = match letter.to_ascii_lowercase() {
                'k' => (king % 8..8).rev().find(is_rook),
                'q' => (0..king % 8).find(is_rook),
                file => Some(file as usize - 'a' as usize),
            };
            new.rights[row + file.unwrap()] = true;
        }
        if fields[3] != "-" {
            let name = fields[3].as_bytes();
            new.passed = Some(usize::from(name[1] - b'1') * 8 + usize::from(name[0] - b'a'));
        }
        new
    }

    /// The square of `colour`'s king.
    pub fn king(&self, colour: u8) -> usize {
        (0..64).find(|&square| self.board[square] == KING + colour).unwrap()
    }

    fn is(&self, square: usize, piece: u8) -> bool {
        self.board[square] == piece
    }

    fn is_empty(&self, square: usize) -> bool {
        self.board[square] == EMPTY
    }

    fn is_of(&self, square: usize, colour: u8) -> bool {
        !self.is_empty(square) && self.board[square] & BLACK == colour
    }

    /// Whether a piece of `colour` attacks `square`.
    pub fn attacked(&self, square: usize, colour: u8) -> bool {
        let forward = if colour == 0 { 1 } else { -1 };
        let near = |steps: &[(i32, i32)], piece: u8| {
            steps.iter().any(|&s| offset(square, s).is_some_and(|at| self.is(at, piece + colour)))
        };
        let far = |steps: &[(i32, i32)], piece: u8| {
            steps.iter().any(|&step| {
                let mut at = square;
                while let Some(next) = offset(at, step) {
                    if !self.is_empty(next) {
                        return self.is(next, piece + colour) || self.is(next, QUEEN + colour);
                    }
                    at = next;
                }
                false
            })
        };
        near(&[(-1, -forward), (1, -forward)], PAWN)
            || near(&JUMPS, KNIGHT)
            || near(&STRAIGHT, KING)
            || near(&DIAGONAL, KING)
            || far(&STRAIGHT, ROOK)
            || far(&DIAGONAL, BISHOP)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.attacked(self.king(self.side), self.side ^ BLACK)
    }

    /// Every pseudo-legal move. Castling moves are legal already.
    fn pseudo_legal(&self) -> Vec<Step> {
        let mut found = Vec::new();
        for from in (0..64).filter(|&square| self.is_of(square, self.side)) {
            match self.board[from] & 7 {
                PAWN => self.pawn_steps(from, &mut found),
                KNIGHT => self.steps(from, &JUMPS, 1, &mut found),
                BISHOP => self.steps(from, &DIAGONAL, 7, &mut found),
                ROOK => self.steps(from, &STRAIGHT, 7, &mut found),
                QUEEN => {
                    self.steps(from, &DIAGONAL, 7, &mut found);
                    self.steps(from, &STRAIGHT, 7, &mut found);
                }
                _ => {
                    self.steps(from, &DIAGONAL, 1, &mut found);
                    self.steps(from, &STRAIGHT, 1, &mut found);
                    self.castling_steps(from, &mut found);
                }
            }
        }
        found
    }

    fn steps(&self, from: usize, ways: &[(i32, i32)], reach: usize, found: &mut Vec<Step>) {
        for &way in ways {
            let mut at = from;
            for _ in 0..reach {
                let Some(to) = offset(at, way) else { break };
                if self.is_of(to, self.side) {
                    break;
                }
                found.push(Step { from, to, becomes: EMPTY, castles: false });
                if !self.is_empty(to) {
                    break;
                }
                at = to;
            }
        }
    }

    fn pawn_steps(&self, from: usize, found: &mut Vec<Step>) {
        let (forward, home) = if self.side == 0 { (1, 1) } else { (-1, 6) };
        let mut targets = Vec::new();
        let ahead = offset(from, (0, forward)).unwrap();
        if self.is_empty(ahead) {
            targets.push(ahead);
            let two = offset(from, (0, 2 * forward));
            if from / 8 == home && self.is_empty(two.unwrap()) {
                targets.push(two.unwrap());
            }
        }
        for way in [(-1, forward), (1, forward)] {
            if let Some(to) = offset(from, way)
                && (self.is_of(to, self.side ^ BLACK) || self.passed == Some(to))
            {
                targets.push(to);
            }
        }
        for to in targets {
            let pieces: &[u8] = if to / 8 == 0 || to / 8 == 7 { &[KNIGHT, BISHOP, ROOK, QUEEN] } else { &[EMPTY] };
            for &becomes in pieces {
                found.push(Step { from, to, becomes, castles: false });
            }
        }
    }

    fn castling_steps(&self, king: usize, found: &mut Vec<Step>) {
        let row = if self.side == 0 { 0 } else { 56 };
        for rook in (row..row + 8).filter(|&square| self.rights[square]) {
            let (king_to, rook_to) = landing(king, rook);
            let span = |a: usize, b: usize| a.min(b)..=a.max(b);
            let clear = span(king, king_to)
                .chain(span(rook, rook_to))
                .all(|square| square == king || square == rook || self.is_empty(square));
            // Without the king: on the board it could shield a square of its path from a slider.
            let mut walk = *self;
            walk.board[king] = EMPTY;
            let safe = span(king, king_to).all(|square| !walk.attacked(square, self.side ^ BLACK));
            if clear && safe {
                found.push(Step { from: king, to: rook, becomes: EMPTY, castles: true });
            }
        }
    }

    /// Every legal move, sorted: one after which the king cannot be captured.
    pub fn legal(&self) -> Vec<Step> {
        let mut found = self.pseudo_legal();
        found.retain(|&step| {
            let after = self.after(step);
            !after.attacked(after.king(self.side), self.side ^ BLACK)
        });
        found.sort();
        found
    }

    /// Whether the pseudo-legal `step` takes a piece.
    pub fn captures(&self, step: Step) -> bool {
        let en_passant = self.board[step.from] & 7 == PAWN && step.from % 8 != step.to % 8 && self.is_empty(step.to);
        !step.castles && !self.is_empty(step.to) || en_passant
    }

    /// The state after `step`.
    pub fn after(&self, step: Step) -> Mailbox {
        let mut new = *self;
        let Step { from, to, becomes, castles } = step;
        let piece = self.board[from];
        new.halfmove = self.halfmove + 1;
        if piece & 7 == PAWN || self.captures(step) {
            new.halfmove = 0;
        }
        new.fullmove += u32::from(self.side == BLACK);
        new.side = self.side ^ BLACK;
        new.passed = None;
        new.rights[from] = false;
        new.rights[to] = false;
        if piece & 7 == KING {
            // Clear the back rank of its own side: the king may be on another rank.
            let row = if self.side == 0 { 0 } else { 56 };
            new.rights[row..row + 8].fill(false);
        }
        new.board[from] = EMPTY;
        if castles {
            let (king_to, rook_to) = landing(from, to);
            new.board[to] = EMPTY;
            new.board[king_to] = piece;
            new.board[rook_to] = ROOK + self.side;
            return new;
        }
        new.board[to] = if becomes == EMPTY { piece } else { becomes + self.side };
        if piece & 7 == PAWN {
            if from.abs_diff(to) == 16 {
                new.passed = Some((from + to) / 2);
            } else if from % 8 != to % 8 && self.is_empty(to) {
                new.board[from / 8 * 8 + to % 8] = EMPTY;
            }
        }
        new
    }
}

/// The squares of king and rook after castling.
fn landing(king: usize, rook: usize) -> (usize, usize) {
    let row = king / 8 * 8;
    if rook % 8 > king % 8 { (row + 6, row + 5) } else { (row + 2, row + 3) }
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.board.chunks(8).rev() {
            let text: String = row.iter().map(|&piece| LETTERS.as_bytes()[usize::from(piece)] as char).collect();
            writeln!(f, "{text}")?;
        }
        let rooks: Vec<usize> = (0..64).filter(|&s| self.rights[s]).collect();
        let Mailbox { side, passed, halfmove, fullmove, .. } = self;
        write!(f, "side {side} rights {rooks:?} passed {passed:?} {halfmove} {fullmove}")
    }
}
