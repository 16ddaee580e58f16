/**
 * The shapes that travel between modules. Nothing runs here.
 *
 * @typedef {'r'|'b'} Color
 *
 * @typedef {object} Part one piece of a stack
 * @property {string} type lower-case role letter
 * @property {boolean} heroic
 *
 * @typedef {object} Stack what stands on a square, the carrier first
 * @property {Color} color
 * @property {Part[]} parts
 *
 * @typedef {Map<string, Stack>} Placement
 *
 * @typedef {object} Move one legal action, as the server lists it
 * @property {string} lan
 * @property {string} san
 * @property {string} from
 * @property {string} to
 * @property {string} type
 * @property {string} flags letters: n c s k d b
 * @property {boolean} [heroic]
 * @property {string[]|string} [carry]
 * @property {string} [captured]
 * @property {string} [combined]
 * @property {boolean} [recombine]
 * @property {boolean} [deploy]
 * @property {boolean} [open]
 * @property {string} [after]
 * @property {string} [board] placement after the action while the deploy stays open
 *
 * @typedef {object} Group a part of a stack that travels together, as steps to play in a row
 * @property {string[]} lans
 * @property {string} to
 * @property {string} flags
 * @property {boolean} [open]
 * @property {string} [captured]
 * @property {string} [board]
 * @property {string} [after]
 *
 * @typedef {object} Exposed a move that the rules forbid only because of the commander
 * @property {string} from
 * @property {string} to
 * @property {string} type
 * @property {boolean} [deploy]
 * @property {string} reason `exposed` or `attacked`
 *
 * @typedef {object} Outcome
 * @property {Color|null} winner
 * @property {string} reason
 *
 * @typedef {object} Answer what the rules say about a draft
 * @property {string} fen
 * @property {string} board
 * @property {Color} turn
 * @property {boolean} [check]
 * @property {boolean} [danger]
 * @property {boolean} [canCommit]
 * @property {string} [cannotCommit] why not: `terrain` or `danger`
 * @property {Outcome|null} [outcome]
 * @property {Move[]} moves
 * @property {{r: string[], b: string[]}} [cover] squares under each side's air cover
 * @property {Group[]} [groups]
 * @property {Exposed[]} [exposed]
 * @property {{origin: string, left: string}} [deploy] the open deploy: its origin and what has not moved
 *
 * @typedef {object} Step one action of a finished turn, for animation and replay
 * @property {string} lan
 * @property {string} from
 * @property {string} to
 * @property {string} flags
 * @property {string} piece the moving letters in FEN form
 * @property {string} board placement afterwards
 *
 * @typedef {object} Turn
 * @property {string} san
 * @property {string} lan
 * @property {string} fen
 * @property {number[]} [left]
 * @property {Step[]} [steps]
 *
 * @typedef {'move'|'join'|'take'|'strike'|'both'|'kamikaze'|'exposed'} MarkKind
 *
 * @typedef {object} Mark
 * @property {string} square
 * @property {MarkKind} kind
 * @property {string} [reason]
 *
 * @typedef {object} Arrow
 * @property {string} from
 * @property {string} to
 * @property {number} number
 * @property {boolean} [strike] nothing moved: the arrow only points
 */
export {};
