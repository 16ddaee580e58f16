// Runs before the first paint (a classic script in the head), so that a chosen theme never flashes, nor a board that the
// server has drawn with other pieces, colours or coordinates than were chosen.
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem('convoy.settings') ?? '{}');
  } catch {
    // No storage, no choice.
  }
  const { theme = 'auto', pieces = 'art', board = 'map', coords = true } = /** @type {Partial<import('./settings.js').Settings>} */ (chosen);
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const { dataset } = document.documentElement;
  dataset.theme = theme === 'auto' ? (dark ? 'dark' : 'light') : theme;
  dataset.pieces = pieces;
  dataset.board = board;
  dataset.coords = String(coords);
})();
