/** What can wait until the page is drawn. */

/** Safari has no idle callback: there it is time after this pause, in milliseconds. */
const PAUSE = 200;

/** Does something once the page is loaded, drawn and at rest; what fails then is left undone. @param {() => Promise<void>} act */
export function whenIdle(act) {
  const start = () => void act().catch(() => undefined);
  const rest = () => requestAnimationFrame(() => ('requestIdleCallback' in window ? requestIdleCallback(start) : setTimeout(start, PAUSE)));
  if (document.readyState === 'complete') rest();
  else addEventListener('load', rest, { once: true });
}
