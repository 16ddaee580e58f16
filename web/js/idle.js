/** What can wait until the page is drawn. */

/** Safari has no idle callback: there it is time after this pause, in milliseconds. */
const PAUSE = 200;

/** Waits until the page is loaded, drawn and at rest. @returns {Promise<void>} */
export function whenIdle() {
  return new Promise((resolve) => {
    const rest = () => requestAnimationFrame(() => ('requestIdleCallback' in window ? requestIdleCallback(() => resolve()) : setTimeout(resolve, PAUSE)));
    if (document.readyState === 'complete') rest();
    else addEventListener('load', rest, { once: true });
  });
}

/** Whoever pays for every byte is asked for none that is not needed. */
export const savesData = () => /** @type {{connection?: {saveData?: boolean}}} */ (/** @type {unknown} */ (navigator)).connection?.saveData;
