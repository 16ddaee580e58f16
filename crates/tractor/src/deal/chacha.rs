//! The block function of ChaCha20 (RFC 8439, section 2.3), and its key stream as words.
//!
//! Forty lines of additions, rotations and exclusive ors: less to trust than a dependency, and the
//! tests below hold it against the vectors of the RFC.

/// "expand 32-byte k" as four little-endian words.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// One block of 64 bytes, as sixteen words.
pub(super) fn block(key: &[u32; 8], counter: u32, nonce: [u32; 3]) -> [u32; 16] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&CONSTANTS);
    start[4..12].copy_from_slice(key);
    start[12] = counter;
    start[13..].copy_from_slice(&nonce);
    let mut state = start;
    for _ in 0..10 {
        quarter_round(&mut state, 0, 4, 8, 12);
        quarter_round(&mut state, 1, 5, 9, 13);
        quarter_round(&mut state, 2, 6, 10, 14);
        quarter_round(&mut state, 3, 7, 11, 15);
        quarter_round(&mut state, 0, 5, 10, 15);
        quarter_round(&mut state, 1, 6, 11, 12);
        quarter_round(&mut state, 2, 7, 8, 13);
        quarter_round(&mut state, 3, 4, 9, 14);
    }
    core::array::from_fn(|i| state[i].wrapping_add(start[i]))
}

fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(12);
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(8);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(7);
}

/// The words of the key stream, block after block from counter 0.
#[derive(Debug)]
pub(super) struct Words {
    key: [u32; 8],
    nonce: [u32; 3],
    counter: u32,
    block: [u32; 16],
    used: usize,
}

impl Words {
    pub(super) fn new(key: &[u8; 32], nonce: [u32; 3]) -> Self {
        let word = |i: usize| {
            u32::from_le_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]])
        };
        Self {
            key: core::array::from_fn(word),
            nonce,
            counter: 0,
            block: [0; 16],
            used: 16,
        }
    }
}

impl Iterator for Words {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.used == 16 {
            self.block = block(&self.key, self.counter, self.nonce);
            self.counter = self.counter.checked_add(1)?;
            self.used = 0;
        }
        self.used += 1;
        Some(self.block[self.used - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        digits
            .chunks(2)
            .map(|two| u8::from_str_radix(core::str::from_utf8(two).unwrap(), 16).unwrap())
            .collect()
    }

    #[test]
    fn a_block_is_that_of_rfc_8439_section_2_3_2() {
        let key: [u8; 32] = core::array::from_fn(|i| u8::try_from(i).unwrap());
        let words = Words::new(&key, [0x0900_0000, 0x4a00_0000, 0]);
        let expected = hex(
            "10 f1 e7 e4 d1 3b 59 15 50 0f dd 1f a3 20 71 c4 c7 d1 f4 c7 33 c0 68 03 04 22 aa 9a c3 d4 6c 4e
             d2 82 64 46 07 9f aa 09 14 c2 d7 05 d9 8b 02 a2 b5 12 9c d1 de 16 4e b9 cb d0 83 e8 a2 50 3c 4e",
        );
        assert_eq!(bytes(&block(&words.key, 1, words.nonce)), expected);
    }

    #[test]
    fn the_stream_of_the_zero_key_is_that_of_rfc_8439_appendix_a_1() {
        let words: Vec<u32> = Words::new(&[0; 32], [0; 3]).take(32).collect();
        let expected = hex(
            "76 b8 e0 ad a0 f1 3d 90 40 5d 6a e5 53 86 bd 28 bd d2 19 b8 a0 8d ed 1a a8 36 ef cc 8b 77 0d c7
             da 41 59 7c 51 57 48 8d 77 24 e0 3f b8 d8 4a 37 6a 43 b8 f4 15 18 a1 1c c3 87 b6 69 b2 ee 65 86
             9f 07 e7 be 55 51 38 7a 98 ba 97 7c 73 2d 08 0d cb 0f 29 a0 48 e3 65 69 12 c6 53 3e 32 ee 7a ed
             29 b7 21 76 9c e6 4e 43 d5 71 33 b0 74 d8 39 d5 31 ed 1f 28 51 0a fb 45 ac e1 0a 1f 4b 79 4d 6f",
        );
        assert_eq!(bytes(&words), expected);
    }
}
