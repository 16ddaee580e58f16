/**
 * The service worker: pages and files for when there is no network. The server puts what there is to keep before this text:
 * `const KEPT = { version, files, pages, languages }`.
 */

const scope = /** @type {any} */ (self);
/** @type {{version: string, files: string[], pages: string[], languages: string[]}} */
// @ts-ignore the server declares it
const { version, files, pages, languages } = KEPT;
const CACHE = `convoy-${version}`;
/** Where the language is kept in which the visitor reads. */
const LANGUAGE = '/offline/language';
/** The page for whatever needs a network. */
const FALLBACK = '/offline';
/** So many files are fetched at once. */
const AT_ONCE = 6;

/** The name of a page in the cache. @param {string} path @param {string} language */
const nameOf = (path, language) => `${path}?lang=${language}`;

/** Keeps everything; what fails fails the whole, and the browser tries again on the next visit. */
async function fill() {
  const cache = await caches.open(CACHE);
  /** Nobody's pages: they are asked for without cookies. @type {[string, Request][]} */
  const wanted = files.map((file) => [file, new Request(file)]);
  for (const language of languages) {
    for (const page of pages) {
      wanted.push([nameOf(page, language), new Request(`${page}?offline=1&lang=${language}`, { credentials: 'omit' })]);
    }
  }
  const keep = async () => {
    for (let next = wanted.pop(); next; next = wanted.pop()) {
      const [name, request] = next;
      const answer = await fetch(request);
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      await cache.put(name, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keep));
}

/** The files of this version, and what was learnt from the last one. */
async function begin() {
  for (const name of await caches.keys()) {
    if (name.startsWith('convoy-') && name !== CACHE) await caches.delete(name);
  }
  await scope.clients.claim();
}

/** Files never change under their names, but where they are read from disk. @param {Request} request */
async function file(request) {
  const known = await caches.match(request);
  if (known && version !== 'dev') return known;
  try {
    return await fetch(request);
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

/** A page from the network, or else the one that is kept. @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const { pathname, searchParams } = new URL(request.url);
    const asked = searchParams.get('lang') ?? '';
    const language = languages.includes(asked) ? asked : ((await (await caches.match(LANGUAGE))?.text()) ?? languages[0]);
    const known = (await caches.match(nameOf(pathname, language))) ?? (await caches.match(nameOf(FALLBACK, language)));
    if (known) return known;
    throw error;
  }
}

scope.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(fill()));
scope.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(begin()));
scope.addEventListener('message', (/** @type {any} */ event) => {
  const { update, language } = event.data;
  if (update) scope.skipWaiting();
  if (languages.includes(language)) event.waitUntil(caches.open(CACHE).then((cache) => cache.put(LANGUAGE, new Response(language))));
});
scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(file(request));
  else if (request.mode === 'navigate') event.respondWith(page(request));
});
