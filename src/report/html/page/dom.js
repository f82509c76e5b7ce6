/** @typedef {Node | string | null | false | undefined} Child */

/**
 * An element. Text stays text: nothing here parses markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes] functions are listeners, true and false are presence
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  appendAll(element, children);
  return element;
}

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  appendAll(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, unknown>} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, /** @type {EventListener} */ (value));
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function appendAll(element, children) {
  for (const child of children) if (child) element.append(child);
}
