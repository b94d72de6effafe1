// What a box says in full, beside the pointer: both wordings, with the words that differ marked.
import { paragraphs } from "./boxes.js";
import { make } from "./elements.js";
import { headingOf, schemeLabel } from "./model.js";
import { written } from "./scene.js";

const LETTERS = 1500;

export class Tip {
  constructor(model) {
    this.model = model;
    this.node = make("div", { class: "tip", hidden: "", "aria-hidden": "true" });
    document.body.append(this.node);
  }

  show(element, box) {
    const { node, model } = this;
    const parts = element.scheme
      ? element.sides.flatMap((member, side) => (member ? [written({ sign: "①②"[side], who: "", pieces: [{ text: [schemeLabel(model, element, side), member.text].filter(Boolean).join(" · "), changed: false }] })] : []))
      : paragraphs(model, element, null, LETTERS).map(written);
    node.replaceChildren(make("h4", {}, headingOf(model, element)), ...parts);
    node.hidden = false;
    const around = box.getBoundingClientRect();
    const { offsetWidth: w, offsetHeight: h } = node;
    const x = Math.min(Math.max(8, around.left), innerWidth - w - 8);
    const y = around.bottom + 8 + h < innerHeight ? around.bottom + 8 : Math.max(8, around.top - h - 8);
    Object.assign(node.style, { left: `${x}px`, top: `${y}px` });
  }

  hide() {
    this.node.hidden = true;
  }
}
