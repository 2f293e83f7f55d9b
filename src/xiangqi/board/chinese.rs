//! Moves in Chinese: `炮二平五`.
//!
//! Four characters: the piece, its file, the direction (`进` forward, `退` back, `平` along the rank), and the number of
//! ranks or the file that it reaches. Files are counted from the mover's right, by Red with Chinese numerals, by Black
//! with Arabic ones. Of equal pieces on a file the first character says which one it is, before the piece: `前车退二`.
//!
//! | on the file | from the front |
//! |---|---|
//! | two | `前` `后` |
//! | three soldiers | `前` `中` `后` |
//! | four, five | `前` `二` `三` `四` (`五`) |
//! | soldiers in tandem on two files | the same, with the file in place of the piece: `前九平八` |
//!
//! This is how DhtmlXQ and the programs around it write. Advisors and elephants keep their file.
//!
//! Input is hostile: every text that is not a move here is a [`NotationError`].

use super::Board;
use super::standing::{Standing, movement};
use crate::game::text::fault::only_one;
use crate::game::{NotationError, Position, Side};
use crate::xiangqi::types::{Kind, Move};

/// The characters of each kind, in the order of [`Kind::ALL`]: what is written for Red and for Black, then the other
/// characters that are read.
const PIECES: [&str; 7] = ["兵卒", "马马馬傌", "相象", "仕士", "车车車俥", "炮炮砲包", "帅将帥將"];
/// From the front of a file.
const ORDER: [char; 5] = ['前', '二', '三', '四', '五'];
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Position<Board> {
    /// Writes the legal move `m` in Chinese, with simplified characters: `炮二平五`, and `马8进7` for Black.
    /// [`Position::parse_move`] reads it, in traditional characters and with the numerals of either side too.
    ///
    /// The text of a move that is not legal here has no meaning.
    ///
    /// ```
    /// use tabiya::xiangqi::Position;
    ///
    /// let start = Position::default();
    /// assert_eq!(start.chinese(start.parse_move("h2e2")?), "炮二平五");
    /// for text in ["炮二平五", "砲二平五", "炮2平5", "炮２平５"] {
    ///     assert_eq!(start.parse_move(text)?.to_string(), "h2e2");
    /// }
    /// # Ok::<(), tabiya::game::NotationError>(())
    /// ```
    #[must_use]
    pub fn chinese(&self, m: Move) -> String {
        let standing = Standing::of(self, m);
        let side = self.side();
        // The numbers of a move that is not legal may be any.
        let numeral = |number: u8| match (side, number.clamp(1, 9)) {
            (Side::First, number) => NUMERALS[usize::from(number - 1)],
            (Side::Second, number) => char::from(b'0' + number),
        };
        let piece = PIECES[standing.kind.index()].chars().nth(side.index()).expect("two sides");
        let [sign, number] = movement(self, m, standing.kind);
        let direction = match sign {
            b'+' => '进',
            b'-' => '退',
            _ => '平',
        };
        let keeps_file = matches!(standing.kind, Kind::Advisor | Kind::Elephant);
        let file = numeral(standing.file);
        let [first, second] = match order(&standing).filter(|_| !keeps_file) {
            Some(order) if standing.two_files => [order, file],
            Some(order) => [order, piece],
            None => [piece, file],
        };
        [first, second, direction, numeral(number.saturating_sub(b'0'))].into_iter().collect()
    }
}

/// The character that tells the piece from the equal ones on its file.
fn order(standing: &Standing) -> Option<char> {
    match (standing.count, standing.index) {
        (..2, _) => None,
        (3, 1) => Some('中'),
        (2 | 3, index) if index + 1 == standing.count => Some('后'),
        (_, index) => ORDER.get(index as usize).copied(),
    }
}

/// The number of equal pieces in front of the one that `c` means, of `count`.
fn index(c: char, count: u32) -> Option<u32> {
    let index = match c {
        '前' | '一' => 0,
        '中' if count == 3 => 1,
        '后' | '後' => count.checked_sub(1)?,
        _ => 1 + ORDER[1..].iter().position(|&other| other == c)? as u32,
    };
    (index < count).then_some(index)
}

/// The kind of piece that a character means, of either side.
fn kind_of(c: char) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| PIECES[kind.index()].contains(c))
}

/// A number from 1 to 9: Chinese, Arabic, or Arabic at the width of a Chinese character.
fn number(c: char) -> Option<u8> {
    let arabic = match c {
        '１'..='９' => c as u32 - '０' as u32,
        _ => c.to_digit(10)?,
    };
    (arabic > 0).then_some(arabic as u8)
}

/// Whether a text is meant as a move in Chinese.
pub(in crate::xiangqi) fn is_chinese(text: &str) -> bool {
    text.contains(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// Reads a legal move.
pub(in crate::xiangqi) fn read(pos: &Position<Board>, text: &str) -> Result<Move, NotationError> {
    let no_move = "is not a move; expected one such as 炮二平五, 马8进7 or 前车退二";
    let no_move = || NotationError::of_move(text, no_move);
    let number = |c: char| {
        let numeral = NUMERALS.iter().position(|&numeral| numeral == c);
        numeral.map(|at| at as u8 + 1).or_else(|| number(c))
    };
    // No move is longer; one more shows that a text is.
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).take(6).collect();
    let [ref piece @ .., direction, reached] = letters[..] else { return Err(no_move()) };
    let sign = match direction {
        '进' | '進' | '上' => b'+',
        '退' | '下' => b'-',
        '平' => b'=',
        _ => return Err(no_move()),
    };
    let (order, kind, file) = match *piece {
        [first, second] => match (kind_of(first), kind_of(second)) {
            (Some(kind), None) => (None, kind, Some(number(second).ok_or_else(no_move)?)),
            (None, Some(kind)) => (Some(first), kind, None),
            // The file in place of the piece: a soldier.
            (None, None) => (Some(first), Kind::Soldier, Some(number(second).ok_or_else(no_move)?)),
            _ => return Err(no_move()),
        },
        [first, second, third] => {
            let kind = kind_of(second).ok_or_else(no_move)?;
            (Some(first), kind, Some(number(third).ok_or_else(no_move)?))
        }
        _ => return Err(no_move()),
    };
    if order.is_some_and(|c| index(c, 5).or(index(c, 3)).is_none()) {
        return Err(no_move());
    }
    let wanted = [sign, b'0' + number(reached).ok_or_else(no_move)?];
    let is_meant = |m: &Move| {
        let standing = Standing::of(pos, *m);
        standing.kind == kind
            && file.is_none_or(|file| file == standing.file)
            && order.is_none_or(|c| standing.count > 1 && index(c, standing.count) == Some(standing.index))
            && movement(pos, *m, kind) == wanted
    };
    let found: Vec<Move> = pos.legal_moves().into_iter().filter(is_meant).collect();
    only_one(text, &found, |m| pos.chinese(m))
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
        let games = (0..sample(10, 20)).map(|game| position(starts[game % starts.len()]));
        games.flat_map(|start| random_play::positions(start, 120, rng)).collect()
    }

    fn replaced(text: &str, pairs: &[(char, char)]) -> String {
        let other = |c| pairs.iter().find(|pair| pair.0 == c).map_or(c, |pair| pair.1);
        text.chars().map(other).collect()
    }

    #[test]
    fn every_move_is_read_back_in_every_form_and_no_two_share_a_text() {
        let traditional =
            [('马', '馬'), ('车', '車'), ('炮', '砲'), ('帅', '帥'), ('将', '將'), ('进', '進'), ('后', '後')];
        // The names of Red's and Black's pieces exchanged, and other characters.
        let mixed = [
            ('兵', '卒'),
            ('卒', '兵'),
            ('相', '象'),
            ('象', '相'),
            ('仕', '士'),
            ('士', '仕'),
            ('马', '傌'),
            ('车', '俥'),
            ('炮', '包'),
            ('进', '上'),
            ('退', '下'),
        ];
        let mut rng = SplitMix64::new(0x5eed_c0de);
        let (mut positions, mut tandems) = (0, 0);
        for pos in random_positions(&mut rng) {
            let mut texts = HashSet::new();
            for m in pos.legal_moves() {
                let text = pos.chinese(m);
                // Numerals behind the first character, which may be one that counts soldiers.
                let first = text.chars().next().unwrap();
                let rest: String = text.chars().skip(1).collect();
                let with = |numeral: fn(u8) -> char| {
                    let digit = |c: char| {
                        let chinese = NUMERALS.iter().position(|&n| n == c).map(|at| at as u8 + 1);
                        let value = chinese.or(c.to_digit(10).map(|digit| digit as u8));
                        value.map_or(c, numeral)
                    };
                    format!("{first}{}", rest.chars().map(digit).collect::<String>())
                };
                for form in [
                    text.clone(),
                    replaced(&text, &traditional),
                    replaced(&text, &mixed),
                    with(|number| char::from(b'0' + number)),
                    with(|number| NUMERALS[usize::from(number - 1)]),
                    with(|number| char::from_u32('０' as u32 + u32::from(number)).unwrap()),
                    format!(" {text}\u{3000}"),
                ] {
                    assert!(is_chinese(&form), "{form}");
                    assert_eq!(pos.parse_move(&form), Ok(m), "{pos:?} {form}");
                }
                let standing = Standing::of(&pos, m);
                if standing.count > 1 {
                    tandems += 1;
                    // With everything that can be said.
                    let piece = PIECES[standing.kind.index()].chars().next().unwrap();
                    let long: String = text.chars().skip(2).collect();
                    let order = order(&standing).unwrap();
                    let long = format!("{order}{piece}{}{long}", standing.file);
                    assert_eq!(pos.parse_move(&long), Ok(m), "{pos:?} {long}");
                }
                assert!(texts.insert(text), "{pos:?}");
            }
            positions += 1;
        }
        assert!(
            positions > sample(750, 1_500) && tandems > sample(500, 1_000),
            "{positions} positions, {tandems} in tandem"
        );
    }

    #[test]
    fn a_known_opening() {
        let game = "炮二平五 炮8平5 马二进三 马8进7 车一平二 车9进1 车二进六 车9平4 马八进七 马2进3 兵七进一 车1进1 \
                    仕四进五 卒3进1 相七进九 车1平3";
        let coordinates = "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h6 i8d8 b0c2 b9c7 c3c4 a9a8 f0e1 c6c5 c0a2 a8c8";
        let mut pos = Position::default();
        for (text, coordinates) in game.split_whitespace().zip(coordinates.split(' ')) {
            let m = pos.parse_move(text).unwrap();
            assert_eq!((pos.chinese(m).as_str(), pos.move_text(m).as_str()), (text, coordinates));
            pos.make(m);
        }
    }

    #[test]
    fn pieces_in_tandem() {
        let two = "3k5/9/9/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        let three = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        let four = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1";
        let five = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1";
        let two_files = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/5K3 w - - 0 1";
        let chariots = "3k5/9/R8/9/9/9/9/9/9/R4K3 w - - 0 1";
        let horses = "3k5/9/9/9/2n6/9/2n6/9/9/5K3 b - - 0 1";
        let elephants = "5k3/9/9/9/9/2B6/9/9/9/2BK5 w - - 0 1";
        for (fen, coordinates, text, also) in [
            (two, "e6d6", "前兵平六", "一兵平六 前五平六 前兵五平六"),
            (two, "e5d5", "后兵平六", "後兵平6 二兵平六"),
            (three, "e7d7", "前兵平六", "一兵平六"),
            (three, "e6d6", "中兵平六", "二兵平六"),
            (three, "e5d5", "后兵平六", "三兵平六"),
            (four, "e8d8", "前兵平六", ""),
            (four, "e7d7", "二兵平六", ""),
            (four, "e6d6", "三兵平六", ""),
            (four, "e5d5", "四兵平六", "后兵平六"),
            (five, "e6d6", "三兵平六", ""),
            (five, "e8e9", "前兵进一", "一兵进一"),
            (two_files, "c7b7", "前七平八", "前兵七平八 前7平8"),
            (two_files, "c6b6", "中七平八", "二七平八 中兵平八"),
            (two_files, "g6f6", "前三平四", "前兵三平四"),
            (two_files, "g5f5", "后三平四", ""),
            (chariots, "a7a2", "前车退五", "前車退5 车九退五"),
            (chariots, "a0a3", "后车进三", "车九进三"),
            (horses, "c5d3", "后马进4", "后马进四"),
            (horses, "c3d5", "前马退4", ""),
            (elephants, "c4e2", "相七退五", "前相退五"),
        ] {
            let pos = position(fen);
            let m = pos.parse_move(coordinates).unwrap();
            assert_eq!(pos.chinese(m), text, "{fen} {coordinates}");
            for text in also.split_whitespace() {
                assert_eq!(pos.parse_move(text), Ok(m), "{fen} {text}");
            }
        }
    }

    #[test]
    fn refused_texts_say_what_is_wrong() {
        let no_move = "is not a move; expected one such as 炮二平五, 马8进7 or 前车退二";
        let illegal = "is not legal in this position";
        let two_files = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/5K3 w - - 0 1";
        let chariots = "3k5/9/R8/9/9/9/9/9/9/R4K3 w - - 0 1";
        for (fen, text, reason) in [
            (Position::START_FEN, "炮", no_move),
            (Position::START_FEN, "炮二平", no_move),
            (Position::START_FEN, "炮二平五六七", no_move),
            (Position::START_FEN, "炮零平五", no_move),
            (Position::START_FEN, "炮0平五", no_move),
            (Position::START_FEN, "炮炮平五", no_move),
            (Position::START_FEN, "马炮平五", no_move),
            (Position::START_FEN, "炮二走五", no_move),
            (Position::START_FEN, "左炮平五", no_move),
            (Position::START_FEN, "炮二平二", illegal),
            (Position::START_FEN, "前炮平五", illegal),
            (Position::START_FEN, "炮五平二", illegal),
            (two_files, "前兵进一", "is ambiguous: 前三进一 or 前七进一"),
            (chariots, "车九平八", "is ambiguous: 后车平八 or 前车平八"),
        ] {
            let error = position(fen).parse_move(text).unwrap_err();
            assert_eq!(error.field, "move");
            assert_eq!(error.reason, format!("{text:?} {reason}"), "{fen}");
        }
        let error = Position::default().parse_move(&"炮".repeat(1 << 20)).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }

    #[test]
    fn a_move_that_is_not_legal_is_written_without_a_panic() {
        for m in (0..=u16::MAX).map(Move::from_raw) {
            assert_eq!(Position::default().chinese(m).chars().count(), 4);
        }
    }
}
