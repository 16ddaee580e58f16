/** The end of a game in words. */
import { t } from './i18n.js';

/** How a game ended: "Red wins by checkmate." @param {import('./types.js').Outcome} outcome */
export const outcomeWords = ({ winner, reason }) =>
  [winner ? t('wins', { side: t(`side-${winner}`) }) : t(reason === 'aborted' ? 'no-result' : 'drawn'), t(`outcome-${reason}`)].join(t('space'));
