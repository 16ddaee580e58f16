/**
 * The position editor: put pieces on squares, and let the server say whether that is a position.
 * @typedef {import('./types.js').Stack} Stack
 */
import './board.js';
import { html } from './html.js';
import { START, ROLES, parsePlacement, writePlacement } from './fen.js';
import { t } from './i18n.js';
import { askedPosition, copy, need } from './page.js';
import { Refused } from './refused.js';
import { rules } from './rules.js';
import { pieceIcon } from './view.js';
import { pieceName } from './words.js';

const board = /** @type {import('./board.js').ConvoyBoard} */ (need('convoy-board'));
const fenBox = /** @type {HTMLInputElement} */ (need('#fen'));
const side = /** @type {HTMLSelectElement} */ (need('#side'));
const heroic = /** @type {HTMLInputElement} */ (need('#heroic'));
const verdict = need('#verdict');
board.rules = rules;
const palette = need('#palette');

/** What a click on the board does: put this piece, or erase. @type {{type: string, color: 'r'|'b'}|null} */
let hand = { type: 'i', color: 'r' };
let placement = parsePlacement(START);
let tail = '- - 0 1';

const fen = () => `${writePlacement(placement)} ${side.value} ${tail}`;

function drawPalette() {
  /** @param {'r'|'b'} color */
  const row = (color) =>
    html('div', { class: 'palette-row', role: 'group', 'aria-label': t(`side-${color}`) }, [
      ...[...ROLES].map((type) => {
        const held = hand?.type === type && hand.color === color;
        const node = html('button', { type: 'button', 'aria-pressed': String(held), 'aria-label': `${t(`color-${color}`)} ${pieceName(type)}`, title: pieceName(type) });
        node.append(pieceIcon(type, color, heroic.checked));
        node.addEventListener('click', () => {
          hand = { type, color };
          drawPalette();
        });
        return node;
      }),
    ]);
  const erase = html('button', { type: 'button', 'aria-pressed': String(hand === null), class: 'erase' }, [t('editor-erase')]);
  erase.addEventListener('click', () => {
    hand = null;
    drawPalette();
  });
  palette.replaceChildren(row('r'), row('b'), erase);
}

board.edit = (/** @type {string} */ square) => {
  const stack = placement.get(square);
  if (!hand) placement.delete(square);
  else {
    const part = { type: hand.type, heroic: heroic.checked };
    const here = stack?.parts.find((p) => p.type === part.type);
    if (stack?.color === hand.color && here) {
      // A second click takes the piece off again, or changes its rank first.
      if (here.heroic !== part.heroic) here.heroic = part.heroic;
      else stack.parts = stack.parts.filter((p) => p !== here);
      if (!stack.parts.length) placement.delete(square);
    } else if (stack?.color === hand.color) stack.parts.push(part);
    else placement.set(square, { color: hand.color, parts: [part] });
  }
  void changed();
};

async function changed() {
  const text = fen();
  fenBox.value = text;
  await board.show({ fen: text, movable: 'none' });
  try {
    const { fen: good } = await rules.fen(text);
    const { outcome } = await rules.draft(good, []);
    if (text !== fen()) return;
    verdict.textContent = outcome ? t('editor-over', { reason: t(`outcome-${outcome.reason}`) }) : t('editor-good');
    verdict.className = outcome ? 'soft' : 'good';
    fenBox.value = good;
    // The server's spelling names the carrier first, so a stack looks right whatever the order of clicks.
    placement = parsePlacement(good);
    await board.show({ fen: good, movable: 'none' });
    history.replaceState(null, '', `/editor?fen=${encodeURIComponent(good)}`);
    ready(true, !outcome);
  } catch (error) {
    if (text !== fen()) return;
    verdict.textContent = error instanceof Refused ? error.message : t('offline');
    verdict.className = 'error';
    ready(false, false);
  }
}

/** @param {boolean} good it is a position @param {boolean} open and the game is not over in it */
function ready(good, open) {
  /** @type {HTMLButtonElement} */ (need('#analyse')).disabled = !good;
  /** @type {HTMLButtonElement} */ (need('#play-here')).disabled = !open;
}

/** Takes a whole FEN over; what is none changes nothing. @param {string} text */
async function take(text) {
  fenBox.value = text;
  try {
    const { fen: good } = await rules.fen(text);
    // Another position was taken over meanwhile, or a piece was placed.
    if (fenBox.value !== text) return;
    const [, turn, ...rest] = good.split(' ');
    placement = parsePlacement(good);
    side.value = turn;
    tail = rest.join(' ');
    await changed();
  } catch (error) {
    if (fenBox.value !== text) return;
    verdict.textContent = error instanceof Refused ? error.message : t('offline');
    verdict.className = 'error';
    ready(false, false);
  }
}

heroic.addEventListener('change', drawPalette);
side.addEventListener('change', () => void changed());
document.addEventListener('settings', drawPalette);
fenBox.addEventListener('change', () => void take(fenBox.value.trim()));
need('#start').addEventListener('click', () => void take(START));
need('#clear').addEventListener('click', () => void take('11/11/11/11/11/11/11/11/11/11/11/11 r - - 0 1'));
need('#flip').addEventListener('click', () => board.orient(board.view.orientation === 'r' ? 'b' : 'r'));
need('#copy-fen').addEventListener('click', () => void copy(fenBox.value));
need('#analyse').addEventListener('click', () => location.assign(`/analysis?fen=${encodeURIComponent(fenBox.value)}`));
need('#play-here').addEventListener('click', () => location.assign(`/?fen=${encodeURIComponent(fenBox.value)}#play`));

drawPalette();
await board.show({ fen: fen(), movable: 'none' });
await take(askedPosition().fen ?? START);
