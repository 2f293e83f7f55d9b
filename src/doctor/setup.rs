//! [`Setup`], a position taken apart so that one thing of it can be changed.

use crate::game::text::fen::Tolerance;
use crate::game::{Position, Rules};

/// A position taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub files: usize,
    pub ranks: usize,
    /// The letters of the pieces, by rank and file from the first.
    pub pieces: Vec<Option<char>>,
    /// `w` or `b`.
    pub side: char,
    /// The castling rights; empty if there are none.
    pub rights: String,
    /// The en passant square.
    pub passed: Option<usize>,
    pub clock: u32,
    /// The number of the first rank.
    pub first: usize,
}

/// A field of FENs that a program reads wrongly: what it says by FEN of a position that needs the field is no evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misread {
    EnPassant,
    Rights,
    /// The rights of the two wings are swapped: where a side has both or none nothing is wrong.
    Wings,
}

impl Setup {
    /// Whether a program that misreads the field has another position than this.
    pub fn is_misread(&self, field: Misread) -> bool {
        let has_one_of = |pair: [char; 2]| self.rights.contains(pair[0]) != self.rights.contains(pair[1]);
        match field {
            Misread::EnPassant => self.passed.is_some(),
            Misread::Rights => !self.rights.is_empty(),
            Misread::Wings => has_one_of(['K', 'Q']) || has_one_of(['k', 'q']),
        }
    }

    /// Takes a position apart.
    pub fn of<B: Rules>(position: &Position<B>) -> Setup {
        let fen = position.to_fen();
        let fields = Vec::from_iter(fen.split(' '));
        let mut pieces = Vec::new();
        for rank in fields[0].split('/').rev() {
            for letter in rank.chars() {
                match letter.to_digit(10) {
                    Some(empty) => pieces.extend((0..empty).map(|_| None)),
                    None => pieces.push(Some(letter)),
                }
            }
        }
        let size = B::SIZE;
        let mut setup = Setup {
            files: size.files as usize,
            ranks: size.ranks as usize,
            pieces,
            side: if fields[1] == "b" { 'b' } else { 'w' },
            rights: fields[2].replace('-', ""),
            passed: None,
            clock: fields[4].parse().unwrap_or_default(),
            first: size.first_rank as usize,
        };
        setup.passed = setup.square(fields[3]);
        setup
    }

    /// The index of a square.
    pub fn square(&self, name: &str) -> Option<usize> {
        let file = name.bytes().next()?.wrapping_sub(b'a') as usize;
        let rank = name.get(1..)?.parse::<usize>().ok()?.checked_sub(self.first)?;
        (file < self.files && rank < self.ranks).then_some(rank * self.files + file)
    }

    /// The name of a square.
    pub fn name(&self, square: usize) -> String {
        format!("{}{}", char::from(b'a' + (square % self.files) as u8), square / self.files + self.first)
    }

    /// The squares of a move, from and to.
    pub fn squares(&self, text: &str) -> Option<(usize, usize)> {
        Some((self.square(text.get(..2)?)?, self.square(text.get(2..4)?)?))
    }

    /// As a FEN.
    pub fn fen(&self) -> String {
        let mut fen = String::new();
        for rank in (0..self.ranks).rev() {
            let mut empty = 0;
            for piece in &self.pieces[rank * self.files..][..self.files] {
                match piece {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            fen += &empty.to_string();
                        }
                        empty = 0;
                        fen.push(*letter);
                    }
                }
            }
            if empty > 0 {
                fen += &empty.to_string();
            }
            fen.push(if rank == 0 { ' ' } else { '/' });
        }
        let rights = if self.rights.is_empty() { "-" } else { &self.rights };
        let passed = self.passed.map_or("-".into(), |square| self.name(square));
        format!("{fen}{} {rights} {passed} {} 1", self.side, self.clock)
    }

    /// As a position, without rights and an en passant square that the pieces do not allow; `None` if there is none
    /// that a game could reach, or it is one of Chess960 only now.
    pub fn position<B: Rules>(&self) -> Option<Position<B>> {
        let position = Position::<B>::read_fen(&self.fen(), &mut Tolerance::lenient()).ok()?;
        // Engines need not read what is no position, such as a xiangqi soldier where none can stand.
        Position::<B>::from_fen(&position.to_fen()).ok()?;
        let is_usual = |rights: &str| rights.chars().all(|letter| "KQkq".contains(letter));
        let rights = Setup::of(&position).rights;
        (is_usual(&rights) || !is_usual(&self.rights)).then_some(position)
    }

    /// The pieces with their squares.
    pub fn men(&self) -> Vec<(usize, char)> {
        let men = self.pieces.iter().enumerate();
        men.filter_map(|(square, piece)| piece.map(|letter| (square, letter))).collect()
    }

    /// The square of the king of `w` or `b`.
    pub fn king(&self, side: char) -> Option<usize> {
        let king = if side == 'w' { 'K' } else { 'k' };
        self.pieces.iter().position(|piece| *piece == Some(king))
    }

    /// The same with `piece` on a square.
    pub fn with(&self, square: usize, piece: Option<char>) -> Setup {
        let mut next = self.clone();
        next.pieces[square] = piece;
        next
    }

    /// With the colours exchanged.
    pub fn exchanged(&self) -> Setup {
        let other = |letter: char| {
            if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        };
        let mut next = self.flipped(false);
        for piece in &mut next.pieces {
            *piece = piece.map(other);
        }
        next.side = if self.side == 'w' { 'b' } else { 'w' };
        let mut rights = Vec::from_iter(self.rights.chars().map(other));
        rights.sort_unstable_by_key(|letter| letter.is_ascii_lowercase());
        next.rights = rights.into_iter().collect();
        next
    }

    /// With the files mirrored; `None` with rights to castle.
    pub fn mirrored(&self) -> Option<Setup> {
        self.rights.is_empty().then(|| self.flipped(true))
    }

    /// A move as it is on the board with the files mirrored, or else with the colours exchanged.
    pub fn flipped_move(&self, text: &str, is_mirrored: bool) -> Option<String> {
        let (from, to) = self.squares(text)?;
        let [from, to] = [from, to].map(|square| self.name(self.flipped_square(square, is_mirrored)));
        Some(format!("{from}{to}{}", &text[4..]))
    }

    fn flipped(&self, is_mirrored: bool) -> Setup {
        let mut next = self.clone();
        for (square, piece) in self.pieces.iter().enumerate() {
            next.pieces[self.flipped_square(square, is_mirrored)] = *piece;
        }
        next.passed = self.passed.map(|square| self.flipped_square(square, is_mirrored));
        next
    }

    fn flipped_square(&self, square: usize, is_mirrored: bool) -> usize {
        let (file, rank) = (square % self.files, square / self.files);
        if is_mirrored {
            rank * self.files + self.files - 1 - file
        } else {
            (self.ranks - 1 - rank) * self.files + file
        }
    }
}
