// What the scripts of the pages must not hold: unused names, names that nothing declares, loose comparisons.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["src/**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-globals": "error",
      "no-eval": "error",
      "no-new-func": "error",
    },
  },
  { files: ["build.mjs", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
