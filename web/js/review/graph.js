/** The graph of red's chance of winning over the turns of a game. */

const SVG = 'http://www.w3.org/2000/svg';

/** A part of a drawing. @param {string} name @param {Record<string, string>} attributes */
export function shape(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

export class Graph {
  /**
   * @param {HTMLElement} host
   * @param {{chances: number[], marked: {ply: number, judgement: string}[]}} game
   * @param {(ply: number) => void} go
   */
  constructor(host, { chances, marked }, go) {
    this.width = Math.max(1, chances.length - 1);
    const x = (/** @type {number} */ ply) => String((1000 * ply) / this.width);
    const y = (/** @type {number} */ ply) => String(200 * (1 - chances[ply]));
    const points = chances.map((_, ply) => `${x(ply)},${y(ply)}`).join(' ');
    this.now = shape('line', { class: 'now', x1: '0', x2: '0', y1: '0', y2: '200' });
    const svg = shape('svg', { viewBox: '0 0 1000 200', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    svg.append(
      shape('polygon', { class: 'red', points: `0,200 ${points} 1000,200` }),
      shape('line', { class: 'even', x1: '0', x2: '1000', y1: '100', y2: '100' }),
      shape('polyline', { class: 'curve', points }),
      this.now,
    );
    // Round whatever the width of the graph: the dots are no part of the stretched picture.
    const dots = marked.map(({ ply, judgement }) => {
      const dot = document.createElement('span');
      dot.className = `mark ${judgement}`;
      dot.style.insetInlineStart = `${(100 * ply) / this.width}%`;
      dot.style.top = `${100 * (1 - chances[ply])}%`;
      return dot;
    });
    host.replaceChildren(svg, ...dots);
    host.addEventListener('click', (event) => {
      const { left, width } = host.getBoundingClientRect();
      go(Math.round((this.width * (event.clientX - left)) / width));
    });
  }

  /** @param {number} ply */
  show(ply) {
    for (const end of ['x1', 'x2']) this.now.setAttribute(end, String((1000 * ply) / this.width));
  }
}
