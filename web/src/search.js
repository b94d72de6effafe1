// Search in everything, drawn or not: Enter goes to the next hit, Shift and Enter back.
export class Search {
  // `on` has: found(numbers) for the marks, go(number) to show a hit.
  constructor(model, field, output, on) {
    this.field = field;
    this.output = output;
    this.on = on;
    this.hits = [];
    this.at = -1;
    this.wanted = "";
    this.texts = model.elements.map((element) => element.sides.filter(Boolean).map((member) =>
      ({ id: member.id.toLocaleLowerCase(), words: `${member.text}\n${member.speaker}\n${member.kind}`.toLocaleLowerCase() })));
    field.addEventListener("input", () => this.look(field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape" && field.value) {
        event.preventDefault();
        event.stopPropagation();
        field.value = "";
        this.look("");
      }
    });
  }

  look(text) {
    this.wanted = text.trim().toLocaleLowerCase();
    this.hits = this.wanted ? this.texts.flatMap((members, number) =>
      (members.some((member) => member.id === this.wanted || member.words.includes(this.wanted)) ? [number] : [])) : [];
    this.at = -1;
    this.on.found(this.hits);
    this.tell();
  }

  step(by) {
    if (!this.hits.length) return;
    this.at = this.at < 0 ? (by > 0 ? 0 : this.hits.length - 1) : (this.at + by + this.hits.length) % this.hits.length;
    this.tell();
    this.on.go(this.hits[this.at]);
  }

  tell() {
    const count = this.hits.length;
    this.output.textContent = !this.wanted ? "" : !count ? "0 found" : this.at < 0 ? `${count} found` : `${this.at + 1} of ${count}`;
  }
}
