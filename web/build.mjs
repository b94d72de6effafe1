// Bundles the scripts and the style of the reports. Same lock file, same bytes: a test builds again and compares.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = process.argv[2] ?? `${here}../src/aifgraph/report/html/static`;

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
    legalComments: "none",
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
