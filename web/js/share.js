/** The system's own way to send something to somebody, where there is one. */

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
