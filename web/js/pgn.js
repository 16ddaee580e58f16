/**
 * Texts of one or many games. Reading and writing is the server's; here a text is cut into its games, so that a long
 * file is read game by game.
 * @typedef {{text: string, line: number, name: string}} Piece one game of a text, and the line before it
 */

/** What a line has besides comments, and whether a comment goes on after it. @param {string} line @param {boolean} inside */
function bare(line, inside) {
  let words = '';
  for (let at = 0; at < line.length; ) {
    const end = inside ? line.indexOf('}', at) : at + line.slice(at).search(/[{;]|$/);
    if (end < 0) break;
    if (!inside) words += line.slice(at, end);
    if (line[end] === ';') break;
    inside = line[end] === '{';
    at = end + 1;
  }
  return { words, inside };
}

/** Cuts a text at every tag that follows moves. @param {string} text @returns {Piece[]} */
export function cut(text) {
  // Files that were joined have such a mark before each.
  const lines = text.replace(/^\uFEFF/gm, '').split('\n');
  /** @type {Piece[]} */
  const pieces = [];
  let begun = 0;
  let moves = false;
  let inside = false;
  const end = (/** @type {number} */ at) => {
    const piece = lines.slice(begun, at).join('\n');
    if (piece.trim()) pieces.push({ text: piece, line: begun, name: nameOf(piece) });
    begun = at;
    moves = false;
  };
  lines.forEach((line, at) => {
    if (/^\[[A-Za-z0-9]/.test(line)) {
      if (moves) end(at);
      inside = false;
    } else if (inside || !line.startsWith('%')) {
      const rest = bare(line, inside);
      inside = rest.inside;
      moves ||= Boolean(rest.words.trim());
    }
  });
  end(lines.length);
  return pieces;
}

/** Who played, when, and how it ended. @param {string} text */
function nameOf(text) {
  const tag = (/** @type {string} */ name) => {
    const value = new RegExp(`^\\[${name} +"((?:[^"\\\\]|\\\\.)*)"`, 'm').exec(text)?.[1].replace(/\\(.)/g, '$1') ?? '';
    return /^[?.]*$/.test(value) ? '' : value;
  };
  const players = `${tag('Red') || '?'} – ${tag('Blue') || '?'}`;
  return [players, tag('Event'), tag('Date'), tag('Result')].filter(Boolean).join(', ');
}
