// Puts `lib/board` together, the module of `<convoy-board>`: node tools/board.js
// The board is that of the pages: its modules are copied from `web/js`, its texts, drawings and styles packed into one
// more. What a board gets from its site is different here, and comes from `board`.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const web = new URL('../../web/', root);
const out = new URL('lib/board/', root);

const own = readdirSync(new URL('board/', root));
const read = (path) => readFileSync(new URL(path, web), 'utf8');

/** The modules of the pages that `element.js` leads to, save those that the package has in their place. */
function shared() {
  const found = new Set();
  const follow = (text) => {
    for (const [, name] of text.matchAll(/^(?:import|export|\}) ?[^;'\n]*'\.\/([\w-]+\.js)';/gm)) {
      if (own.includes(name) || name === 'assets.js' || found.has(name)) continue;
      found.add(name);
      follow(read(`js/${name}`));
    }
  };
  for (const name of own.filter((name) => name.endsWith('.js'))) follow(readFileSync(new URL(`board/${name}`, root), 'utf8'));
  return [...found].sort();
}

/** The messages of a Fluent file: texts, and choices by one value. What else Fluent has is refused. */
function readMessages(text) {
  const messages = {};
  const entries = text.split(/^(?=[a-z])/m).map((entry) => entry.replace(/^#.*\n?/gm, '').trim()).filter(Boolean);
  for (const entry of entries) {
    const [, key, value] = /^([\w-]+) =\s*([^]*)$/.exec(entry) ?? [];
    const choice = /^\{ \$(\w+) ->\s*([^]*)\}$/.exec(value ?? '');
    if (value === undefined || (!choice && /->|\{ *[^ $"]/.test(value))) throw new Error(`not read: ${entry}`);
    const flat = (pattern) => pattern.trim().replaceAll(/\n\s*/g, '\n').replaceAll(/\{ *"([^"]*)" *\}/g, '$1').replaceAll(/\{ *\$([\w-]+) *\}/g, '{$1}');
    if (!choice) {
      messages[key] = flat(value);
      continue;
    }
    const variants = { $: choice[1] };
    for (const [, star, name, pattern] of choice[2].matchAll(/^\s*(\*?)\[(\w+)\] (.*)$/gm)) {
      variants[name] = flat(pattern);
      if (star) variants.other = flat(pattern);
    }
    messages[key] = variants;
  }
  return messages;
}

/** The messages that the modules name: as a whole, or with a part that is filled in. */
function catalogue(language, modules) {
  const code = modules.map((name) => read(`js/${name}`)).join('') + own.map((name) => readFileSync(new URL(`board/${name}`, root), 'utf8')).join('');
  const whole = new Set([...code.matchAll(/'([\w-]+)'/g)].map(([, key]) => key));
  const starts = [...code.matchAll(/`([a-z-]+-)\$\{/g)].map(([, start]) => start);
  const all = readMessages(read(`i18n/${language}.ftl`) + '\n' + read(`i18n/${language}.study.ftl`) + '\n' + read(`i18n/${language}.refusal.ftl`));
  return Object.fromEntries(Object.entries(all).filter(([key]) => whole.has(key) || starts.some((start) => key.startsWith(start))));
}

/** The drawings in one: the names of each file begin with its own, for they stand in one tree. */
function sprite() {
  const files = ['board', 'icons', 'pieces', 'symbols'].map((file) => {
    const [, inside] = /<svg[^>]*>([^]*)<\/svg>/.exec(read(`art/${file}.svg`));
    return inside.replaceAll(/ id="/g, ` id="${file}-`).replaceAll(/href="#/g, `href="#${file}-`).replaceAll(/url\(#/g, `url(#${file}-`);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" class="sprite" width="0" height="0" aria-hidden="true">${files.join('')}</svg>`;
}

/** The styles of the pages as far as a board has to do with them; what they say of the root holds for the element. */
function styles() {
  const [base, rest] = read('css/base.css').split('/* The frame of every page.');
  if (!rest) throw new Error('css/base.css does not tell where the frame of a page begins');
  return (base + read('css/board.css')).replaceAll(':root', ':host').replace('convoy-board { display: contents; }', '');
}

const modules = shared();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of own) copyFileSync(new URL(`board/${name}`, root), new URL(name, out));
for (const name of modules) copyFileSync(new URL(`js/${name}`, web), new URL(name, out));
const catalogues = Object.fromEntries(['en', 'vi', 'zh'].map((language) => [language, catalogue(language, modules)]));
writeFileSync(new URL('assets.js', out), `// Made by tools/board.js of web/art, web/css and web/i18n.
export const sprite = ${JSON.stringify(sprite())};
export const styles = ${JSON.stringify(styles())};
export const catalogues = ${JSON.stringify(catalogues)};
`);
