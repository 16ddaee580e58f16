/** Signs on buttons and keys: drawn, so that they have one size whatever fonts a visitor has. */

import { art } from './host.js';

const NS = 'http://www.w3.org/2000/svg';

/** A sign of `art/icons.svg`; its button names itself in words. @param {string} name */
export function icon(name) {
  const node = document.createElementNS(NS, 'svg');
  node.setAttribute('class', 'sign');
  node.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(NS, 'use');
  use.setAttribute('href', art('icons', name));
  node.append(use);
  return node;
}
