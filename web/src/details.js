// The panel that says what is chosen.
import { make, quote } from "./elements.js";
import { headingOf, schemeLabel, short } from "./model.js";

export class Details {
  constructor(model, panel, choose) {
    this.model = model;
    this.panel = panel;
    this.choose = choose;
  }

  show(numbers) {
    const { model, panel } = this;
    panel.replaceChildren();
    if (!numbers.length) {
      panel.append(make("p", {}, "Nothing is chosen. Choose a difference, a stretch of the text, a node or a cell of a matrix."));
      return;
    }
    for (const number of numbers.slice(0, 12)) panel.append(this.card(model.elements[number]));
    if (numbers.length > 12) panel.append(make("p", {}, `… and ${numbers.length - 12} more`));
  }

  card(element) {
    const card = make("div", { class: "card" });
    card.append(make("h3", {}, make("span", { class: `mark ${element.status}`, "aria-hidden": "true" }), ` ${headingOf(this.model, element)}`));
    element.sides.forEach((member, side) => {
      const name = side ? "second" : "first";
      const line = make("p", {}, make("b", {}, `${name}: `));
      if (!member) line.append(element.status === "agreed" || element.status === "part" ? "is part of another node" : "has nothing like it");
      else if (element.scheme) line.append(`${schemeLabel(this.model, element, side)}${member.text && member.text !== member.kind && member.text !== schemeLabel(this.model, element, side) ? ` (${member.text})` : ""}, node ${member.id}`);
      else {
        if (member.speaker && member.kind === "I") line.append(make("bdi", {}, member.speaker), ": ");
        line.append(quote(member.text), ` (node ${member.id})`);
      }
      card.append(line);
    });
    if (element.similarity !== null) card.append(make("p", { class: "note" }, `${element.because} (${element.similarity.toFixed(3)})`));
    else if (element.because) card.append(make("p", { class: "note" }, element.because));
    card.append(this.neighbours(element));
    return card;
  }

  neighbours(element) {
    const list = make("ul", { class: "neighbours" });
    const lines = this.model.lines.filter((l) => l.source === element.number || l.target === element.number);
    for (const line of lines.slice(0, 20)) {
      const other = this.model.elements[line.source === element.number ? line.target : line.source];
      const member = other.sides[0] || other.sides[1];
      const text = other.scheme ? schemeLabel(this.model, other, null) : short(member.text, 90);
      const button = make("button", { type: "button" }, make("span", { class: `mark ${line.status}`, "aria-hidden": "true" }),
        ` ${line.source === element.number ? "to" : "from"} `, make("bdi", {}, text));
      button.addEventListener("click", () => this.choose([other.number], { fit: true }));
      list.append(make("li", {}, button));
    }
    return list;
  }

  // The items behind a cell of a matrix.
  cell(items, title) {
    const list = make("ol", { class: "items" });
    for (const { text, elements } of items) {
      const button = make("button", { type: "button", class: "item" }, make("bdi", {}, text));
      button.addEventListener("click", () => this.choose(elements, { fit: true, scroll: true, keep: true }));
      list.append(make("li", {}, button));
    }
    return make("div", { class: "behind" }, make("h3", {}, title), list,
      ...(items.length >= this.model.listed ? [make("p", {}, `The first ${this.model.listed} are listed.`)] : []));
  }
}
