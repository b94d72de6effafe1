// What each status says, for the panel and the tooltips.
export const SAYS = {
  agreed: "agreed", first: "only in the first", second: "only in the second",
  different: "labelled differently", part: "a piece of one unit of the other",
};
