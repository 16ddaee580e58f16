/**
 * A connection to the server that heals itself. A ping that stays without an answer means that the connection is dead,
 * whatever the browser says of it; then attempts to reconnect run side by side until one of them opens, and the server
 * resumes after the last frame that was seen.
 */

/**
 * @typedef {object} Frame
 * @property {string} t
 * @property {number} [seq]
 * @property {any} d
 */

/** A silent server is asked after this time, and has this time to answer: a dead connection shows in less than 5 s. */
const PING = 2000;
const ANSWER = 2500;
/** The beat looks every so often. */
const BEAT = 250;
/** After this time at the latest a dead connection is called dead. */
export const NOTICED = PING + ANSWER + BEAT;
/** An attempt that has not opened after this time gets another one beside it; so many run at once. */
const ATTEMPT = 1500;
const ATTEMPTS = 3;
/** Pauses after attempts that were refused. */
const PAUSES = [250, 500, 1000, 2000, 4000];

export class Line {
  /**
   * @param {string} path
   * @param {{frame: (frame: Frame) => void, state: (online: boolean) => void, failed?: () => void, seq?: () => number|null}} on
   *     `failed` hears of every attempt to connect that comes to nothing
   */
  constructor(path, on) {
    this.path = path;
    this.on = on;
    /** The open connection. @type {WebSocket|null} */
    this.socket = null;
    /** Those that may open. @type {Set<WebSocket>} */
    this.attempts = new Set();
    this.tries = 0;
    this.number = 0;
    this.closed = false;
    /** When something was last heard, and since when a ping has waited for its answer. @type {number|null} */
    this.asked = null;
    this.heard = 0;
    addEventListener('online', () => this.hurry());
    addEventListener('offline', () => this.drop());
    addEventListener('pageshow', () => this.hurry());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.hurry();
    });
    setInterval(() => this.beat(), BEAT);
    this.attempt();
  }

  address() {
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    const seq = this.on.seq?.();
    if (seq != null) url.searchParams.set('seq', String(seq));
    return url;
  }

  /** Tries to connect, beside the attempts that hang. */
  attempt() {
    clearTimeout(this.timer);
    if (this.closed || this.isOpen) return;
    if (this.attempts.size === ATTEMPTS) this.abandon(/** @type {WebSocket} */ (this.attempts.values().next().value));
    const socket = new WebSocket(this.address());
    this.attempts.add(socket);
    socket.addEventListener('open', () => this.opened(socket));
    socket.addEventListener('message', (event) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      this.asked = null;
      const frame = JSON.parse(event.data);
      if (frame.t !== 'pong') this.on.frame(frame);
    });
    socket.addEventListener('close', () => this.lost(socket));
    this.timer = setTimeout(() => this.attempt(), ATTEMPT);
  }

  /** @param {WebSocket} socket */
  opened(socket) {
    if (!this.attempts.delete(socket)) return;
    for (const other of [...this.attempts]) this.abandon(other);
    clearTimeout(this.timer);
    this.socket = socket;
    this.tries = 0;
    this.heard = performance.now();
    this.asked = null;
    this.on.state(true);
  }

  /** @param {WebSocket} socket */
  abandon(socket) {
    this.attempts.delete(socket);
    socket.close();
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (socket === this.socket) {
      this.socket = null;
      this.on.state(false);
    } else if (!this.attempts.delete(socket)) return;
    if (this.attempts.size || this.closed) return;
    this.on.failed?.();
    clearTimeout(this.timer);
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.timer = setTimeout(() => this.attempt(), pause);
  }

  /** Gives the open connection up: nothing comes through it any more. */
  drop() {
    const { socket } = this;
    if (!socket) return;
    this.socket = null;
    socket.close();
    this.on.state(false);
    this.attempt();
  }

  /** Asks a silent server whether it is there, and does not wait for ever. */
  beat() {
    if (!this.isOpen) return;
    const now = performance.now();
    if (this.asked !== null) {
      if (now - this.asked > ANSWER) this.drop();
    } else if (now - this.heard >= PING) this.ping();
  }

  ping() {
    this.asked = performance.now();
    this.socket?.send(JSON.stringify({ t: 'ping', seq: 0, d: {} }));
  }

  /** There is reason to hope, or to doubt: tries again at once, or asks whether the connection still stands. */
  hurry() {
    if (this.closed) return;
    this.tries = 0;
    if (!this.isOpen) this.attempt();
    else if (this.asked === null) this.ping();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * @param {string} t @param {object} [d]
   * @returns {string|null} the id that a refusal will name, or null when there is no connection
   */
  send(t, d = {}) {
    if (!this.isOpen) return null;
    this.number += 1;
    const id = `c${this.number}`;
    this.socket?.send(JSON.stringify({ t, seq: this.on.seq?.() ?? 0, id, d }));
    return id;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    for (const other of [...this.attempts]) this.abandon(other);
    this.socket?.close();
  }
}
