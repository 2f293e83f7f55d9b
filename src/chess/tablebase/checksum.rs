//! The checksum in the last sixteen bytes of a Syzygy file: CityHashCrc (Geoff Pike and Jyrki Alakuijala), 256 bits
//! for each 16 MiB chunk, then 128 bits of those, as Ronald de Man's generator writes it.
//!
//! It must never panic, whatever the length of the data.

/// The size of a chunk, which is hashed at a time.
const CHUNK: usize = 1 << 24;

// The multipliers of CityHash. Other values would not match the files.
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K2: u64 = 0x9ae1_6a3b_2f90_404f;
const K3: u64 = 0xc949_d7c7_509e_6557;
/// The multiplier that folds two words into one.
const K_FOLD: u64 = 0x9ddf_ea08_eb38_2d69;

/// The sixteen bytes that follow `text` in a file.
pub fn checksum(text: &[u8]) -> [u8; 16] {
    let sums: Vec<u8> = text.chunks(CHUNK).flat_map(crc256).flat_map(u64::to_le_bytes).collect();
    sum_of_sums(&sums)
}

/// The checksum of the sums of all chunks.
fn sum_of_sums(sums: &[u8]) -> [u8; 16] {
    let [low, high] = if sums.len() <= 900 {
        city128(sums)
    } else {
        let [.., c, d] = crc256(sums);
        [c, d]
    };
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}

/// The little-endian word at `at`. Bytes after the end count as zero.
fn word(text: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.len().min(8);
    bytes[..len].copy_from_slice(&rest[..len]);
    u64::from_le_bytes(bytes)
}

fn fold(low: u64, high: u64) -> u64 {
    let a = mix(low ^ high, 47, K_FOLD);
    mix(high ^ a, 47, K_FOLD).wrapping_mul(K_FOLD)
}

/// One multiply-and-shift step of `fold`, before the last multiplication.
fn mix(value: u64, shift: u32, by: u64) -> u64 {
    let product = value.wrapping_mul(by);
    product ^ product >> shift
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

/// CRC-32C (Castagnoli) of one byte, for every byte.
static CRC_TABLE: [[u32; 256]; 8] = {
    let mut table = [[0u32; 256]; 8];
    let mut i = 0;
    while i < 8 * 256 {
        let (slice, byte) = (i / 256, i % 256);
        let mut crc = if slice == 0 { byte as u32 } else { table[slice - 1][byte] };
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ ((crc & 1) * 0x82f6_3b78);
            bit += 1;
        }
        table[slice][byte] = crc;
        i += 1;
    }
    table
};

/// Updates a CRC with eight bytes, like the SSE 4.2 instruction.
fn crc64(crc: u64, data: u64) -> u64 {
    let bytes = (data ^ crc & 0xffff_ffff).to_le_bytes();
    let sum = bytes.iter().zip(CRC_TABLE.iter().rev()).fold(0, |sum, (&b, table)| sum ^ table[b as usize]);
    u64::from(sum)
}

/// The six rotating words and five CRCs of CityHashCrc256.
struct State {
    words: [u64; 6],
    crcs: [u64; 5],
}

impl State {
    /// Processes forty bytes.
    fn take(&mut self, text: &[u8], at: usize, multiplier: u64, twist: u32) {
        let [a, b, c, d, e, t] = self.words;
        let step = |value: u64, turn: u32, i: usize| {
            value.rotate_right(turn ^ twist).wrapping_mul(multiplier).wrapping_add(word(text, at + 8 * i))
        };
        self.words = [step(b, 41, 0), step(c, 27, 1), step(d, 41, 2), step(e, 33, 3), step(t, 25, 4), a];
        for (crc, &value) in self.crcs.iter_mut().zip(&self.words) {
            *crc = crc64(*crc, value);
        }
    }
}

fn crc256(text: &[u8]) -> [u64; 4] {
    if text.len() >= 240 {
        return crc256_long(text, 0);
    }
    let mut padded = [0; 240];
    padded[..text.len()].copy_from_slice(text);
    crc256_long(&padded, !(text.len() as u32))
}

/// CityHashCrc256 of at least 240 bytes.
fn crc256_long(text: &[u8], seed: u32) -> [u64; 4] {
    let (len, seed) = (text.len() as u64, u64::from(seed));
    let b = word(text, 96).wrapping_add(K0);
    let c = fold(b, len);
    let d = word(text, 120).wrapping_mul(K0).wrapping_add(len);
    let first = [c, d];
    let mut state = State {
        words: [word(text, 56).wrapping_add(K0), b, c, d, word(text, 184).wrapping_add(seed), c.wrapping_add(d)],
        crcs: [seed, 0, 0, 0, 0],
    };
    let whole = text.len() / 240 * 240;
    for at in (0..whole).step_by(80) {
        state.take(text, at, 1, 1);
        state.take(text, at + 40, K0, 0);
    }
    let mut at = whole;
    while text.len() - at >= 40 {
        state.take(text, at, K0, 0);
        at += 40;
    }
    if at < text.len() {
        state.take(text, text.len() - 40, K0, 0);
    }
    let [a, b, c, d, e, t] = state.words;
    let [f, g, h, i, j] = state.crcs;
    let j = j.wrapping_add(i << 32);
    let a = fold(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = fold(c, f).wrapping_add(i);
    let d = fold(d, e.wrapping_add(first[0]));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(fold(h, t));
    let e = fold(a, d).wrapping_add(j);
    let f = fold(b, c).wrapping_add(a);
    let g = fold(j, i).wrapping_add(c);
    let r0 = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let scramble = |a: u64| shift_mix(a.wrapping_mul(K0)).wrapping_mul(K0);
    let a = scramble(a.wrapping_add(g)).wrapping_add(b);
    let r1 = first[1].wrapping_add(a).wrapping_add(r0);
    let a = scramble(a).wrapping_add(c);
    let r2 = a.wrapping_add(r1);
    let a = scramble(a.wrapping_add(e));
    [r0, r1, r2, a.wrapping_add(r2)]
}

/// CityHash128 of data whose length is a multiple of 32 and at most 896: the checksums of up to 28 chunks.
fn city128(text: &[u8]) -> [u64; 2] {
    let seed = [word(text, 0) ^ K3, word(text, 8)];
    let rest = text.get(16..).unwrap_or_default();
    if rest.len() < 128 { murmur(rest, seed) } else { city128_long(rest, seed) }
}

/// The short form, for 16, 48, 80 or 112 bytes.
fn murmur(text: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let len = text.len();
    let (mut c, mut d);
    if len <= 16 {
        a = shift_mix(a.wrapping_mul(K1)).wrapping_mul(K1);
        let (low, high) = (word(text, 0), word(text, len.saturating_sub(8)));
        let short = if len == 16 { fold(low, high.wrapping_add(16).rotate_right(16)) ^ high } else { K2 };
        c = b.wrapping_mul(K1).wrapping_add(short);
        d = shift_mix(a.wrapping_add(if len >= 8 { low } else { c }));
    } else {
        c = fold(word(text, len - 8).wrapping_add(K1), a);
        d = fold(b.wrapping_add(len as u64), c.wrapping_add(word(text, len - 16)));
        a = a.wrapping_add(d);
        for at in (0..len - 16).step_by(16) {
            let part = |at| shift_mix(word(text, at).wrapping_mul(K1)).wrapping_mul(K1);
            a = (a ^ part(at)).wrapping_mul(K1);
            b ^= a;
            c = (c ^ part(at + 8)).wrapping_mul(K1);
            d ^= c;
        }
    }
    let (a, b) = (fold(a, c), fold(d, b));
    [a ^ b, fold(b, a)]
}

fn weak(words: [u64; 4], a: u64, b: u64) -> [u64; 2] {
    let [w, x, y, z] = words;
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let sum = a.wrapping_add(x).wrapping_add(y);
    [sum.wrapping_add(z), b.wrapping_add(sum.rotate_right(44)).wrapping_add(a)]
}

fn weak_at(text: &[u8], at: usize, a: u64, b: u64) -> [u64; 2] {
    weak([0, 8, 16, 24].map(|i| word(text, at + i)), a, b)
}

/// The long form, for 128 bytes or more.
fn city128_long(text: &[u8], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let at = |i: usize| word(text, i);
    let mul = u64::wrapping_mul;
    let mut z = mul(text.len() as u64, K1);
    let v0 = mul((y ^ K1).rotate_right(49), K1).wrapping_add(at(0));
    let mut v = [v0, mul(v0.rotate_right(42), K1).wrapping_add(at(8))];
    let mut w =
        [mul(y.wrapping_add(z).rotate_right(35), K1).wrapping_add(x), mul(x.wrapping_add(at(88)).rotate_right(53), K1)];
    let whole = text.len() / 128 * 128;
    for s in (0..whole).step_by(64) {
        x = mul(x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(at(s + 8)).rotate_right(37), K1);
        y = mul(y.wrapping_add(v[1]).wrapping_add(at(s + 48)).rotate_right(42), K1);
        x ^= w[1];
        y = y.wrapping_add(v[0]).wrapping_add(at(s + 40));
        z = mul(z.wrapping_add(w[0]).rotate_right(33), K1);
        v = weak_at(text, s, mul(v[1], K1), x.wrapping_add(w[0]));
        w = weak_at(text, s + 32, z.wrapping_add(w[1]), y.wrapping_add(at(s + 16)));
        (x, z) = (z, x);
    }
    x = x.wrapping_add(mul(v[0].wrapping_add(z).rotate_right(49), K0));
    z = z.wrapping_add(mul(w[0].rotate_right(37), K0));
    let mut done = 0;
    while done < text.len() - whole {
        done += 32;
        let s = text.len() - done;
        y = mul(x.wrapping_add(y).rotate_right(42), K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(at(s + 16));
        x = mul(x, K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(at(s));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak_at(text, s, v[0].wrapping_add(z), v[1]);
    }
    let x = fold(x, v[0]);
    let y = fold(y.wrapping_add(z), w[0]);
    [fold(x.wrapping_add(v[1]), w[1]).wrapping_add(y), fold(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc_has_the_published_check_value() {
        // CRC-32C of "123456789" is e3069283. The last byte is added by hand.
        let crc = crc64(0xffff_ffff, u64::from_le_bytes(*b"12345678")) as u32;
        let crc = crc >> 8 ^ CRC_TABLE[0][(crc as u8 ^ b'9') as usize];
        assert_eq!(!crc, 0xe306_9283);
    }

    #[test]
    fn any_length_has_a_checksum_that_detects_damage() {
        let text: Vec<u8> = (0..1000u32).map(|i| ((i * i) >> 3) as u8).collect();
        for len in 0..text.len() {
            let whole = checksum(&text[..len]);
            if len > 0 {
                let mut damaged = text[..len].to_vec();
                damaged[len * 7 % len.max(1)] ^= 0x10;
                damaged[len - 1] ^= 1;
                assert_ne!(checksum(&damaged), whole, "{len}");
            }
        }
    }

    #[test]
    fn the_sum_of_sums_has_three_forms() {
        // One chunk, several, and more than 28 run different code. None of them may panic.
        for chunks in [0, 1, 2, 3, 4, 5, 9, 28, 29] {
            let sums: Vec<u8> = (0..chunks).flat_map(|i| crc256(&[i; 300])).flat_map(u64::to_le_bytes).collect();
            assert_ne!(sum_of_sums(&sums), [0; 16], "{chunks}");
        }
    }
}
