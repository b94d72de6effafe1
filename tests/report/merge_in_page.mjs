// Merged maps as the page makes them: tables and decisions on standard input, documents or refusals on standard output.
import { readFileSync } from "node:fs";
import { mergedMap, mergedText } from "../../web/src/merging.js";

const open = { decision: "", note: "", by: "", when: "" };
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ kit, schemes, cases }) => cases.map((decisions) => {
  try {
    const decisionOf = (id) => ({ ...open, ...decisions[id] });
    return { map: mergedMap(kit, schemes, decisionOf), text: mergedText(kit, schemes, decisionOf) };
  } catch (error) {
    if (error.constructor.name !== "Contradiction") throw error;
    return { refused: error.message };
  }
}));
process.stdout.write(JSON.stringify(answers));
