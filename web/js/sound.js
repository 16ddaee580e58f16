/** Sounds made on the spot: a few oscillators and bursts of noise, no files. */
import { settings } from './settings.js';

/** @type {AudioContext|null} */
let context = null;
/** All sounds go through it. @type {GainNode|null} */
let master = null;

function audio() {
  // Before the first click, tap or key a browser plays nothing and complains.
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (!master) {
    master = context.createGain();
    master.connect(context.destination);
  }
  master.gain.value = settings.volume / 70;
  if (context.state === 'suspended') void context.resume();
  return context;
}

/**
 * @param {AudioContext} ctx @param {number} at @param {number} freq @param {number} length
 * @param {OscillatorType} [type] @param {number} [gain] @param {number} [slide] final frequency
 */
function tone(ctx, at, freq, length, type = 'sine', gain = 0.15, slide = freq) {
  const osc = ctx.createOscillator();
  const amp = ctx.createGain();
  const start = ctx.currentTime + at;
  osc.type = type;
  osc.frequency.setValueAtTime(freq, start);
  osc.frequency.exponentialRampToValueAtTime(Math.max(slide, 1), start + length);
  amp.gain.setValueAtTime(gain, start);
  amp.gain.exponentialRampToValueAtTime(0.001, start + length);
  osc.connect(amp).connect(master ?? ctx.destination);
  osc.start(start);
  osc.stop(start + length);
}

/**
 * @param {AudioContext} ctx @param {number} at @param {number} length
 * @param {number} cutoff @param {number} gain
 */
function noise(ctx, at, length, cutoff, gain) {
  const buffer = ctx.createBuffer(1, Math.ceil(ctx.sampleRate * length), ctx.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 2;
  const source = ctx.createBufferSource();
  const filter = ctx.createBiquadFilter();
  const amp = ctx.createGain();
  source.buffer = buffer;
  filter.type = 'lowpass';
  filter.frequency.value = cutoff;
  amp.gain.value = gain;
  source.connect(filter).connect(amp).connect(master ?? ctx.destination);
  source.start(ctx.currentTime + at);
}

/** @type {Record<string, (ctx: AudioContext) => void>} */
const SOUNDS = {
  move: (c) => (noise(c, 0, 0.07, 900, 0.5), tone(c, 0, 180, 0.08, 'sine', 0.2, 90)),
  step: (c) => tone(c, 0, 520, 0.06, 'triangle', 0.12, 640),
  join: (c) => (tone(c, 0, 330, 0.07, 'triangle', 0.14), tone(c, 0.07, 440, 0.09, 'triangle', 0.14)),
  take: (c) => (noise(c, 0, 0.16, 2200, 0.6), tone(c, 0, 140, 0.16, 'square', 0.08, 60)),
  strike: (c) => (tone(c, 0, 900, 0.12, 'sawtooth', 0.07, 200), noise(c, 0.1, 0.14, 1600, 0.5)),
  kamikaze: (c) => (tone(c, 0, 700, 0.25, 'sawtooth', 0.06, 120), noise(c, 0.2, 0.5, 700, 0.9)),
  check: (c) => (tone(c, 0, 660, 0.12, 'square', 0.06), tone(c, 0.14, 880, 0.16, 'square', 0.06)),
  low: (c) => tone(c, 0, 1000, 0.05, 'square', 0.05),
  start: (c) => [392, 523, 659].forEach((f, i) => tone(c, i * 0.09, f, 0.16, 'triangle', 0.12)),
  end: (c) => [523, 392, 330, 262].forEach((f, i) => tone(c, i * 0.13, f, 0.3, 'triangle', 0.12)),
};

/** @param {string} name */
export function play(name) {
  const ctx = audio();
  if (ctx) SOUNDS[name]?.(ctx);
}

/** The sound of an action by its flags. @param {string} flags */
export const soundOf = (flags) =>
  flags.includes('k') ? 'kamikaze' : flags.includes('s') ? 'strike' : flags.includes('c') ? 'take' : flags.includes('b') ? 'join' : 'move';
