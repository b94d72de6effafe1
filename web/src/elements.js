// Elements of the page, made in one way. Texts are set as text, never as markup.

/** @type {(tag: string, attributes?: Record<string, any>, ...children: (Node | string)[]) => any} */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** @type {(tag: string, attributes?: Record<string, any>, ...children: (Node | string)[]) => any} */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function quote(text) {
  return make("q", { class: "quoted" }, make("bdi", {}, text));
}
