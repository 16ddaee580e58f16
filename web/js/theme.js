// Runs before the first paint (a classic script in the head), so that a chosen theme never flashes.
(() => {
  let theme = 'auto';
  try {
    theme = JSON.parse(localStorage.getItem('convoy.settings') ?? '{}').theme ?? 'auto';
  } catch {
    // No storage, no choice.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = theme === 'auto' ? (dark ? 'dark' : 'light') : theme;
})();
