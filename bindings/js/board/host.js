// What the board gets from the package, in place of `web/js/host.js`: its texts and drawings are part of it.

import { catalogues } from './assets.js';

const [asked] = document.documentElement.lang.toLowerCase().split('-');
/** The language of the document, when the module is loaded; English where there are no texts in it. */
export const lang = asked in catalogues ? asked : 'en';
export const messages = catalogues[lang];

/** The drawings stand in the shadow root of each board. */
export const art = (file, id) => `#${file}-${id}`;

/** A board for other sites is more than that of the pages: `element.js` names it. */
export const define = () => {};
