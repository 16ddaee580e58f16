//! Bits as bytes.

/// The bytes that spread the eight bits of a byte, the lowest first.
pub(crate) static SPREAD: [[u8; 8]; 256] = spread();

const fn spread() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[bits][bit] = (bits >> bit & 1 == 1) as u8;
            bit += 1;
        }
        bits += 1;
    }
    table
}
