import stringWidth from "string-width";
import { expect, test } from "vitest";
import { human } from "../../../../cli/print/human.ts";

const style = { json: false, isTTY: true, colour: false, columns: 60 };

test("aligns columns by what a terminal shows, numbers to the right", () => {
  const text = human(
    [
      { id: 1, name: "日本", active: true },
      { id: 20, name: "abc", active: false },
    ],
    style,
  );
  expect(text).toBe("id  name  active\n 1  日本  yes\n20  abc   no\n");
});

test("stays within the terminal, and cuts no character in half", () => {
  const text = human([{ id: 1, title: "日本".repeat(40), cwd: "/a".repeat(40) }], style);
  for (const line of text.split("\n")) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  expect(text).toContain("…");
});

test("spells out what would steer the terminal", () => {
  expect(human([{ title: "a\u001b]0;x\u0007\n\u202eb\u009b" }], style)).toBe(
    "title\na\\u001b]0;x\\u0007\\n\\u202eb\\u009b\n",
  );
});

test("shows money at list prices, and records in records as columns", () => {
  const text = human([{ shellId: 1, tokenUsage: { input: 5, cost: 0.02784 } }], { ...style, columns: 100 });
  expect(text).toBe("shellId  input     cost\n      1      5  $0.0278\nCosts are in US dollars at list prices.\n");
});

test("shows a tile as a line, a record as names and values, nothing as none", () => {
  expect(human({ key: 4, moved: false }, style)).toBe("tile 4, moved no\n");
  expect(human({ key: null }, style)).toBe("tile -\n");
  expect(human({ owned: [1, 2], others: [], role: "admin" }, style)).toBe("owned:  1, 2\nothers: -\nrole:   admin\n");
  expect(human([], style)).toBe("none\n");
});

test("shows times in local time", () => {
  const at = "2026-11-21T04:05:06.000Z";
  const local = new Date(at);
  expect(human({ at }, style)).toContain(`${local.getFullYear()}-11-${String(local.getDate()).padStart(2, "0")} `);
});
