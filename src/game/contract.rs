//! What the positions of both games say alike: their pieces, methods for users of the crate, conversions, and the
//! traits [`Rules`](super::Rules), [`Keyed`](super::Keyed) and [`Notation`](super::Notation).
//!
//! A game writes what is its own as methods of its `Position`, beside their logic (`is_legal`, `make`, `parse_move`,
//! `move_text`, …). What both do alike has its body in `game`. `contract!`, called once by each game, makes it methods
//! of `Position` too, so that users need no trait, and hands the game's own methods to the traits.

/// Defines these methods and implements these traits for the `Position` of the module that calls it. `$name` is that of
/// the game, `$first` its first side, `$start` the FEN of the initial position, `$write_fen` writes one. The attributes
/// in front of a name document that method.
macro_rules! contract {
    (
        $name:literal, $first:ident, $files:literal by $ranks:literal, $start:literal,
        $write_fen:expr;
        $(#[$from_fen:meta])* from_fen;
        $(#[$from_fen_lenient:meta])* from_fen_lenient;
        $(#[$explain:meta])* explain;
        $(#[$outcome:meta])* outcome;
    ) => {
        use crate::base::cpu::{Cpu, Task};
        use crate::base::text::grid;
        use crate::game::notation::FenReader;
        use crate::game::rules::assert_depth;
        use crate::game::{
            Columns, Explain as _, Explanation, IllegalMove, Kernel, Keyed, MoveText, Moves,
            Children, HashWords, Notation, NotationError, Outcome, Packable, Rules, Side, Sink, played,
        };
        use std::fmt;
        use std::str::FromStr;

        impl std::ops::Deref for Position {
            type Target = Board;

            #[inline(always)]
            fn deref(&self) -> &Board {
                &self.board
            }
        }

        impl Position {
            /// The FEN of the initial position.
            pub const START_FEN: &'static str = $start;

            $(#[$from_fen])*
            pub fn from_fen(fen: &str) -> Result<Self, NotationError> {
                Notation::from_fen(fen)
            }

            $(#[$from_fen_lenient])*
            pub fn from_fen_lenient(fen: &str) -> Result<(Self, Option<String>), NotationError> {
                Notation::from_fen_lenient(fen)
            }

            /// The Zobrist key. Positions that are the [same](Self::same_position) have the same key.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// let m = start.legal_moves()[0];
            /// assert_eq!(start.play_unchecked(m).key(), start.key_after(m));
            /// ```
            #[doc(alias = "hash")]
            #[doc(alias = "zobrist")]
            #[inline(always)]
            pub const fn key(&self) -> u64 {
                self.key
            }

            /// The enemy pieces that give check to the side to move.
            #[inline(always)]
            pub const fn checkers(&self) -> Bitboard {
                self.pins.checkers
            }

            /// Whether the side to move is in check.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// assert!(!start.in_check() && start.checkers().is_empty());
            /// ```
            #[doc(alias = "is_check")]
            #[inline(always)]
            pub fn in_check(&self) -> bool {
                !self.pins.checkers.is_empty()
            }

            /// FEN's letter of the piece on a file and rank.
            pub(super) fn letter_at(&self, file: i32, rank: i32) -> Option<u8> {
                let (side, kind) = self.piece_on(Square::at(file, rank)?)?;
                Some(kind.fen_letter(side))
            }

            /// Plies since the last capture or, in chess, pawn move.
            pub const fn halfmove_clock(&self) -> u16 {
                self.halfmove
            }

            /// The full-move number, from 1.
            pub const fn fullmove_number(&self) -> u16 {
                self.fullmove
            }

            /// All legal moves: a list without allocation that is a slice and an iterator.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// for m in start.legal_moves() {
            ///     assert!(start.is_legal(m));
            /// }
            /// ```
            #[inline]
            #[must_use]
            pub fn legal_moves(&self) -> Moves<Move> {
                Rules::legal_moves(self)
            }

            /// The number of legal moves, counted without writing a list.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// assert_eq!(start.count_legal(), start.legal_moves().len() as u64);
            /// ```
            #[inline]
            #[must_use]
            pub fn count_legal(&self) -> u64 {
                Rules::count_legal(self)
            }

            /// The legal captures and promotions, for a quiescence search.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// let captures = start.noisy_moves();
            /// assert_eq!(captures.len() + start.quiet_moves().len(), start.legal_moves().len());
            /// ```
            #[doc(alias = "captures")]
            #[inline]
            #[must_use]
            pub fn noisy_moves(&self) -> Moves<Move> {
                Rules::noisy_moves(self)
            }

            /// The legal moves that [`noisy_moves`](Self::noisy_moves) leaves out.
            #[inline]
            #[must_use]
            pub fn quiet_moves(&self) -> Moves<Move> {
                Rules::quiet_moves(self)
            }

            $(#[$explain])*
            pub fn explain(&self, text: &str) -> Result<Explanation<Rule>, NotationError> {
                self.explain_after(text, &[])
            }

            /// The position after a move.
            ///
            /// # Errors
            /// If the move is not legal here.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// let m = start.legal_moves()[0];
            /// let next = start.play(m)?;
            /// assert!(next.side() != start.side() && next.play(m).is_err());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn play(&self, m: Move) -> Result<Position, IllegalMove<Move>> {
                played::play(self, m)
            }

            /// The position after a move that is known to be legal, such as one of [`legal_moves`](Self::legal_moves).
            /// After any other move the position is unspecified, but memory stays safe. [`make`](Self::make) does the
            /// same in place.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// let replies = |m| start.play_unchecked(m).count_legal();
            /// assert_eq!(start.legal_moves().into_iter().map(replies).sum::<u64>(), start.perft(2));
            /// ```
            #[inline]
            #[must_use]
            pub fn play_unchecked(&self, m: Move) -> Position {
                played::after(self, m)
            }

            /// The position after a null move: the side to move passes. `None` if it is in check.
            ///
            /// ```
            #[doc = concat!("use tabiya::", $name, "::{Position, Side};")]
            ///
            /// let start = Position::default();
            /// assert_eq!(start.play_null().map(|position| position.side()), Some(Side::BLACK));
            /// ```
            #[must_use]
            pub fn play_null(&self) -> Option<Position> {
                played::play_null(self)
            }

            /// A line of moves as coordinates, separated by blanks: what a search expects, the moves of a game.
            ///
            /// # Errors
            /// The first move that is not legal.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// let first = start.legal_moves()[0];
            /// assert_eq!(start.line_text(&[first])?, first.to_string());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn line_text(&self, moves: &[Move]) -> Result<String, IllegalMove<Move>> {
                played::line(self, moves, |_| None, Position::move_text)
            }

            $(#[$outcome])*
            #[must_use]
            pub fn outcome(&self) -> Option<Outcome> {
                played::outcome(self)
            }

            /// The number of legal move sequences of `depth` plies, by the fastest kernel of this CPU, on one thread
            /// that visits every node. [`Perft`](crate::perft::Perft) has threads, memory and 128-bit totals.
            ///
            /// A total of 2⁶⁴ or more does not fit, and neither this function nor [`divide`](Self::divide) and
            /// [`statistics`](Self::statistics) notices it: what they return is then without meaning. At a billion
            /// sequences a second they would get there after nearly six centuries.
            ///
            /// # Panics
            /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// assert_eq!(start.perft(1), start.count_legal());
            /// ```
            #[track_caller]
            #[must_use]
            pub fn perft(&self, depth: u32) -> u64 {
                assert_depth(depth);
                perft::perft(self, depth, perft::fastest(depth))
            }

            /// Each legal move with the number of sequences of `depth` plies that begin with it. Nothing at depth 0.
            ///
            /// # Panics
            /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// let total: u64 = start.divide(3).map(|(_, count)| count).sum();
            /// assert_eq!(total, start.perft(3));
            /// ```
            #[track_caller]
            pub fn divide(&self, depth: u32) -> impl Iterator<Item = (Move, u64)> + use<> {
                played::divide(*self, depth)
            }

            /// Captures, checks, mates and so on among the moves of the last ply of all sequences of `depth` plies.
            ///
            /// # Panics
            /// If `depth` is above [`MAX_DEPTH`](crate::perft::MAX_DEPTH).
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            /// assert_eq!(start.statistics(3).nodes, start.perft(3));
            /// ```
            #[track_caller]
            #[must_use]
            pub fn statistics(&self, depth: u32) -> Columns {
                assert_depth(depth);
                perft::columns::columns(self, depth, perft::kernels()[0])
            }
        }

        impl Default for Position {
            /// The initial position.
            fn default() -> Self {
                Position::from_fen(Position::START_FEN).expect("a legal position")
            }
        }

        impl fmt::Display for Position {
            /// Writes the FEN; with `{:#}` draws the board with FEN's letters, the last rank first.
            ///
            /// ```
            #[doc = concat!("let start = tabiya::", $name, "::Position::default();")]
            #[doc = concat!("assert_eq!(start.to_string(), \"", $start, "\");")]
            /// println!("{start:#}");
            /// ```
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if !f.alternate() {
                    return f.pad(&self.to_fen());
                }
                f.pad(&grid($files, $ranks, |file, rank| self.letter_at(file, rank).map_or('.', char::from)))
            }
        }

        impl fmt::Debug for Position {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.to_fen())
            }
        }

        impl FromStr for Position {
            type Err = NotationError;

            /// Reads a FEN: the same as [`Position::from_fen`].
            fn from_str(fen: &str) -> Result<Self, NotationError> {
                Position::from_fen(fen)
            }
        }

        /// Runs the generator for the side to move with the best instructions available.
        struct Generate<'a, const SELECT: u8, S> {
            pos: &'a Position,
            movers: Bitboard,
            sink: &'a mut S,
        }

        impl<const SELECT: u8, S: Sink<Move>> Task for Generate<'_, SELECT, S> {
            type Output = ();
            #[inline(always)]
            fn run<C: Cpu>(self, cpu: C) {
                use movegen::generate;
                let Generate { pos, movers, sink } = self;
                match pos.side() {
                    Side::First => generate::<$first, SELECT, C, S>(pos, &pos.pins, cpu, movers, sink),
                    Side::Second => generate::<Black, SELECT, C, S>(pos, &pos.pins, cpu, movers, sink),
                }
            }
        }

        impl Packable for Position {
            type Board = Board;
            type Packed = Packed;
            type Half = Half;
            type Bulk = perft::bulk::Bulk;

            fn pack(&self) -> Packed {
                Packed::new(self)
            }
            fn pack_after(board: &Board, m: Move) -> Packed {
                Packed::after(board, m)
            }
            fn unpack(packed: &Packed, side: Side) -> Board {
                packed.unpacked(side)
            }
            fn with_board(&self, board: &Board) -> Position {
                Position::with_board(self, *board)
            }
            fn resting(packed: &Packed, side: Side) -> Half {
                packed.resting(side)
            }
            fn join(half: &Half, rest: &Half, mover: Side) -> Packed {
                Packed::join(half, rest, mover)
            }
            #[inline(always)]
            fn hash_of_half(half: &Half, words: &HashWords) -> u64 {
                half.hash(words)
            }
            fn pieces(packed: &Packed, side: Side) -> usize {
                packed.pieces(side)
            }
            #[inline(always)]
            fn pieces_of_half(half: &Half) -> usize {
                half.pieces()
            }
            fn without(half: &Half, place: usize) -> Half {
                half.without_place(place)
            }
            fn list(packed: &Packed, side: Side, children: &mut Children<Position>) -> (Board, Half) {
                packed.list(side, children)
            }
        }

        impl Rules for Position {
            type Move = Move;

            #[inline(always)]
            fn side(&self) -> Side {
                self.board.side()
            }
            #[inline]
            fn make(&mut self, m: Move) {
                Position::make(self, m);
            }
            fn generate<const SELECT: u8, S: Sink<Move>>(&self, from: Option<usize>, sink: &mut S) {
                let square = |index: usize| Bitboard::of(Square::wrapping(index as u32));
                let movers = from.map_or(Bitboard::ALL, square);
                tables::dispatch(Generate::<SELECT, S> { pos: self, movers, sink });
            }
            #[inline]
            fn is_legal(&self, m: Move) -> bool {
                Position::is_legal(self, m)
            }
            fn perft(&self, depth: u32) -> u64 {
                perft::perft(self, depth, perft::fastest(depth))
            }
            fn perft_by(&self, depth: u32, kernel: Kernel) -> u64 {
                perft::perft(self, depth, kernel)
            }
            fn kernels() -> &'static [Kernel] {
                perft::kernels()
            }
        }

        impl Keyed for Position {
            #[inline]
            fn key(&self) -> u64 {
                Position::key(self)
            }
            #[inline]
            fn key_after(&self, m: Move) -> u64 {
                Position::key_after(self, m)
            }
        }

        impl Notation for Position {
            const START_FEN: &'static str = Position::START_FEN;

            fn read_fields(fen: &str, reader: &mut FenReader) -> Result<Self, NotationError> {
                notation::read_fen(fen, reader)
            }
            fn to_fen(&self) -> String {
                $write_fen(self)
            }
            fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
                Position::parse_move(self, text)
            }
            fn parse_coordinates(&self, text: &str) -> Result<Move, NotationError> {
                notation::read_move(self, text)
            }
            fn move_text(&self, m: Move) -> MoveText {
                Position::move_text(self, m)
            }
        }
    };
}
pub(crate) use contract;

/// Defines what the bare boards of both games have: their sets of pieces.
macro_rules! board_contract {
    () => {
        impl Board {
            /// The side to move.
            #[doc(alias = "side_to_move")]
            #[doc(alias = "turn")]
            #[inline(always)]
            pub const fn side(&self) -> Side {
                self.side
            }

            /// All pieces of a side.
            #[doc(alias = "colors")]
            #[inline(always)]
            pub const fn side_set(&self, side: Side) -> Bitboard {
                self.sides[side.index()]
            }

            /// All pieces of a kind, of both sides.
            #[inline(always)]
            pub const fn kind_set(&self, kind: Kind) -> Bitboard {
                self.kinds[kind.index()]
            }

            /// The pieces of one side and kind.
            #[inline(always)]
            pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
                self.side_set(side) & self.kind_set(kind)
            }

            /// All occupied squares.
            #[inline(always)]
            pub fn occupied(&self) -> Bitboard {
                self.sides[0] | self.sides[1]
            }

            /// The square of the king of `side`.
            #[inline(always)]
            pub fn king(&self, side: Side) -> Square {
                Square::wrapping(self.pieces(side, Kind::King).0.trailing_zeros())
            }

            /// The piece on `square`.
            #[doc(alias = "piece_at")]
            #[inline]
            pub fn piece_on(&self, square: Square) -> Option<(Side, Kind)> {
                let kind = Kind::ALL.into_iter().find(|&k| self.kind_set(k).contains(square))?;
                let side = if self.sides[0].contains(square) { Side::First } else { Side::Second };
                Some((side, kind))
            }
        }
    };
}
pub(crate) use board_contract;
