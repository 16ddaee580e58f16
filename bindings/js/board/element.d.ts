import type { Color, Outcome } from '../cotulenh.js';

export { ConvoyError } from '../protocol.js';

/** A circle or an arrow as PGN names it: a colour (green, red, yellow, blue) and one or two squares, `Gc5`, `Rc5c6`. */
export type Shape = string;

/** What a `turn` event tells. */
export interface TurnDetail {
  /** The whole turn, deploys included. */
  san: string;
  lan: string;
  /** The steps that were made, as LAN; a plain move is one. */
  steps: string[];
  /** The position before it. */
  before: string;
  /** The position after it. */
  fen: string;
  /** How the game has ended, as far as the position tells it. */
  outcome: Outcome | null;
}

export interface ConvoyBoardEventMap extends HTMLElementEventMap {
  /** Somebody has made a whole turn. `preventDefault()` keeps the board from playing it. */
  turn: CustomEvent<TurnDetail>;
  /** Somebody has drawn or removed arrows and circles. */
  shapes: CustomEvent<{ shapes: Shape[] }>;
  /** An attribute has a value that cannot be used; what was shown before stays. */
  refused: CustomEvent<{ attribute: string; error: Error }>;
}

/** `<convoy-board>`. Each property is the attribute of its name, which `null` takes away; a setter throws a `ConvoyError` where the value is wrong. */
export class ConvoyBoardElement extends HTMLElement {
  /** The position between turns; the start of a game where none is given. */
  get fen(): string;
  set fen(fen: string | null | undefined);
  /** Whose pieces the visitor may move. */
  get movable(): Color | 'both' | 'none';
  set movable(side: Color | 'both' | 'none' | null | undefined);
  /** The side at the bottom. */
  get orientation(): Color;
  set orientation(side: Color | null | undefined);
  /** The last turn, in LAN, or its squares with spaces between them. */
  last: string | null;
  /** Arrows and circles on the board. */
  get shapes(): Shape[];
  set shapes(shapes: readonly Shape[] | null | undefined);
  /** Whether the visitor may draw: with the right button, or with everything after a touch of the button that appears. */
  drawable: boolean;
  /** While it is set every pointer draws, in this colour, and nothing moves; empty is the colour used last. */
  brush: 'G' | 'R' | 'Y' | 'B' | '' | null;
  get theme(): 'light' | 'dark' | 'contrast' | 'auto';
  set theme(theme: 'light' | 'dark' | 'contrast' | 'auto' | null | undefined);
  /** `none` hides the letters and numbers at the edge. */
  coordinates: string | null;
  addEventListener<K extends keyof ConvoyBoardEventMap>(
    type: K, listener: (event: ConvoyBoardEventMap[K]) => void, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'convoy-board': ConvoyBoardElement;
  }
}
