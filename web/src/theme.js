// The choice between light and dark, and what each status says, for the panel and the tooltips.
import { remembered } from "./remembered.js";

export function themeChoice() {
  const field = document.getElementById("theme");
  const set = () => {
    if (field.value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = field.value;
  };
  field.value = remembered.get("aifgraph-theme") || "auto";
  field.addEventListener("change", () => {
    remembered.set("aifgraph-theme", field.value);
    set();
  });
  set();
}

export const SAYS = {
  agreed: "agreed", first: "only in the first", second: "only in the second",
  different: "labelled differently", part: "a piece of one unit of the other",
};
