/** The system's own way to send something to somebody, where there is one. */

/**
 * What somebody puts into a page of theirs to show a board there.
 * @param {string} path below `/embed/` @param {Record<string, string|number|null|undefined>} query @param {string} title
 */
export function embedSnippet(path, query, title) {
  const url = new URL(`/embed/${path}`, location.href);
  for (const [name, value] of Object.entries(query)) if (value != null) url.searchParams.set(name, String(value));
  // As text: the page's own policy admits no element with styles of its own.
  const value = (/** @type {string} */ text) => `"${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  return `<iframe src=${value(url.href)} title=${value(title)} width="480" height="600" loading="lazy" style="border: 0; max-width: 100%"></iframe>`;
}

/** A link to a picture opens the share sheet with the picture itself; where there is none, it stays a download. @param {HTMLAnchorElement} link */
export function sharePicture(link) {
  const type = 'image/png';
  // Only a system that takes pictures is asked: a sheet for text alone would lose it.
  if (!navigator.canShare?.({ files: [new File([''], link.download, { type })] })) return;
  link.addEventListener('click', async (event) => {
    event.preventDefault();
    const reply = await fetch(link.href).catch(() => null);
    if (!reply?.ok) return location.assign(link.href);
    const files = [new File([await reply.blob()], link.download, { type })];
    // Whoever closes the sheet has changed their mind.
    await navigator.share({ files, title: document.title }).catch(() => undefined);
  });
}
