// Bundles the scripts and the style of the reports. Same lock file, same bytes: a test builds again and compares.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = process.argv[2] ?? `${here}../src/aifgraph/report/html/static`;

const licences = ["cytoscape", "@dagrejs/dagre", "@dagrejs/graphlib"].map((name) => {
  const { version, license } = JSON.parse(readFileSync(`${here}node_modules/${name}/package.json`, "utf8"));
  const text = readFileSync(`${here}node_modules/${name}/LICENSE`, "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
});
const notice = `report.js contains the following software.\n\n${licences.join("\n" + "-".repeat(72) + "\n\n")}`;

for (const name of ["report", "corpus"]) {
  await build({
    absWorkingDir: here,
    entryPoints: [`src/${name}.js`],
    outfile: `${out}/${name}.js`,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022"],
    charset: "utf8",
    // Every report is a copy of what is bundled, so the licences travel inside it.
    legalComments: "none",
    banner: name === "report" ? { js: `/*!\n${notice}*/` } : {},
    logLevel: "warning",
  });
}

await build({
  absWorkingDir: here,
  entryPoints: ["src/report.css"],
  outfile: `${out}/report.css`,
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});

writeFileSync(`${out}/THIRD-PARTY.txt`, notice);
