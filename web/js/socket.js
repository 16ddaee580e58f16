/**
 * A line to the server that heals itself: it reconnects with a growing pause, and resumes after the last frame it saw.
 */

/**
 * @typedef {object} Frame
 * @property {string} t
 * @property {number} [seq]
 * @property {any} d
 */

const PAUSES = [250, 500, 1000, 2000, 4000];

export class Line {
  /**
   * @param {string} path
   * @param {{frame: (frame: Frame) => void, state: (online: boolean) => void, seq?: () => number|null}} on
   */
  constructor(path, on) {
    this.path = path;
    this.on = on;
    this.tries = 0;
    this.number = 0;
    this.closed = false;
    addEventListener('online', () => this.hurry());
    addEventListener('offline', () => this.socket?.close());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.hurry();
    });
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    if (this.closed) return;
    const url = new URL(this.path, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    const seq = this.on.seq?.();
    if (seq != null) url.searchParams.set('seq', String(seq));
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.tries = 0;
      this.on.state(true);
    });
    socket.addEventListener('message', (event) => {
      if (socket === this.socket) this.on.frame(JSON.parse(event.data));
    });
    socket.addEventListener('close', () => {
      if (socket !== this.socket) return;
      this.on.state(false);
      const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] * (0.75 + Math.random() / 2);
      this.tries += 1;
      this.timer = setTimeout(() => this.open(), pause);
    });
  }

  /** Tries again at once when there is reason to hope. */
  hurry() {
    if (this.closed || !this.socket || this.socket.readyState < WebSocket.CLOSING) return;
    this.tries = 0;
    this.open();
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
    this.socket?.close();
  }
}
