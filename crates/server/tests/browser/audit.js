// Finds what keeps people out of a page: unnamed controls, pale text, small targets, broken references.
// Returns a list of faults in words. Runs inside the page under test.
(() => {
  const faults = [];
  const shown = (e) => {
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    return style.visibility !== 'hidden' && style.display !== 'none' && box.width > 1 && box.height > 1 && !e.closest('[hidden], .sr, .skip, [aria-hidden="true"]') && e.checkVisibility();
  };
  const path = (e) => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}${e.classList.length ? `.${[...e.classList].join('.')}` : ''} "${(e.textContent ?? '').trim().slice(0, 30)}"`;

  if (!document.documentElement.lang) faults.push('html has no lang');
  if (!document.title.trim()) faults.push('no title');
  if (document.querySelectorAll('main').length !== 1) faults.push('not exactly one main');
  if (document.querySelectorAll('h1').length !== 1) faults.push('not exactly one h1');
  const viewport = document.querySelector('meta[name=viewport]')?.getAttribute('content') ?? '';
  if (/user-scalable=no|maximum-scale=1\b/.test(viewport)) faults.push('zoom is forbidden');
  if (document.documentElement.scrollWidth > innerWidth + 1) faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} > ${innerWidth}`);

  const ids = new Map();
  for (const e of document.querySelectorAll('[id]')) ids.set(e.id, (ids.get(e.id) ?? 0) + 1);
  for (const [id, count] of ids) if (count > 1 && !/^hatch-|^tip$/.test(id)) faults.push(`id ${id} stands ${count} times`);
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
    for (const e of document.querySelectorAll(`[${attribute}]`)) {
      for (const id of e.getAttribute(attribute).split(/\s+/)) if (!document.getElementById(id)) faults.push(`${path(e)}: ${attribute} names no element: ${id}`);
    }
  }
  for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) faults.push(`${path(e)}: tabindex ${e.tabIndex}`);
  for (const e of document.querySelectorAll('img')) if (!e.hasAttribute('alt')) faults.push(`${path(e)}: no alt`);
  for (const e of document.querySelectorAll('input:not([type=hidden], [hidden]), select, textarea')) {
    if (!e.labels?.length && !e.getAttribute('aria-label')) faults.push(`${path(e)}: no label`);
  }
  for (const e of document.querySelectorAll('[role=grid] > *')) if (e.getAttribute('role') !== 'row') faults.push('a child of a grid is no row');
  for (const e of document.querySelectorAll('[role=row] > *')) if (e.getAttribute('role') !== 'gridcell') faults.push('a child of a row is no gridcell');
  for (const e of document.querySelectorAll('[role=grid]')) {
    if (e.querySelectorAll('[role=gridcell][tabindex="0"]').length !== 1) faults.push('a grid has not exactly one tab stop');
  }
  for (const e of document.querySelectorAll('[style]')) {
    // Only scripts may set styles; an attribute in the page itself is refused by the policy anyway.
    if (!e.closest('.chips, .eval, .graph') && !e.matches('.fan, .row, .card, #timer, #hand')) faults.push(`${path(e)}: inline style`);
  }

  // WCAG 2.2, 2.5.8: targets of 24 by 24 at least; ours are 44 high except board squares and lists.
  for (const e of document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary, [role=gridcell]')) {
    if (!shown(e)) continue;
    const box = e.getBoundingClientRect();
    const inline = e.tagName === 'A' && getComputedStyle(e).display === 'inline';
    const labelled = e.matches('input[type=radio], input[type=checkbox]');
    if (!inline && !labelled && (box.width < 24 || box.height < 24)) faults.push(`${path(e)}: target of ${Math.round(box.width)} by ${Math.round(box.height)}`);
  }

  // Cards lie over each other: what is free of one must still be wide enough, and on a phone for a finger.
  for (const e of document.querySelectorAll('.hand button.card')) {
    const next = e.nextElementSibling;
    if (!next || !shown(e)) continue;
    const free = next.getBoundingClientRect().left - e.getBoundingClientRect().left;
    if (free < (innerWidth < 720 ? 44 : 24)) faults.push(`${e.dataset.card}: ${Math.round(free)} wide to touch`);
  }

  // A letter looks different with every visitor's fonts: pictures are drawn.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const [sign] = GLYPHS.exec(texts.currentNode.data) ?? [];
    const e = texts.currentNode.parentElement;
    if (sign && !e.closest('script, style')) faults.push(`${path(e)}: a letter as a picture: ${sign}`);
  }

  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const colours = new Map();
  const rgba = (text) => {
    if (!colours.has(text)) colours.set(text, drawn(text));
    return colours.get(text);
  };
  const drawn = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#000';
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const ground = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(e) || !shown(e) || e.closest('svg, script, noscript, option, :disabled')) continue;
    seen.add(e);
    const style = getComputedStyle(e);
    const under = ground(e);
    let opacity = 1;
    for (let at = e; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ink = rgba(style.color);
    const [a, b] = [light(over([ink[0], ink[1], ink[2], ink[3] * opacity], under)), light(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.push(`${path(e)}: contrast ${ratio.toFixed(2)}`);
  }
  return faults;
})();
