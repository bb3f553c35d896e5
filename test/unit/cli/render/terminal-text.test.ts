import stringWidth from "string-width";
import { expect, test } from "vitest";
import { terminalText } from "../../../../cli/render/terminal-text.ts";

const style = { json: false, isTTY: true, colour: false, columns: 60 };

test("aligns columns by what a terminal shows, numbers to the right", () => {
  const text = terminalText(
    [
      { id: 1, name: "日本", active: true },
      { id: 20, name: "abc", active: false },
    ],
    style,
  );
  expect(text).toBe("id  name  active\n 1  日本  yes\n20  abc   no\n");
});

test("stays within the terminal, and cuts no character in half", () => {
  const text = terminalText([{ id: 1, title: "日本".repeat(40), cwd: "/a".repeat(40) }], style);
  for (const line of text.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  expect(text).toContain("…");
});

test("a name in a result controls the terminal as little as a value", () => {
  const hostile = "\u001b]52;c;cm0=\u0007";
  for (const result of [
    { [hostile]: 1 },
    { key: 1, [hostile]: 1 },
    [{ [hostile]: 1 }],
    { rows: [{ [hostile]: { a: 1 } }] },
  ]) {
    expect(terminalText(result, style)).toMatch(/^[^\p{Cc}]*(?:\n[^\p{Cc}]*)*$/u);
    expect(terminalText({ [hostile]: result }, style)).not.toContain("\u001b");
  }
});

const shell = {
  id: 12,
  title: "npm run dev",
  cwd: "/home/ann/projects/patchbay/main/relay/http",
  command: "/usr/bin/bash",
  pid: 12345,
  process: "node",
  cols: 160,
  rows: 48,
  running: true,
  exitCode: null,
  ownerClientId: 1,
  owner: "ann",
  createdAt: "2026-11-21T04:05:06.000Z",
};
const order = { columns: ["id", "title", "cwd", "process", "running", "exitCode", "owner"] };

test("keeps headings whole, cuts paths in front, and names the columns that have no room", () => {
  const text = terminalText([shell, { ...shell, cwd: "/tmp/x" }], { ...style, columns: 80 }, order);
  const [head = "", first = "", second = "", note = ""] = text.split("\n");
  expect(head.split(/ {2,}/)).toEqual(["id", "title", "cwd", "process", "running", "exitCode", "owner"]);
  expect(first).toMatch(/^12 {2}npm run dev {2}….*\/main\/relay\/http {2}node {5}yes {6}- {9}ann$/);
  expect(second).toContain("  /tmp/x  ");
  expect(note).toBe("More with --json or a wider terminal: command, pid, cols, rows, ownerClientId, createdAt.");
  for (const line of [head, first, second]) expect(stringWidth(line)).toBeLessThanOrEqual(80);
});

test.each([1, 2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 300])("at %d columns no line of a table is wider", (columns) => {
  const lines = terminalText([shell], { ...style, columns }, order).split("\n");
  for (const line of lines.filter((text) => !text.startsWith("More with"))) {
    expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  }
  const [head = ""] = lines;
  if (columns >= 10) expect(head).not.toContain("…");
  if (columns >= 200) expect(lines).toHaveLength(3);
});

test("leaves out what another column says", () => {
  expect(terminalText([{ a: 1, state: "idle", status: "idle" }], style, { hidden: ["status"] })).toBe(
    "a  state\n1  idle\n",
  );
});

test("spells out what would steer the terminal", () => {
  expect(terminalText([{ title: "a\u001b]0;x\u0007\n\u202eb\u009b" }], style)).toBe(
    "title\na\\u001b]0;x\\u0007\\n\\u202eb\\u009b\n",
  );
});

test("shows money at list prices, and records in records as columns", () => {
  const text = terminalText([{ shellId: 1, tokenUsage: { input: 5, cost: 0.02784 } }], { ...style, columns: 100 });
  expect(text).toBe("shellId  input     cost\n      1      5  $0.0278\nCosts are in US dollars at list prices.\n");
});

test("shows a tile as a line, a record as names and values, nothing as none", () => {
  expect(terminalText({ key: 4, moved: false }, style)).toBe("tile 4, moved no\n");
  expect(terminalText({ key: null }, style)).toBe("tile -\n");
  expect(terminalText({ owned: [1, 2], others: [], role: "admin" }, style)).toBe(
    "owned:  1, 2\nothers: -\nrole:   admin\n",
  );
  expect(terminalText([], style)).toBe("none\n");
});

test("shows times in local time", () => {
  const at = "2026-11-21T04:05:06.000Z";
  const local = new Date(at);
  expect(terminalText({ at }, style)).toContain(
    `${local.getFullYear()}-11-${String(local.getDate()).padStart(2, "0")} `,
  );
});

test("a list of any length is a table of its first rows", { tags: "slow" }, () => {
  const rows = Array.from({ length: 130_000 }, (_, id) => ({ id }));
  expect(terminalText(rows, { json: false, isTTY: true, colour: false, columns: 80 }).split("\n")).toHaveLength(10_003);
});

test("of more rows, columns and text than can be read the first are laid out, and the others counted", () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, 1]));
  const wide = terminalText([{ ...fields(300), last: 2 }], style, { columns: ["last"] });
  expect(wide).toMatch(/^last {2}c0 /);
  expect(wide).toMatch(/ and \d+ others\.\n$/);
  const counted = [...wide.matchAll(/\bc\d+\b/g)].length + Number(/and (\d+) others/.exec(wide)?.[1]);
  expect(counted).toBe(300);
  const [head = ""] = terminalText([fields(300)], { ...style, columns: 100_000 }).split("\n");
  expect(head.match(/c\d+/g)).toHaveLength(200);
  const rows = (count: number) =>
    terminalText(
      Array.from({ length: count }, (_, id) => ({ id })),
      style,
    );
  expect(rows(10_000)).toMatch(/\n9999\n$/);
  expect(rows(10_001)).toMatch(/\n9999\n1 more row with --json\.\n$/);
  const both = terminalText(
    Array.from({ length: 1000 }, () => fields(200)),
    style,
  );
  expect(both).toMatch(/\n500 more rows with --json\.\n$/);
  const long = "/a".repeat(5000);
  expect(terminalText([{ text: "x".repeat(5000), cwd: `${long}/end` }], style)).toContain("/a/end\n");
  // A record's names are arguments of no call: there may be too many.
  expect(terminalText(fields(200_000), style).split("\n")).toHaveLength(200_001);
});
