// The merged map by the decisions of the reader. What goes with what was asked of `merge` when the page was made, and
// stands in tables (`aifgraph.adjudication.kit`); here they are looked up, and the documents of the two maps filled in.
const DEFAULTS = { RA: "Default Inference", CA: "Default Conflict", MA: "Default Rephrase", PA: "Default Preference" };
const RELATIONS = Object.keys(DEFAULTS);
// The illocution that usually anchors a relation: it changes with the relation's type.
const ACTS = { RA: "Arguing", CA: "Disagreeing", MA: "Restating" };
const BITS = { first: 1, second: 2, both: 3, neither: 0 };
const NAMES = ["first", "second"];
const FULFILMENTS = ["schemefulfillments", "descriptorfulfillments", "cqdescriptorfulfillments"];

export class Contradiction extends Error {}

// `decisionOf(id)` gives { decision, note, by, when }; `schemes` are [name, kind, id] of AIFdb's catalogue.
export function mergedMap(kit, schemes, decisionOf) {
  return new Merging(kit, schemes, decisionOf).document();
}

// The source text that belongs in a file beside the merged map, or null.
export function mergedText(kit, schemes, decisionOf) {
  return new Merging(kit, schemes, decisionOf).sourceText();
}

class Merging {
  constructor(kit, schemes, decisionOf) {
    this.kit = kit;
    this.sides = kit.sides;
    this.schemes = schemes;
    this.rows = kit.rows.map(([id, group, kind, other, byRule, open, nodes]) => {
      const made = decisionOf(id);
      const text = made.decision.trim();
      const choice = !text ? null : Object.hasOwn(BITS, text) ? text : "other";
      const sides = !choice ? byRule : choice === "other" ? other : BITS[choice];
      return { id, group, kind, nodes, choice, value: choice === "other" ? text : "", made, sides, open: !choice && Boolean(open) };
    });
    // The map starts from the side that all decisions follow, where they do, else from the first.
    const single = this.rows.filter((row) => row.sides === 1 || row.sides === 2);
    this.base = single.length && single.every((row) => row.sides === 2) ? 1 : 0;
    this.kept = this.sides.map((side) => side.ids.map(() => false));
    this.stands = this.sides.map((side) => side.ids.map(() => -1));
    this.dropped = [];
    this.select();
  }

  // That of the side from which the map starts, else the other's: but a map that is one side's in everything has its own.
  sourceText() {
    const { texts } = this.kit;
    const oneSided = this.rows.length && this.rows.every((row) => row.sides === 1 << this.base);
    return texts[this.base][0] ?? (oneSided ? null : texts[1 - this.base][1]);
  }

  rowOf(side, node) {
    return this.rows[this.sides[side].row[node]];
  }

  select() {
    for (const [side, of] of this.sides.entries()) {
      for (let node = 0; node < of.ids.length; node += 1) {
        const bit = 1 << (4 * this.base + (this.rowOf(side, node)?.sides ?? 0));
        this.kept[side][node] = Boolean(of.kept[node] & bit);
        this.stands[side][node] = of.stands[node] & bit ? of.for[node] : -1;
      }
    }
    // Scheme nodes that say the same stay with the side whose cut of the text is kept.
    for (const [one, other, ...around] of this.kit.equal) {
      const cuts = new Set(around.map((rows) => rows.map((row) => this.rows[row].sides).find((sides) => sides === 1 || sides === 2)).filter(Boolean));
      const side = cuts.size === 1 ? [...cuts][0] - 1 : this.base;
      const pair = [one, other];
      for (const each of [0, 1]) [this.kept[each][pair[each]], this.stands[each][pair[each]]] = [false, -1];
      const row = this.rowOf(side, pair[side]);
      if (row && !row.sides) continue;
      this.kept[side][pair[side]] = true;
      this.stands[1 - side][pair[1 - side]] = pair[side];
    }
    this.drop();
  }

  // The kept node that is, or stands for, a node: [side, number].
  place(side, node) {
    if (this.kept[side][node]) return [side, node];
    const other = this.stands[side][node];
    return other >= 0 && this.kept[1 - side][other] ? [1 - side, other] : null;
  }

  // Scheme nodes that have lost all they start from, or all they lead to, go too.
  drop() {
    for (;;) {
      const idle = [];
      for (const [side, of] of this.sides.entries()) {
        for (let node = 0; node < of.ids.length; node += 1) {
          if (!this.kept[side][node]) continue;
          const lost = (group) => group.length && !group.some((other) => {
            const place = this.place(side, other);
            return place && !(place[0] === side && place[1] === node);
          });
          if (of.needs[node].some(lost)) idle.push([side, node]);
        }
      }
      if (!idle.length) return;
      for (const [side, node] of idle) this.kept[side][node] = false;
      this.dropped.push(...idle);
    }
  }

  around(side, node) {
    this.neighbours ??= this.sides.map((of) => {
      const found = of.ids.map(() => []);
      for (const [source, target] of of.edges) {
        found[source].push(target);
        found[target].push(source);
      }
      return found;
    });
    return this.neighbours[side][node];
  }

  // A relation that a decision keeps cannot join what another decision leaves out.
  refuse() {
    for (const [side, node] of this.dropped) {
      const row = this.rowOf(side, node);
      if (!row?.choice || !row.nodes.some(([own, number]) => own === side && number === node)) continue;
      const others = new Set(this.around(side, node).filter((each) => !this.place(side, each)).map((each) => this.rowOf(side, each)?.id));
      others.delete(undefined);
      others.delete(row.id);
      throw new Contradiction(`the decisions on the rows ${[row.id, ...[...others].sort()].join(" and ")} cannot stand together: ${row.id} (${row.choice}) joins what is left out; change one of them`);
    }
  }

  document() {
    this.refuse();
    for (;;) {
      const made = this.assembled();
      const errors = this.broken();
      if (!errors.length) return made;
      for (const [what, ids] of errors) {
        const rows = new Set(ids.flatMap((id) => this.rowsOf(id)).filter((row) => row?.choice).map((row) => row.id));
        if (rows.size) throw new Contradiction(`the decision${rows.size > 1 ? "s" : ""} on ${[...rows].sort().join(" and ")} cannot stand: ${what}; change one of them`);
      }
      const before = this.dropped.length;
      for (const [, ids] of errors) this.leaveOut(ids);
      this.drop();
      if (this.dropped.length === before) throw new Contradiction(`the merged map breaks a rule that both maps keep: ${errors[0][0]}`);
    }
  }

  rowsOf(id) {
    const [side, node] = this.keys.get(id);
    return [node, ...this.around(side, node)].map((each) => this.rowOf(side, each));
  }

  leaveOut(ids) {
    for (const id of ids) {
      const [side, node] = this.keys.get(id);
      if (this.kept[side][node] && !["I", "L"].includes(this.sides[side].kinds[node])) {
        this.kept[side][node] = false;
        this.dropped.push([side, node]);
        return;
      }
    }
  }

  // -- the document ---------------------------------------------------------------------------------------------

  assembled() {
    const { base } = this;
    const [of, others] = [this.sides[base], this.sides[1 - base]];
    const made = structuredClone(of.document);
    const aif = this.aif = this.kit.form === "xaif" ? (this.inner = unwrapped(made)) : made;
    const gone = new Set(of.ids.filter((_, node) => !this.kept[base][node]));
    this.ids = this.sides.map((side) => side.ids.map(() => null));
    this.keys = new Map();
    const name = (side, node, id) => {
      this.ids[side][node] = id;
      this.keys.set(id, [side, node]);
    };
    of.ids.forEach((id, node) => this.kept[base][node] && name(base, node, id));
    const inBase = new Set(of.ids);
    // Entries of nodes that were set aside have ids too.
    const taken = new Set([...this.keys.keys(), ...(aif.nodes ?? []).map((entry) => String(entry?.nodeID)).filter((id) => !gone.has(id))]);
    let fresh = this.kit.fresh;
    others.ids.forEach((id, node) => {
      if (!this.kept[1 - base][node]) return;
      const busy = taken.has(id) || (["I", "L"].includes(others.kinds[node]) && inBase.has(id));
      const own = busy ? String(fresh += 1) : id;
      taken.add(own);
      name(1 - base, node, own);
    });
    for (const section of ["nodes", "locutions", ...FULFILMENTS]) {
      if (Array.isArray(aif[section])) aif[section] = aif[section].filter((entry) => !gone.has(String(entry?.nodeID)));
    }
    this.entries();
    this.edges();
    this.people();
    if (this.rows.length) {
      aif.edges ??= [];
      aif.locutions ??= [];
      aif.merge = this.record();
    }
    if (this.inner && typeof made.AIF === "string") made.AIF = JSON.stringify(aif);
    return made;
  }

  // The entries of the nodes: those of the base with what was decided about them, then those of the other side.
  entries() {
    const { aif, base } = this;
    const first = new Map();
    for (const entry of aif.nodes) if (!first.has(String(entry?.nodeID))) first.set(String(entry?.nodeID), entry);
    const [replaced, cleaned, added] = [new Map(), new Set(), []];
    const theirs = new Map();
    const inner = this.kit.form === "xaif" ? unwrapped(this.sides[1 - base].document) : this.sides[1 - base].document;
    for (const entry of inner.nodes) theirs.set(String(entry?.nodeID), [...(theirs.get(String(entry?.nodeID)) ?? []), entry]);
    const repeats = [];
    for (const side of [base, 1 - base]) {
      this.sides[side].ids.forEach((own, node) => {
        const id = this.ids[side][node];
        if (id === null) return;
        const whole = side === base ? [first.get(own)] : theirs.get(own);
        const { entries, fulfilled } = this.written(side, node, whole);
        const here = entries.map((entry) => (String(entry.nodeID) === id ? entry : { ...entry, nodeID: id }));
        if (side === base) replaced.set(id, here[0]);
        else {
          added.push(here[0]);
          this.fulfil(id, (inner.schemefulfillments ?? []).filter((each) => String(each.nodeID) === own).map((each) => each.schemeID));
        }
        if (fulfilled) {
          // Other schemes than before: what stood for those elsewhere goes.
          cleaned.add(id);
          if (aif.schemefulfillments) aif.schemefulfillments = aif.schemefulfillments.filter((each) => String(each.nodeID) !== id);
          this.fulfil(id, fulfilled);
        }
        repeats.push(...here.slice(1));
      });
    }
    const done = new Set();
    const kept = aif.nodes.flatMap((entry) => {
      const id = String(entry?.nodeID);
      if (!replaced.has(id)) return [entry];
      if (done.has(id)) return cleaned.has(id) ? [] : [entry];
      done.add(id);
      return [replaced.get(id)];
    });
    aif.nodes = [...kept, ...added, ...repeats];
  }

  fulfil(id, schemeIds) {
    if (schemeIds.length) this.aif.schemefulfillments = [...(this.aif.schemefulfillments ?? []), ...schemeIds.map((schemeID) => ({ nodeID: id, schemeID }))];
  }

  // The entries of a node, changed as was decided; `fulfilled` are ids of schemes, where it has other schemes now.
  written(side, node, whole) {
    const row = this.rowOf(side, node);
    if (!row) return { entries: whole };
    const of = this.sides[side];
    const kind = of.kinds[node];
    const mate = of.mate[node];
    const content = kind === "I" || kind === "L";
    const follows = row.sides & (1 << side);
    let entries = whole.map((entry) => ({ ...entry }));
    let fulfilled = null;
    const other = of.other[node];
    if (content) {
      if (mate >= 0 && !follows && other !== undefined) entries[0].text = other;
    } else if (row.kind === "scheme" && mate >= 0 && (!follows || row.sides === 3)) {
      const [nodes, held] = other[follows ? 1 : 0];
      entries = nodes.map((entry) => ({ ...entry }));
      fulfilled = held.map((each) => each.schemeID);
    }
    if (row.choice === "other") fulfilled = this.relabelled(side, node, row, entries) ?? fulfilled;
    const from = Object.fromEntries([[side, node], ...(mate >= 0 ? [[1 - side, mate]] : [])].sort(([one], [two]) => one - two)
      .map(([each, number]) => [NAMES[each], this.sides[each].ids[number]]));
    const came = { row: row.id, kind: row.kind, from };
    if (row.open) came.open = true;
    if (row.choice) {
      came.decision = row.value || row.choice;
      if (row.made.by) came.by = row.made.by;
    } else came.sides = NAMES.filter((_, each) => row.sides & (1 << each));
    for (const entry of entries) entry.merged = came;
    return { entries, fulfilled };
  }

  // A new wording or label. Gives the ids of the schemes where they are others now.
  relabelled(side, node, row, entries) {
    const { value } = row;
    const entry = entries[0];
    const type = this.sides[side].kinds[node];
    const isMain = row.nodes.some(([own, number]) => own === side && number === node);
    if (row.group === "propositions" || row.group === "locutions") {
      const kept = row.nodes.filter(([own, number]) => this.kept[own][number]).sort((one, two) => one[0] - two[0] || one[1] - two[1]);
      if (kept.length && kept[0][0] === side && kept[0][1] === node) entry.text = escaped(value);
      return null;
    }
    if (isMain) {
      if (RELATIONS.includes(value)) return this.setLabel(entries, value, DEFAULTS[value], null);
      const named = (kind) => this.schemes.filter(([name, own]) => own === kind && letters(name) === letters(value));
      const kind = named(type).length ? type : ["YA", ...RELATIONS].find((each) => named(each).length);
      const found = named(kind);
      const scheme = found.length === 1 ? { id: found[0][2], name: found[0][0] } : { id: null, name: value };
      return this.setLabel(entries, kind, kind === "YA" ? scheme.name : value, scheme);
    }
    const usual = Object.values(ACTS).map(letters);
    if (type === "YA" && ACTS[value] && usual.includes(letters(String(entry.text ?? "")))) {
      const found = this.schemes.find(([name, kind]) => kind === "YA" && name === ACTS[value]);
      return this.setLabel(entries, type, ACTS[value], { id: found?.[2] ?? null, name: ACTS[value] });
    }
    return null;
  }

  setLabel(entries, type, text, scheme) {
    const [entry] = entries;
    entries.length = 1;
    entry.text = escaped(text);
    if (String(entry.type ?? "").toUpperCase() !== type) entry.type = type;
    const own = entry.schemeID ?? null;
    const inEntry = scheme && (own !== null ? scheme.id === String(own) : (entry.scheme ?? null) === scheme.name);
    if (own !== null && scheme?.id !== String(own)) {
      delete entry.schemeID;
      delete entry.scheme;
    }
    if (!scheme || inEntry) return [];
    const fields = { scheme: scheme.name, ...(scheme.id === null ? {} : { schemeID: scheme.id }) };
    if (this.kit.form === "xaif" && scheme.id !== null) return [scheme.id];
    if (!("scheme" in entry) && !("schemeID" in entry)) Object.assign(entry, fields);
    else {
      const { scheme: _, schemeID: __, ...rest } = entry;
      entries.push({ ...rest, ...fields });
    }
    return [];
  }

  edges() {
    const { aif, base } = this;
    const of = this.sides[base];
    const goneIds = new Set(of.ids.filter((_, node) => !this.kept[base][node]));
    aif.edges = (aif.edges ?? []).filter((edge) => !goneIds.has(String(edge?.fromID)) && !goneIds.has(String(edge?.toID)));
    const known = new Set(aif.edges.map((edge) => `${edge?.fromID}\u0000${edge?.toID}`));
    let fresh = of.fresh_edge;
    for (const side of [base, 1 - base]) {
      for (const [source, target, owner, form] of this.sides[side].edges) {
        if (!this.kept[side][owner]) continue;
        const places = [this.place(side, source), this.place(side, target)];
        if (!places[0] || !places[1]) continue;
        const [fromID, toID] = places.map(([own, node]) => this.ids[own][node]);
        const ends = `${fromID}\u0000${toID}`;
        if (fromID === toID || known.has(ends)) continue;
        known.add(ends);
        const edge = of.form_edges ? { edgeID: String(fresh += 1) } : form === null ? { edgeID: String(aif.edges.length + 1) } : {};
        aif.edges.push({ ...edge, fromID, toID, formEdgeID: form });
      }
    }
    if (!aif.edges.length && !of.document.edges) delete aif.edges;
  }

  // Who said what: the records of the other side's locutions come with them, and their people.
  people() {
    const { aif, base } = this;
    const others = this.sides[1 - base];
    const inner = this.kit.form === "xaif" ? unwrapped(others.document) : others.document;
    const moved = new Map();
    const respoken = new Set();
    others.ids.forEach((_, node) => this.ids[1 - base][node] !== null && moved.set(node, this.ids[1 - base][node]));
    for (const row of this.rows) {
      if (row.kind !== "spoken by another" || row.sides & (1 << base)) continue;
      for (const [side, node] of row.nodes) {
        const place = side !== base && others.kinds[node] === "L" && this.place(side, node);
        if (place) {
          moved.set(node, this.ids[place[0]][place[1]]);
          respoken.add(this.ids[place[0]][place[1]]);
        }
      }
    }
    if (respoken.size) aif.locutions = (aif.locutions ?? []).filter((each) => !respoken.has(String(each?.nodeID)));
    const people = this.sides[base].people.map(([id, name]) => ({ id, name }));
    others.said.forEach(([node, person], number) => {
      if (!moved.has(node)) return;
      const entry = { ...inner.locutions[number], nodeID: moved.get(node) };
      if (person >= 0) {
        const [id, name] = others.people[person];
        let same = people.find((each) => each.name === name);
        if (!same) {
          const taken = new Set(people.map((each) => each.id));
          same = { id: taken.has(id) ? freshId(taken) : id, name };
          people.push(same);
          aif.participants = [...(aif.participants ?? []), changed(inner.participants[person], "participantID", same.id)];
        }
        if (String(entry.personID) !== same.id) entry.personID = same.id;
      }
      aif.locutions = [...(aif.locutions ?? []), entry];
    });
  }

  record() {
    const decided = this.rows.filter((row) => row.choice);
    return {
      first: this.kit.names[0], second: this.kit.names[1], signature: this.kit.signature, base: NAMES[this.base], wording: "first", prefer: null,
      decisions: Object.fromEntries(decided.map((row) => {
        const { note, by, when } = row.made;
        return [row.id, Object.fromEntries(Object.entries({ choice: row.choice, value: row.value, note, by, when }).filter(([, value]) => value))];
      })),
      open: this.rows.filter((row) => row.open).map((row) => row.id),
    };
  }

  // The rules of `aifgraph check` that a merged map can break where both maps keep them: [what, ids].
  broken() {
    const ok = new Set(this.kit.profiles);
    const some = (...profiles) => profiles.some((each) => ok.has(each));
    if (!ok.size) return [];
    const kinds = new Map();
    for (const [id, [side, node]] of this.keys) kinds.set(id, this.sides[side].kinds[node]);
    for (const entry of this.aif.nodes) if (kinds.get(String(entry.nodeID))) kinds.set(String(entry.nodeID), String(entry.type).toUpperCase());
    const into = new Map();
    const out = new Map();
    for (const { fromID, toID } of this.aif.edges ?? []) {
      const [from, to] = [String(fromID), String(toID)];
      if (!kinds.has(from) || !kinds.has(to)) continue;
      out.set(from, [...(out.get(from) ?? []), to]);
      into.set(to, [...(into.get(to) ?? []), from]);
    }
    const errors = [];
    const analysing = new Set(this.aif.nodes.filter((entry) => entry.type === "YA" && letters(String(entry.text ?? "")) === "analysing").map((entry) => String(entry.nodeID)));
    const speech = [...kinds].some(([id, kind]) => kind === "L" && (out.has(id) || into.has(id)) && !out.get(id)?.every((each) => analysing.has(each)));
    for (const [id, kind] of kinds) {
      if (!["RA", "CA", "MA", "PA", "YA", "TA"].includes(kind)) continue;
      const before = into.get(id) ?? [];
      const after = out.get(id) ?? [];
      let starts = kind === "YA" ? before : kind === "TA" ? before.filter((each) => kinds.get(each) === "L") : before.filter((each) => kinds.get(each) !== "YA");
      if (RELATIONS.includes(kind)) {
        const plain = starts.filter((each) => !RELATIONS.includes(kinds.get(each)));
        if (plain.length) starts = plain;
      }
      const ends = kind === "TA" ? after.filter((each) => kinds.get(each) === "L") : after;
      const say = (text, ...nodes) => errors.push([`${kind} ${id} ${text}`, [id, ...nodes]]);
      if (some("aif", "iat") && (!starts.length || !ends.length)) say(starts.length ? "leads to nothing" : "starts from nothing");
      if (ends.length > 1 && ((["RA", "PA"].includes(kind) && ok.size) || (["CA", "MA", "YA"].includes(kind) && some("iat")))) say(`leads to ${ends.length} nodes`, ...ends);
      if (starts.length > 1 && ((kind === "PA" && ok.size) || (["MA", "YA"].includes(kind) && some("iat")))) say(`starts from ${starts.length} nodes`, ...starts);
      if (kind === "MA" && some("iat") && starts.some((each) => ends.includes(each))) say("starts from and leads to the same node", ...starts);
      if (["RA", "CA", "MA"].includes(kind) && some("iat") && speech && !before.some((each) => kinds.get(each) === "YA")) say("is not anchored in the dialogue");
    }
    return errors;
  }
}

function unwrapped(document) {
  return typeof document.AIF === "string" ? JSON.parse(document.AIF) : document.AIF;
}

function changed(entry, key, value) {
  return String(entry[key]) === value ? entry : { ...entry, [key]: value };
}

function freshId(taken) {
  const numbers = [...taken].filter((id) => /^[0-9]{1,15}$/u.test(id)).map(Number);
  return String(Math.max(0, ...numbers) + 1);
}

function letters(name) {
  return [...name].filter((each) => /[\p{L}\p{N}]/u.test(each)).join("").toLowerCase();
}

// Entities are written only where a text would be taken to hold some.
function escaped(text) {
  return /&(#|\w)/u.test(text) ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : text;
}
