// Maps: cells of a table, shaded by their numbers.

/** The style of a cell, from 0 % at the least to 100 % at the greatest number; the first column names the rows. */
export function shades(rows) {
  const numbers = rows.flatMap((row) => row.slice(1).filter((cell) => cell !== "").map(Number));
  const least = Math.min(...numbers);
  const range = Math.max(...numbers) - least || 1;
  return (cell, column) =>
    column > 0 && cell !== "" ? { style: `--heat: ${Math.round((100 * (Number(cell) - least)) / range)}%` } : {};
}
