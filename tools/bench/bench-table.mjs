/**
 * @param {readonly import("./bench-row.ts").BenchRow[]} rows
 * @returns {string} a line a figure: what it is, the figure, its baseline, the ratio of the two, the goal, and whether
 *   it was met; or why there is no figure
 */
export function benchTable(rows) {
  const cells = rows.map(({ name, value, unit, baseline, ratio, goal, ok, note }) => {
    if (value === null) return [name, "-", note ?? ""];
    const verdict = ok === undefined ? "" : ok ? "met" : "missed";
    const times = ratio === undefined ? "" : `${ratio} x`;
    const beside = baseline === undefined ? "" : `${baseline.name} ${baseline.value}`;
    return [name, `${value} ${unit}`.trim(), beside, times, goal ?? "", verdict, note ?? ""];
  });
  return table([["figure", "value", "baseline", "ratio", "goal", "", ""], ...cells]);
}

/** Rows in columns; the first row is the head. @param {readonly (readonly string[])[]} rows */
export function table(rows) {
  const [head = []] = rows;
  // A note instead of a figure does not widen the columns.
  const full = rows.filter(({ length }) => length === head.length);
  const widths = head.map((_, column) =>
    Math.max(...(column < 2 ? rows : full).map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
