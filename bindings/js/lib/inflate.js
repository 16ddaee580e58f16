// A synchronous inflate: browsers have none, and everything must work right after a static import.

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
  2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
  13];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A table from the next 15 bits to a symbol and the length of its code: `symbol << 4 | length`. */
function codeTable(lengths) {
  const table = new Uint16Array(1 << 15);
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let index = reversed; index < 1 << 15; index += 1 << length) table[index] = (symbol << 4) | length;
      code++;
    }
    code <<= 1;
  }
  return table;
}

function fixedTables() {
  const lengths = new Uint8Array(288);
  lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return [codeTable(lengths), codeTable(new Uint8Array(30).fill(5))];
}

/** Inflates raw deflate data whose inflated length is known. */
export function inflate(data, length) {
  const out = new Uint8Array(length);
  let at = 0;
  let place = 0;
  let held = 0;
  let bits = 0;

  const need = (count) => {
    while (bits < count) {
      held |= data[at++] << bits;
      bits += 8;
    }
  };
  const take = (count) => {
    need(count);
    const value = held & ((1 << count) - 1);
    held >>>= count;
    bits -= count;
    return value;
  };
  const symbol = (table) => {
    need(15);
    const entry = table[held & 0x7fff];
    held >>>= entry & 15;
    bits -= entry & 15;
    return entry >> 4;
  };

  const dynamicTables = () => {
    const literals = take(5) + 257;
    const distances = take(5) + 1;
    const codes = take(4) + 4;
    const lengths = new Uint8Array(literals + distances);
    const codeLengths = new Uint8Array(19);
    for (let i = 0; i < codes; i++) codeLengths[CODE_ORDER[i]] = take(3);
    const table = codeTable(codeLengths);
    for (let i = 0; i < lengths.length;) {
      const code = symbol(table);
      if (code < 16) {
        lengths[i++] = code;
        continue;
      }
      const repeated = code === 16 ? lengths[i - 1] : 0;
      const times = code === 16 ? take(2) + 3 : code === 17 ? take(3) + 3 : take(7) + 11;
      lengths.fill(repeated, i, i + times);
      i += times;
    }
    return [codeTable(lengths.subarray(0, literals)), codeTable(lengths.subarray(literals))];
  };

  const copyStored = () => {
    at -= bits >> 3;
    held = 0;
    bits = 0;
    const size = data[at] | (data[at + 1] << 8);
    out.set(data.subarray(at + 4, at + 4 + size), place);
    at += 4 + size;
    place += size;
  };

  for (let last = 0; !last;) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) {
      copyStored();
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedTables() : dynamicTables();
    for (;;) {
      const code = symbol(literals);
      if (code < 256) {
        out[place++] = code;
        continue;
      }
      if (code === 256) break;
      const count = LENGTH_BASE[code - 257] + take(LENGTH_BITS[code - 257]);
      const back = symbol(distances);
      const from = place - DISTANCE_BASE[back] - take(DISTANCE_BITS[back]);
      for (let i = 0; i < count; i++) out[place++] = out[from + i];
    }
  }
  return out;
}

/** The bytes of a base64 text. */
export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
