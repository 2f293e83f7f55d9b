//! The rules of xiangqi on a plain array, square by square: the oracle of the tests.
//!
//! It has its own FEN reader and shares no table, set or square type with the library.

/// Ten ranks of nine letters, rank 0 first; `.` is an empty square.
pub type Board = [[u8; 9]; 10];

/// A move from (file, rank) to (file, rank).
pub type Walked = ((i32, i32), (i32, i32));

/// Reads the board of a FEN and whether Red is to move.
pub fn read(fen: &str) -> (Board, bool) {
    let mut board = [[b'.'; 9]; 10];
    let mut fields = fen.split(' ');
    for (row, text) in fields.next().expect("a board").split('/').enumerate() {
        let mut file = 0;
        for letter in text.bytes() {
            if letter.is_ascii_digit() {
                file += usize::from(letter - b'0');
            } else {
                board[9 - row][file] = letter;
                file += 1;
            }
        }
    }
    (board, fields.next() == Some("w"))
}

fn at(board: &Board, file: i32, rank: i32) -> Option<u8> {
    ((0..9).contains(&file) && (0..10).contains(&rank)).then(|| board[rank as usize][file as usize])
}

fn in_palace(red: bool, file: i32, rank: i32) -> bool {
    (3..=5).contains(&file) && if red { (0..=2).contains(&rank) } else { (7..=9).contains(&rank) }
}

/// The targets of the piece on (file, rank), including squares of its own side's pieces. A cannon's quiet moves
/// and captures are both included.
pub fn reach(board: &Board, file: i32, rank: i32) -> Vec<(i32, i32)> {
    let letter = at(board, file, rank).expect("on the board");
    let red = letter.is_ascii_uppercase();
    let up = if red { 1 } else { -1 };
    let mut found = Vec::new();
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let diagonal = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    match letter.to_ascii_lowercase() {
        b'p' => {
            found.push((file, rank + up));
            let crossed = if red { rank > 4 } else { rank < 5 };
            if crossed {
                found.extend([(file - 1, rank), (file + 1, rank)]);
            }
        }
        b'n' => {
            for (df, dr) in straight {
                if at(board, file + df, rank + dr) == Some(b'.') {
                    for turn in [1, -1] {
                        found.push((file + 2 * df + turn * dr, rank + 2 * dr + turn * df));
                    }
                }
            }
        }
        b'b' => {
            for (df, dr) in diagonal {
                let to = (file + 2 * df, rank + 2 * dr);
                let home = if red { to.1 <= 4 } else { to.1 >= 5 };
                if home && at(board, file + df, rank + dr) == Some(b'.') {
                    found.push(to);
                }
            }
        }
        b'a' => found
            .extend(diagonal.map(|(df, dr)| (file + df, rank + dr)).into_iter().filter(|&(f, r)| in_palace(red, f, r))),
        b'k' => found
            .extend(straight.map(|(df, dr)| (file + df, rank + dr)).into_iter().filter(|&(f, r)| in_palace(red, f, r))),
        kind => {
            for (df, dr) in straight {
                let mut screens = 0;
                for n in 1..10 {
                    let to = (file + n * df, rank + n * dr);
                    let Some(there) = at(board, to.0, to.1) else { break };
                    let piece = there != b'.';
                    let goes = match (kind, screens) {
                        (b'r', 0) => true,
                        (b'c', 0) => !piece,
                        (b'c', 1) => piece,
                        _ => false,
                    };
                    if goes {
                        found.push(to);
                    }
                    screens += i32::from(piece);
                }
            }
        }
    }
    found.retain(|&(f, r)| at(board, f, r).is_some());
    found
}

fn pseudo(board: &Board, red: bool) -> Vec<Walked> {
    let mut moves = Vec::new();
    for rank in 0..10 {
        for file in 0..9 {
            let piece = board[rank as usize][file as usize];
            if piece == b'.' || piece.is_ascii_uppercase() != red {
                continue;
            }
            for to in reach(board, file, rank) {
                let there = board[to.1 as usize][to.0 as usize];
                if there == b'.' || there.is_ascii_uppercase() != red {
                    moves.push(((file, rank), to));
                }
            }
        }
    }
    moves
}

fn king(board: &Board, red: bool) -> (i32, i32) {
    let letter = if red { b'K' } else { b'k' };
    (0..90)
        .map(|i| (i % 9, i / 9))
        .find(|&(f, r)| board[r as usize][f as usize] == letter)
        .expect("both kings are on the board")
}

/// Whether a side's king can be captured or faces the other king.
pub fn in_check(board: &Board, red: bool) -> bool {
    let (at, other) = (king(board, red), king(board, !red));
    let facing =
        at.0 == other.0 && (at.1.min(other.1) + 1..at.1.max(other.1)).all(|r| board[r as usize][at.0 as usize] == b'.');
    facing || pseudo(board, !red).iter().any(|&(_, to)| to == at)
}

/// All legal moves: every pseudo-legal move is made, and its side must not be in check.
pub fn legal(board: &Board, red: bool) -> Vec<Walked> {
    let mut moves = pseudo(board, red);
    moves.retain(|&(from, to)| {
        let mut after = *board;
        after[to.1 as usize][to.0 as usize] = board[from.1 as usize][from.0 as usize];
        after[from.1 as usize][from.0 as usize] = b'.';
        !in_check(&after, red)
    });
    moves
}
