// What a visitor may set on the pages, in place of `web/js/settings.js`; a board on another site takes it from its attributes.

export const settings = { pieces: 'art', animation: true, confirm: false, sound: false, volume: 70, trail: true, notation: 'letters' };

/** Motion is wanted: by the system too. */
export const moving = () => settings.animation && !matchMedia('(prefers-reduced-motion: reduce)').matches;
