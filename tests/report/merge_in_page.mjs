// Merged maps as the page makes them: tables and decisions on standard input, documents or refusals on standard output.
import { readFileSync } from "node:fs";
import { mergedMap } from "../../web/src/merging.js";

const open = { decision: "", note: "", by: "", when: "" };
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ kit, schemes, cases }) => cases.map((decisions) => {
  try {
    return { map: mergedMap(kit, schemes, (id) => ({ ...open, ...decisions[id] })) };
  } catch (error) {
    if (error.constructor.name !== "Contradiction") throw error;
    return { refused: error.message };
  }
}));
process.stdout.write(JSON.stringify(answers));
