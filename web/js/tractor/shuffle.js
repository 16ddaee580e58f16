/**
 * This browser's part in the shuffle: it commits to random bits, and reveals them once the roster that holds its hash is
 * fixed. docs/fairness.md has the bytes. SHA-256 is written out because `crypto.subtle` is missing on plain http.
 *
 * What it keeps, in this browser's storage, for a reload and for the check after the round:
 * `convoy.shuffle.TABLE.ROUND.ATTEMPT` the hashes it was shown, `convoy.bits.TABLE.ROUND.ATTEMPT.HASH` a seat and its bits.
 *
 * @typedef {{kind: 'person'|'bot'|'absent', hash?: string|null}} RosterSeat
 * @typedef {object} Shuffle what the server shows of the shuffle
 * @property {1|2} format
 * @property {number} number
 * @property {string} [commitment] in format 1
 * @property {number} attempt
 * @property {string} server
 * @property {boolean[]} committed
 * @property {string|null} yours
 * @property {string|null} roster
 * @property {RosterSeat[]|null} seats
 * @property {boolean[]} revealed
 * @typedef {object} Shown what this browser was shown, first of all
 * @property {number} at
 * @property {number} [seat] its own
 * @property {string} [server]
 * @property {string} [roster]
 * @property {string} [record]
 * @property {number[]} [failed] the seats that did not reveal
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

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));

/** The hash of a domain tag, padded to 24 bytes, and what follows it. @param {string} tag @param {...(Uint8Array|number[])} parts */
function tagged(tag, ...parts) {
  const padded = new Uint8Array(24);
  padded.set(new TextEncoder().encode(tag));
  return hex(sha256(Uint8Array.from([padded, ...parts].flatMap((part) => [...part]))));
}

/** @param {string} server @param {number} seat @param {string} bits */
export const seatHash = (server, seat, bits) => tagged('convoy tractor seat 2', unhex(server), [seat], unhex(bits));

/** @param {string} server @param {RosterSeat[]} seats */
export const rosterHash = (server, seats) =>
  tagged('convoy tractor roster 2', unhex(server), ...seats.flatMap(({ kind, hash }) => [[['absent', 'bot', 'person'].indexOf(kind)], hash ? unhex(hash) : new Uint8Array(32)]));

/**
 * More attempts than this are kept for so many milliseconds alone: a server that shows very many makes this browser forget
 * nothing that is still to be checked.
 */
const KEPT = 200;
const KEPT_FOR = 30 * 24 * 3600 * 1000;
const SHOWN = 'convoy.shuffle.';
const BITS = 'convoy.bits.';

/** What storage cannot hold, such as in a private window, is kept as long as the page. @type {Map<string, string>} */
const memory = new Map();

/** @param {string} name @returns {string|null} */
function read(name) {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/** @param {string} name @param {string} value */
function write(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // Full or closed to us: the page itself still remembers.
  }
}

/** All names in storage that begin so. @param {string} prefix */
function names(prefix) {
  const all = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i += 1) all.add(localStorage.key(i) ?? '');
  } catch {
    // Closed to us.
  }
  return [...all].filter((name) => name.startsWith(prefix));
}

/** Forgets old attempts. */
function prune() {
  const all = names(SHOWN);
  if (all.length <= KEPT) return;
  const at = (/** @type {string} */ name) => JSON.parse(read(name) ?? '{}').at ?? 0;
  const old = all.sort((a, b) => at(a) - at(b)).slice(0, all.length - KEPT);
  for (const name of old.filter((name) => at(name) < Date.now() - KEPT_FOR)) {
    for (const gone of [name, ...names(`${BITS}${name.slice(SHOWN.length)}.`)]) {
      memory.delete(gone);
      localStorage.removeItem(gone);
    }
  }
}

/** What this browser was shown of an attempt. @param {string} key @returns {Shown|null} */
export const shown = (key) => JSON.parse(read(SHOWN + key) ?? 'null');

/** The seats and bits that this browser committed in an attempt. @param {string} key @returns {{seat: number, bits: string}[]} */
export const keptBits = (key) =>
  names(`${BITS}${key}.`).map((name) => {
    const [seat, bits] = (read(name) ?? '').split(':');
    return { seat: Number(seat), bits };
  });

/**
 * Keeps what is shown, the first time; answers whether it is still the same. A server that shows something else later
 * is not followed.
 * @template {'server'|'roster'|'record'|'seat'|'failed'} K
 * @param {string} key @param {K} what @param {NonNullable<Shown[K]>} value
 */
function keep(key, what, value) {
  const known = shown(key) ?? { at: Date.now() };
  if (known[what] !== undefined) return known[what] === value;
  write(SHOWN + key, JSON.stringify({ ...known, [what]: value }));
  prune();
  return true;
}

/** The attempts of a round whose roster this browser was shown. @param {string} table @param {number} round */
export function keptAttempts(table, round) {
  const own = names(`${SHOWN}${table}.${round}.`).map((name) => name.slice(SHOWN.length));
  return own.filter((key) => shown(key)?.roster).map((key) => Number(key.split('.')[2])).sort((a, b) => a - b);
}

/** The seats that this browser saw fail to reveal at a table, in rounds before this one. @param {string} table @param {number} round */
export function failedBefore(table, round) {
  const own = names(`${SHOWN}${table}.`).map((name) => name.slice(SHOWN.length));
  return own.filter((key) => Number(key.split('.')[1]) < round).flatMap((key) => shown(key)?.failed ?? []);
}

/** @param {{id: string}} view @param {number} round @param {number} attempt */
export const keyOf = (view, round, attempt) => `${view.id}.${round}.${attempt}`;

/**
 * Commits and reveals when it is time; says what is wrong, if something is.
 * @param {{id: string, you: number|null, can: string[], shuffle: Shuffle|null, voids: {round: number, attempt: number, seats: number[]}[], rounds: {number: number, attempt: number|null, record: string|null}[]}} view
 * @param {(t: string, d: object) => void} send
 * @returns {'changed'|'again'|'lost'|'absent'|null}
 */
export function takePart(view, send) {
  const { shuffle, you } = view;
  if (you !== null) for (const { round, attempt, seats } of view.voids) keep(keyOf(view, round, attempt), 'failed', seats);
  for (const { number, attempt, record } of view.rounds) {
    const key = keyOf(view, number, attempt ?? 0);
    if (record && shown(key)) keep(key, 'record', record);
  }
  if (!shuffle || you === null || shuffle.format !== 2) return null;
  const { number, attempt, server } = shuffle;
  const key = keyOf(view, number, attempt);
  const isVoided = (/** @type {{round: number, attempt: number}} */ of) => of.round === number && of.attempt === attempt - 1;
  if (!keep(key, 'server', server) || (attempt > 1 && !view.voids.some(isVoided))) return 'changed';
  keep(key, 'seat', you);
  if (view.can.includes('commit')) {
    const bits = keptBits(key).find(({ seat }) => seat === you)?.bits ?? hex(crypto.getRandomValues(new Uint8Array(32)));
    const hash = seatHash(server, you, bits);
    write(`${BITS}${key}.${hash}`, `${you}:${bits}`);
    send('commit', { number, attempt, hash });
  }
  const { roster, seats } = shuffle;
  if (!roster || !seats) return null;
  if (rosterHash(server, seats) !== roster || !keep(key, 'roster', roster)) return 'changed';
  if (seats[you].kind === 'absent') return 'absent';
  if (!view.can.includes('reveal')) return null;
  if (failedBefore(view.id, number).some((seat) => seats[seat].kind === 'person')) return 'again';
  const own = seats[you].hash ?? '';
  const bits = read(`${BITS}${key}.${own}`)?.split(':')[1];
  if (!bits || seatHash(server, you, bits) !== own) return 'lost';
  send('reveal', { number, attempt, bits });
  return null;
}
