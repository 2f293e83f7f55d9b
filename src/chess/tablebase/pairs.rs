//! Decompression: blocks of canonical Huffman codes, whose symbols stand for values or for pairs of symbols (recursive
//! pairing).
//!
//! `layout` reads a [`Code`] from a file's header, and `table` uses it. It trusts nothing: a code that no generator
//! writes is an error, a truncated block has no value, and every loop is bounded.

use super::cursor::Cursor;

/// The longest code word in bits. The window is 64 bits wide and starts inside a byte.
const LONGEST: usize = 32;
/// Marks a symbol that stands for a value, not for a pair.
const LEAF: u16 = 0xfff;
/// More values than any symbol stands for.
const MOST_VALUES: u32 = 1 << 16;

/// A symbol: a value, or a pair of symbols.
#[derive(Clone, Copy, Debug)]
struct Symbol {
    left: u16,
    right: u16,
    /// The number of values it stands for, at least 1.
    values: u32,
}

/// The code of one part of a table.
#[derive(Clone, Debug)]
pub(super) struct Code {
    shortest: usize,
    /// For each length, starting with the shortest: the first code word, left-aligned in 64 bits.
    first_words: Vec<u64>,
    /// The symbols of these words.
    first_symbols: Vec<u16>,
    symbols: Vec<Symbol>,
}

impl Code {
    /// Reads the lengths and symbols.
    ///
    /// # Errors
    /// If they are not a valid code, or if a symbol contains itself.
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Code, &'static str> {
        let longest = usize::from(cursor.u8()?);
        let shortest = usize::from(cursor.u8()?);
        if shortest == 0 || longest < shortest || longest > LONGEST {
            return Err("its code lengths are out of range");
        }
        let mut first_symbols = Vec::with_capacity(longest - shortest + 1);
        for _ in shortest..=longest {
            first_symbols.push(cursor.u16()?);
        }
        // Longer words have smaller numbers, so the shorter ones are computed from them.
        let mut first_words = vec![0u64; first_symbols.len()];
        for i in (0..first_words.len() - 1).rev() {
            let longer = u64::from(first_symbols[i]) + first_words[i + 1];
            let words = longer.checked_sub(u64::from(first_symbols[i + 1])).ok_or("its code words overlap")?;
            first_words[i] = words / 2;
        }
        for (i, word) in first_words.iter_mut().enumerate() {
            let length = (shortest + i) as u32;
            if *word >> length != 0 {
                return Err("its code words overlap");
            }
            *word <<= 64 - length;
        }
        let count = usize::from(cursor.u16()?);
        let mut symbols = Vec::with_capacity(count);
        for _ in 0..count {
            let [a, b, c] = *cursor.bytes(3)? else { return Err("it ends too early") };
            let left = u16::from(b & 15) << 8 | u16::from(a);
            let right = u16::from(c) << 4 | u16::from(b >> 4);
            symbols.push(Symbol { left, right, values: 0 });
        }
        if count % 2 == 1 {
            cursor.u8()?;
        }
        let mut code = Code { shortest, first_words, first_symbols, symbols };
        code.count_values()?;
        Ok(code)
    }

    /// Counts the values of every symbol without recursion, because the file determines the nesting depth: those of
    /// pairs whose parts are known, until no more are.
    fn count_values(&mut self) -> Result<(), &'static str> {
        let mut open = self.symbols.len();
        while open > 0 {
            let before = open;
            for at in 0..self.symbols.len() {
                let Symbol { left, right, values } = self.symbols[at];
                let of = |part: u16| self.symbols.get(usize::from(part)).map(|part| part.values);
                let values = match (right, of(left), of(right)) {
                    _ if values > 0 => continue,
                    (LEAF, ..) => 1,
                    (_, Some(0), Some(_)) | (_, Some(_), Some(0)) => continue,
                    (_, Some(left), Some(right)) => left + right,
                    _ => return Err("one of its symbols does not exist"),
                };
                if values > MOST_VALUES {
                    return Err("one of its symbols is too long");
                }
                self.symbols[at].values = values;
                open -= 1;
            }
            if open == before {
                return Err("one of its symbols contains itself");
            }
        }
        Ok(())
    }

    /// Value number `skip` of a block. `None` if the block ends before it.
    pub fn value(&self, block: &[u8], mut skip: u64) -> Option<u16> {
        let mut bit = 0;
        let mut at = loop {
            let window = window(block, bit)?;
            let i = self.first_words.iter().position(|&first| window >= first)?;
            let length = (self.shortest + i) as u32;
            let step = (window - self.first_words[i]) >> (64 - length);
            let symbol = u64::from(self.first_symbols[i]).checked_add(step)?;
            let at = usize::try_from(symbol).ok()?;
            let values = u64::from(self.symbols.get(at)?.values);
            if skip < values {
                break at;
            }
            skip -= values;
            bit += length as usize;
        };
        loop {
            let symbol = self.symbols.get(at)?;
            if symbol.right == LEAF {
                return Some(symbol.left);
            }
            let left = self.symbols.get(usize::from(symbol.left))?;
            if skip < u64::from(left.values) {
                at = usize::from(symbol.left);
            } else {
                skip -= u64::from(left.values);
                at = usize::from(symbol.right);
            }
        }
    }
}

/// The 64 bits from bit `bit` on, with zeros after the end of the block. `None` if `bit` is past the end.
fn window(block: &[u8], bit: usize) -> Option<u64> {
    let at = bit / 8;
    let rest = block.get(at..).filter(|rest| !rest.is_empty())?;
    let mut bytes = [0; 16];
    match rest.first_chunk::<16>() {
        Some(chunk) => bytes = *chunk,
        None => bytes[..rest.len()].copy_from_slice(rest),
    }
    Some((u128::from_be_bytes(bytes) << (bit % 8) >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of a code: longest and shortest length, first symbols, symbols.
    fn head(lengths: [u8; 2], first: &[u16], symbols: &[[u16; 2]]) -> Vec<u8> {
        let mut bytes = lengths.to_vec();
        for s in first.iter() {
            bytes.extend(s.to_le_bytes());
        }
        bytes.extend((symbols.len() as u16).to_le_bytes());
        for &[left, right] in symbols {
            bytes.extend([left as u8, (left >> 8 | (right & 15) << 4) as u8, (right >> 4) as u8]);
        }
        bytes.resize(bytes.len() + symbols.len() % 2, 0);
        bytes
    }

    fn code(lengths: [u8; 2], first: &[u16], symbols: &[[u16; 2]]) -> Result<Code, &'static str> {
        Code::read(&mut Cursor::new(&head(lengths, first, symbols)))
    }

    #[test]
    fn pairs_are_expanded() {
        // Symbol 2 is the pair (0, 1) with the code word 1. Symbols 0 and 1 are the values 7 and 9 with the words 00
        // and 01.
        let code = code([2, 1], &[2, 0], &[[7, LEAF], [9, LEAF], [0, 1]]).unwrap();
        let block = [0b1001_1000];
        let values: Vec<_> = (0..6).map(|i| code.value(&block, i).unwrap()).collect();
        // The words are 1, 00, 1, 1 and 00.
        assert_eq!(values, [7, 9, 7, 7, 9, 7]);
        assert_eq!(code.value(&[], 0), None);
        assert_eq!(code.value(&block, 1_000), None);
    }

    #[test]
    fn invalid_codes_are_rejected() {
        let leaf = [1, LEAF];
        for (lengths, first, symbols) in [
            ([1, 1], vec![0], vec![[0, 0]]),
            ([1, 1], vec![0], vec![[1, 1], [0, 0]]),
            ([1, 1], vec![0], vec![[5, 1], leaf]),
            ([1, 2], vec![], vec![leaf]),
            ([0, 0], vec![0], vec![leaf]),
            ([40, 39], vec![0, 0], vec![leaf]),
            ([2, 1], vec![0, 9], vec![leaf]),
        ] {
            assert!(code(lengths, &first, &symbols).is_err(), "{lengths:?} {symbols:?}");
        }
        let doubling: Vec<[u16; 2]> = (0..40).map(|i| if i == 0 { leaf } else { [i - 1, i - 1] }).collect();
        assert_eq!(code([1, 1], &[0], &doubling).unwrap_err(), "one of its symbols is too long");
    }

    #[test]
    fn truncated_headers_are_rejected() {
        let whole = head([2, 1], &[2, 0], &[[7, LEAF], [9, LEAF], [0, 1]]);
        assert!(Code::read(&mut Cursor::new(&whole)).is_ok());
        for len in 0..whole.len() {
            assert!(Code::read(&mut Cursor::new(&whole[..len])).is_err(), "{len}");
        }
    }
}
