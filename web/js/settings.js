/** What the player chose, kept in this browser and applied to the document's root. */

/**
 * @typedef {object} Settings
 * @property {'auto'|'light'|'dark'|'contrast'} theme
 * @property {'art'|'letters'|'vi'} pieces
 * @property {boolean} animation
 * @property {boolean} confirm
 * @property {boolean} sound
 * @property {boolean} coords
 * @property {'two'|'four'} deck colours of the suits
 */

const KEY = 'convoy.settings';
/** @type {Settings} */
const DEFAULTS = { theme: 'auto', pieces: 'art', animation: true, confirm: false, sound: true, coords: true, deck: 'two' };

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
}

/** Motion is wanted: by the setting and by the system. */
export const moving = () => settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;

dark.addEventListener('change', apply);
apply();
