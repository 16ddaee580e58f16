// What is wrong with where the parts of a whole page stand, whatever page it is: what reaches beyond the window, what is
// cut off, words over words, and controls that something lies over. Returns a list of faults in words. Runs inside the
// page under test.
((width) => {
  const faults = new Set();
  const root = document.querySelector('dialog[open]') ?? document.body;
  const name = (e) => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}${e.classList.length ? `.${[...e.classList].join('.')}` : ''} "${(e.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 30)}"`;
  // What only screen readers are told is clipped away.
  const clipped = new Map([[null, false]]);
  const isClipped = (e) => {
    if (!clipped.has(e)) clipped.set(e, getComputedStyle(e).clipPath !== 'none' || isClipped(e.parentElement));
    return clipped.get(e);
  };
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.skip, script, noscript, svg') && !isClipped(e);
  const all = [...root.querySelectorAll('*')].filter(shown);

  // A phone shows a page that is too wide at a smaller scale.
  if (document.documentElement.scrollWidth > width + 1) {
    const beyond = all.filter((e) => e.getBoundingClientRect().right > width + 1).map(name);
    faults.add(`scrolls sideways: ${document.documentElement.scrollWidth} of ${width}: ${beyond.slice(-3).join(' ')}`);
  }
  scrollTo(0, 0);

  const menu = [...document.querySelectorAll('.top nav a')].filter(shown).map((e) => Math.round(e.getBoundingClientRect().top));
  if (width >= 390 && new Set(menu).size > 1) faults.add('the menu takes more than a row');

  // Names may be shortened, and say so with an ellipsis; whatever else has words shows all of them.
  for (const e of all) {
    const { overflowX, overflowY, textOverflow, display } = getComputedStyle(e);
    if (display.startsWith('inline') && !e.matches('button, .button, select') || e.matches('.card, .card *, textarea, input, option')) continue;
    if (e.matches('select')) {
      const style = getComputedStyle(e);
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = style.font;
      const words = e.selectedOptions[0]?.text ?? '';
      // The arrow takes as much as the letters are high.
      const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
      const needs = pen.measureText(words).width;
      if (needs > room + 1) faults.add(`${e.id || e.name} shows ${Math.round(room)} of ${Math.round(needs)} of "${words}"`);
      continue;
    }
    const wide = e.scrollWidth > e.clientWidth + 1;
    if (wide && (overflowX === 'auto' || overflowX === 'scroll')) faults.add(`${name(e)} scrolls sideways: ${e.scrollWidth} of ${e.clientWidth}`);
    if (wide && (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis') faults.add(`${name(e)} is cut off: ${e.scrollWidth} of ${e.clientWidth}`);
    if (wide && overflowX === 'visible' && e.matches('button, .button, td, th, dd, dt, p, li, h1, h2, h3, label, summary')) faults.add(`${name(e)} is too narrow: ${e.scrollWidth} of ${e.clientWidth}`);
    if (e.scrollHeight > e.clientHeight + 2 && overflowY === 'hidden' && e.textContent?.trim()) faults.add(`${name(e)} is cut off: ${e.scrollHeight} of ${e.clientHeight}`);
  }

  // What is seen of an element: what no scroller around it hides.
  const seen = new Map([[null, { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 }]]);
  const within = (box, clip) => ({ left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top), right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom) });
  const windowOf = (e) => {
    if (seen.has(e)) return seen.get(e);
    const outer = windowOf(e.parentElement);
    const own = e !== document.body && e !== document.documentElement && getComputedStyle(e).overflowX !== 'visible' ? within(e.getBoundingClientRect(), outer) : outer;
    seen.set(e, own);
    return own;
  };
  const lines = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !e || !shown(e) || e.closest('.card, .toasts, option, .chips')) continue;
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) {
      const box = within(rect, windowOf(e));
      if (box.right - box.left > 2 && box.bottom - box.top > 4) lines.push({ ...box, e });
    }
  }
  lines.sort((a, b) => a.top - b.top);
  for (const [i, one] of lines.entries()) {
    for (let j = i + 1; j < lines.length && lines[j].top < one.bottom; j += 1) {
      const other = lines[j];
      if (other.e === one.e) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - other.top;
      // Lines that are set close may touch.
      if (wide > 2 && high > 6) faults.add(`${name(one.e)} and ${name(other.e)} overlap by ${Math.round(wide)} by ${Math.round(high)}`);
    }
  }

  for (const e of all) {
    if (!e.matches('a, button, input:not([type=hidden]), select, textarea, summary') || e.matches('.card')) continue;
    const style = getComputedStyle(e);
    if (style.pointerEvents === 'none') continue;
    e.scrollIntoView({ block: 'center', inline: 'nearest' });
    const box = e.getClientRects()[0];
    if (!box) continue;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!top) faults.add(`${name(e)} is out of reach at ${Math.round(box.left)}, ${Math.round(box.top)}`);
    else if (!e.contains(top) && !top.contains(e) && !top.closest('.toasts')) faults.add(`${name(e)} is covered by ${name(top)}`);
  }
  scrollTo(0, 0);
  return [...faults];
})(WIDTH)
