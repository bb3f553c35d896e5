import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const renderer = resolve(import.meta.dirname, "../../renderer");

/** Rows of what the user opened: dialogs and steps have the platform's order, in which the button that goes on is last. */
const GOES_ON_LAST = /^(actions|welcome-move)$/;
const BUTTON = /<(?:button|CardButton)\b/;
const MAIN = /className="button (?:primary|danger)/;

test("in a row of buttons the primary one is first, as is yes in each answer, and last in dialogs", () => {
  const files = readdirSync(renderer, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  const rows = files.flatMap((file) =>
    rowsOf(readFileSync(resolve(renderer, file), "utf8")).map((row) => ({ file, ...row })),
  );
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(({ parent, before, after }) => (GOES_ON_LAST.test(parent) ? after : before) > 0)).toEqual([]);
});

/** Returns the rows with a main button, each with the number of buttons before and after it. The format gives the nesting. */
function rowsOf(source: string): { readonly parent: string; readonly before: number; readonly after: number }[] {
  const lines = source.split("\n");
  return lines.flatMap((line, at) => {
    if (!MAIN.test(line)) return [];
    const button = lines.findLastIndex((one, index) => index <= at && BUTTON.test(one));
    const depth = indentOf(lines[button]);
    const start = lines.findLastIndex((one, index) => index < button && indentOf(one) < depth && /^\s*<\w/.test(one));
    const end = lines.findIndex(
      (one, index) => index > button && one.trim() !== "" && indentOf(one) <= indentOf(lines[start]),
    );
    const isButton = (one: string) => BUTTON.test(one);
    return [
      {
        parent: /className="([\w-]+)/.exec(lines[start] ?? "")?.[1] ?? "",
        before: lines.slice(start, button).filter(isButton).length,
        after: lines.slice(button + 1, end).filter(isButton).length,
      },
    ];
  });
}

function indentOf(line = ""): number {
  return line.length - line.trimStart().length;
}
