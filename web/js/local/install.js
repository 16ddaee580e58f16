/** Keeps the games on this device, and offers what is newer. */
import { button, html } from '../html.js';
import { lang, t } from '../i18n.js';

/** Whether the browser can keep pages: only over https, or on the machine itself. */
export const canKeep = () => 'serviceWorker' in navigator && navigator.serviceWorker !== undefined;

/** Offers a newer version; nothing is loaded again before somebody wants it. @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  // Not in the middle of a game: there is the next page.
  if (document.body.classList.contains('playing') || document.getElementById('update')) return;
  const bar = html('div', { id: 'update', class: 'update', role: 'status' }, [
    t('update-ready'),
    button(t('update-now'), () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      registration.waiting?.postMessage({ update: true });
    }, { class: 'primary' }),
    button(t('update-later'), () => bar.remove(), {}),
  ]);
  document.body.append(bar);
}

/** @param {ServiceWorkerRegistration} registration */
function watch(registration) {
  // The first version is nothing to be offered.
  const look = () => registration.waiting && navigator.serviceWorker.controller && offer(registration);
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
  look();
}

/** Keeps pages and files for when there is no network; ready when all of them are kept. */
export async function keep() {
  if (!canKeep()) return;
  watch(await navigator.serviceWorker.register('/service-worker.js'));
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ language: lang });
}
