// Curves beyond the eight colours take them again with other strokes, so that 24 can be told apart.
export const dashes = [
  { name: "solid", pattern: [] },
  { name: "dashed", pattern: [8, 4] },
  { name: "dotted", pattern: [2, 3] },
];
