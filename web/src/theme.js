// Colours of the pictures, by theme. Every status has a line style and a shape of its own too.
export const PALETTES = {
  light: {
    page: "#ffffff", text: "#1a1d21", box: "#f4f5f7", faded: "#c9ced6",
    agreed: "#5b6470", first: "#0066a8", second: "#a84a00", different: "#8f2576", part: "#5b6470",
    speakers: ["#e7f0fa", "#fdf0dd", "#e8f5ea", "#f6e9f3", "#f1efe2", "#e5f3f4"],
    chosen: "#ffd84d", found: "#c9f2a5",
  },
  dark: {
    page: "#15181c", text: "#eef0f3", box: "#262b32", faded: "#4a515b",
    agreed: "#a9b2be", first: "#6cb8f0", second: "#ffa15c", different: "#e79ad3", part: "#a9b2be",
    speakers: ["#1f3247", "#43351c", "#20392a", "#402a3c", "#3a3722", "#1d3a3c"],
    chosen: "#8a6d00", found: "#3f6b1d",
  },
};

// Dash patterns by status; agreed and part are solid.
export const DASHES = { first: [8, 4], second: [2, 4], different: [10, 3, 2, 3] };
export const SHAPES = { agreed: "ellipse", first: "diamond", second: "hexagon", different: "octagon", part: "ellipse" };
export const SAYS = {
  agreed: "agreed", first: "only in the first", second: "only in the second",
  different: "labelled differently", part: "a piece of one unit of the other",
};

export function dark(choice) {
  if (choice === "dark" || choice === "light") return choice === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
