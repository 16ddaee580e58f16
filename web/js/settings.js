/** What the player chose, kept in this browser and applied to the document's root. */

/**
 * @typedef {object} Settings
 * @property {'auto'|'light'|'dark'|'contrast'} theme
 * @property {'art'|'symbols'|'letters'|'vi'} pieces
 * @property {boolean} animation
 * @property {boolean} confirm
 * @property {boolean} sound
 * @property {number} volume from 0 to 100
 * @property {'map'|'paper'|'night'} board the colours of the ground
 * @property {boolean} trail arrows of the last turn
 * @property {'letters'|'figurines'} notation of the list of moves
 * @property {boolean} coords
 * @property {'two'|'four'} deck colours of the suits
 * @property {'device'|'server'} engine which one analyses
 * @property {boolean} autopass pass at the card table where there is nothing to declare
 */

const KEY = 'convoy.settings';
/** @type {Settings} */
const DEFAULTS = { theme: 'auto', pieces: 'art', animation: true, confirm: false, sound: true, volume: 70, board: 'map', trail: true, notation: 'letters', coords: true, deck: 'two', engine: 'device', autopass: true };

/** @returns {Settings} */
function load() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @type {Settings} */
export const settings = load();

/**
 * @template {keyof Settings} K
 * @param {K} key @param {Settings[K]} value
 */
export function change(key, value) {
  settings[key] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse storage; the choice then lasts as long as the page.
  }
  apply();
  document.dispatchEvent(new CustomEvent('settings', { detail: key }));
}

const dark = matchMedia('(prefers-color-scheme: dark)');

export function apply() {
  const { dataset } = document.documentElement;
  dataset.theme = settings.theme === 'auto' ? (dark.matches ? 'dark' : 'light') : settings.theme;
  dataset.coords = String(settings.coords);
  dataset.board = settings.board;
}

/** Motion is wanted: by the setting and by the system. */
export const moving = () => settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;

dark.addEventListener('change', apply);
apply();
