// Texts as UTF-8. Not every host has `TextEncoder` and `TextDecoder`: Jest's jsdom has neither.

const encoder = typeof TextEncoder === 'function' ? new TextEncoder() : undefined;
const decoder = typeof TextDecoder === 'function' ? new TextDecoder() : undefined;

/** The bytes of a text; halves of surrogate pairs become U+FFFD. */
export function encode(text) {
  if (encoder !== undefined) return encoder.encode(text);
  const escaped = encodeURIComponent(text.toWellFormed());
  const bytes = escaped.match(/%..|[^]/g) ?? [];
  return Uint8Array.from(bytes, (byte) => (byte.length > 1 ? parseInt(byte.slice(1), 16) : byte.charCodeAt(0)));
}

/** The text of bytes. */
export function decode(bytes) {
  if (decoder !== undefined) return decoder.decode(bytes);
  return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
}
