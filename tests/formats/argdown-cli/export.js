// A list of Argdown texts (JSON, standard input) as the list of what Argdown exports of them; null for a refused one.
const { argdown } = require("@argdown/node");
const fs = require("fs");

async function exported(input) {
  try {
    const process = ["parse-input", "build-model", "export-json"];
    const response = await argdown.runAsync({ input, process, logLevel: "silent", throwExceptions: true });
    const refused = [...(response.parserErrors || []), ...(response.lexerErrors || [])].length > 0;
    return refused ? null : JSON.parse(response.json);
  } catch {
    return null;
  }
}

(async () => {
  const answers = [];
  for (const text of JSON.parse(fs.readFileSync(0, "utf8"))) answers.push(await exported(text));
  fs.writeFileSync(1, JSON.stringify(answers));
})();
