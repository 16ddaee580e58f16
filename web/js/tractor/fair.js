/**
 * The check of a shuffle, written anew from docs/fairness.md: SHA-256, ChaCha20, Fisher and Yates. It runs in the browser,
 * so that the server has no say in it.
 */
/** @type {number[]} */
const K = [];
/** @type {number[]} */
const H0 = [];
for (let n = 2; K.length < 64; n += 1) {
  let prime = true;
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
  if (!prime) continue;
  if (H0.length < 8) H0.push((Math.sqrt(n) % 1) * 2 ** 32 | 0);
  K.push((Math.cbrt(n) % 1) * 2 ** 32 | 0);
}

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function sha256(bytes) {
  const size = ((bytes.length + 8) >> 6) + 1 << 6;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(size - 4, bytes.length * 8);
  const h = [...H0];
  const w = new Int32Array(64);
  const rot = (/** @type {number} */ x, /** @type {number} */ n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < size; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = data.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const a = w[i - 15];
      const b = w[i - 2];
      w[i] = (w[i - 16] + (rot(a, 7) ^ rot(a, 18) ^ (a >>> 3)) + w[i - 7] + (rot(b, 17) ^ rot(b, 19) ^ (b >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, j] = h;
    for (let i = 0; i < 64; i += 1) {
      const t1 = (j + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const t2 = ((rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [j, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, j].forEach((x, i) => (h[i] = (h[i] + x) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  h.forEach((x, i) => out.setInt32(4 * i, x));
  return new Uint8Array(out.buffer);
}

/** The words of ChaCha20 with a nonce that begins with the round's number. @param {Uint8Array} key @param {number} round */
function* words(key, round) {
  const k = new DataView(key.buffer, key.byteOffset, 32);
  for (let block = 0; ; block += 1) {
    const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...Array.from({ length: 8 }, (_, i) => k.getUint32(4 * i, true)), block, round, 0, 0];
    const s = Uint32Array.from(start);
    const quarter = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d) => {
      const step = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z, /** @type {number} */ n) => {
        s[x] += s[y];
        const v = s[z] ^ s[x];
        s[z] = (v << n) | (v >>> (32 - n));
      };
      step(a, b, d, 16);
      step(c, d, b, 12);
      step(a, b, d, 8);
      step(c, d, b, 7);
    };
    for (let i = 0; i < 10; i += 1) {
      quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
      quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
    }
    for (let i = 0; i < 16; i += 1) yield (s[i] + start[i]) >>> 0;
  }
}

/** @param {Uint8Array} seed @param {number} round */
export function deckOf(seed, round) {
  const faces = [...'SHCD'].flatMap((suit) => [...'23456789TJQKA'].map((rank) => rank + suit)).concat('sj', 'bj');
  const cards = ['0', '1'].flatMap((copy) => faces.map((face) => face + copy));
  const stream = words(seed, round);
  const below = (/** @type {number} */ n) => {
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      const word = /** @type {number} */ (stream.next().value);
      if (word < limit) return word % n;
    }
  };
  for (let i = 107; i > 0; i -= 1) {
    const j = below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

/** @param {string} text @param {number} length */
export function unhex(text, length) {
  if (typeof text !== 'string' || !/^[0-9a-f]*$/.test(text) || text.length !== 2 * length) return null;
  return Uint8Array.from({ length }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {...(Uint8Array|number[])} parts */
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/**
 * Checks the file of a round: a list of what was looked at, and whether it held.
 * @param {any} proof
 * @returns {{key: string, ok: boolean}[]}
 */
export function checkProof(proof) {
  const [secret, salt] = [unhex(proof.secret, 32), unhex(proof.salt, 16)];
  const added = (proof.contributions ?? []).map((/** @type {string|null} */ text) => (text === null ? [0, ...new Uint8Array(16)] : [1, ...(unhex(text, 16) ?? [])]));
  const whole = Boolean(secret && salt && added.length === 4 && added.every((/** @type {number[]} */ part) => part.length === 17));
  if (!secret || !salt || !whole) return [{ key: 'digits', ok: false }];
  const number = Uint8Array.from([0, 8, 16, 24], (shift) => proof.number >>> shift);
  const seed = sha256(join(new TextEncoder().encode('convoy tractor deal 1\n'), secret, salt, number, added.flat()));
  const deck = deckOf(seed, proof.number);
  const lines = String(proof.record).trim().split('\n');
  const first = proof.number === 1 ? 0 : Number(lines.find((line) => line.startsWith('starter '))?.slice(8));
  const hands = [0, 1, 2, 3].map((seat) => deck.slice(0, 100).filter((_, place) => (first + place) % 4 === seat));
  return [
    { key: 'commitment', ok: hex(sha256(join(secret, salt))) === proof.commitment },
    { key: 'seed', ok: hex(seed) === proof.seed && lines.includes(`seed ${proof.seed}`) },
    { key: 'deck', ok: JSON.stringify(deck) === JSON.stringify(proof.deck) },
    { key: 'hands', ok: JSON.stringify(hands) === JSON.stringify(proof.hands) },
    { key: 'played', ok: playedFair(hands, deck.slice(100), lines) },
  ];
}

/** Every card that was buried or played came from the hand it was dealt to. @param {string[][]} hands @param {string[]} kitty @param {string[]} lines */
function playedFair(hands, kitty, lines) {
  const held = hands.map((hand) => new Set(hand));
  let down = new Set(kitty);
  for (const line of lines) {
    const [kind, seat, ...cards] = line.split(' > ')[0].split(' ').filter((word) => word !== '+');
    const own = held[Number(seat)];
    if (kind === 'bury') {
      for (const card of down) own.add(card);
      if (!cards.every((card) => own.delete(card))) return false;
      down = new Set(cards);
    } else if (kind === 'play' || kind === 'throw') {
      if (!cards.every((card) => own.has(card))) return false;
    }
  }
  return true;
}
