/**
 * Messages of the page's language. The server turns each part of the Fluent catalogue into one JSON object; the page names
 * the parts that it needs besides the common one. A message is a text with `{name}` places, or a choice by plural or by value.
 */

import { lang, messages } from './host.js';

export { lang };

const plural = new Intl.PluralRules(lang);

/**
 * @param {string} key
 * @param {Record<string, string|number>} [args]
 * @returns {string}
 */
export function t(key, args = {}) {
  let message = messages[key];
  if (message === undefined) {
    console.error(`no message ${key}`);
    return key;
  }
  if (typeof message !== 'string') {
    const value = args[message.$];
    message = message[String(value)] ?? (typeof value === 'number' ? message[plural.select(value)] : undefined) ?? message.other ?? '';
  }
  return message.replace(/\{\s*\$?([\w-]+)\s*\}/g, (whole, name) => String(args[name] ?? whole));
}

/** @param {string} key */
export const has = (key) => key in messages;

/**
 * Why the server said no, in the page's language: the finer reason first, its own words only where we have none.
 * @param {{code: string, message: string, why?: {code: string, [more: string]: any}}} refusal
 */
export function refusalWords({ code, message, why }) {
  // The reader of games tells the place in its own words only.
  const place = code === 'bad-pgn' ? /line (\d+), column (\d+)/.exec(message) : null;
  if (place) return t('refusal-bad-pgn-at', { line: place[1], column: place[2] });
  const key = [`refusal-${code}-${why?.code}`, `refusal-${code}`].find(has);
  return key ? t(key, why) : message;
}

/** A player's name: a guest's is put together in the page's language. @param {string} name */
export const personName = (name) => name.replace(/^Guest-/, () => `${t('guest')}-`);
