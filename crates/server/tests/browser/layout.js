// What is wrong with where things stand: given a list of selectors, each must be shown whole, inside the width of the
// window, over no other, and in the window or reachable by scrolling without anything lying over it.
// Returns a list of faults in words. Runs inside the page under test.
((selectors, width) => {
  const faults = [];
  const all = selectors.map((selector) => [selector, document.querySelector(selector)]);
  const shown = all.filter(([, e]) => e && e.checkVisibility() && e.getBoundingClientRect().height > 0);
  for (const [selector, e] of all) if (!e) faults.push(`${selector} is missing`);
  // A phone shows a page that is too wide at a smaller scale.
  if (document.documentElement.scrollWidth > width + 1) {
    const beyond = [...document.body.querySelectorAll('*')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > width + 1);
    const names = beyond.map((e) => `${e.tagName}#${e.id}.${e.getAttribute('class')}`);
    faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} of ${width}: ${names.slice(0, 5).join(' ')}`);
  }
  scrollTo(0, 0);
  const boxes = shown.map(([selector, e]) => [selector, e, e.getBoundingClientRect()]);
  for (const [selector, , box] of boxes) {
    if (box.left < -1 || box.right > width + 1) faults.push(`${selector} leaves the window: ${Math.round(box.left)} to ${Math.round(box.right)} of ${width}`);
  }
  for (const [i, [a, first, one]] of boxes.entries()) {
    for (const [b, second, other] of boxes.slice(i + 1)) {
      if (first.contains(second) || second.contains(first)) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 1 && high > 1) faults.push(`${a} and ${b} overlap by ${Math.round(wide)} by ${Math.round(high)}`);
    }
  }
  for (const [selector, e] of boxes) {
    // In view as it is, or brought into view: every corner and the middle belong to it.
    e.scrollIntoView({ block: 'nearest' });
    const box = e.getBoundingClientRect();
    const ends = (start, size) => [start + 3, start + size / 2, start + size - 3];
    for (const x of ends(box.left, box.width)) {
      for (const y of ends(box.top, box.height)) {
        if (y < 0 || y >= innerHeight) {
          if (box.height <= innerHeight) faults.push(`${selector} is out of view at ${Math.round(y)}`);
          continue;
        }
        const top = document.elementFromPoint(x, y);
        if (top && !e.contains(top) && !top.contains(e)) faults.push(`${selector} is covered by ${top.tagName}.${top.className || top.id}`);
      }
    }
  }
  scrollTo(0, 0);
  return [...new Set(faults)];
})(SELECTORS)
