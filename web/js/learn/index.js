/** The list of courses with what was done of them. */
import { t } from '../i18n.js';
import '../page.js';
import { progress } from './progress.js';

const kept = progress();
for (const link of document.querySelectorAll('[data-steps]')) {
  const steps = (link.getAttribute('data-steps') ?? '').split(' ');
  const done = steps.filter((step) => kept[step]).length;
  const host = link.querySelector('.progress');
  if (host) host.textContent = t('learn-progress', { done, all: steps.length });
  link.classList.toggle('complete', done === steps.length);
}
