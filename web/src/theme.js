// The choice between light and dark.
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
