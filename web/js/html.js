/** Elements made by a call. */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string>} [attributes] @param {(Node|string)[]} [children]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Where an element stands: the document, or a shadow root. @param {Node} node */
export const rootOf = (node) => /** @type {Document|ShadowRoot} */ (node.getRootNode());

/** A button that does something. @param {string|Node} label @param {() => void} act @param {Record<string, string>} [attributes] */
export function button(label, act, attributes = {}) {
  const node = html('button', { type: 'button', ...attributes }, [label]);
  node.addEventListener('click', act);
  return node;
}
