import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishedRows } from "./published.ts";
import { type Sides, startSides } from "./sides.ts";
import { type Difference, VttestWalk } from "./vttest-walk.ts";

/** The items of the main menu that are gone through; the others need a keyboard or change the program's settings. */
const ITEMS = {
  "1": "cursor movements",
  "2": "screen features",
  "3": "character sets",
  "4": "double-sized characters",
  "6": "terminal reports",
  "7": "VT52 mode",
  "8": "VT102 features",
  "9": "known bugs",
  "10": "reset and self-test",
  "11": "VT220, ISO 6429, xterm",
};
/**
 * Left out: what waits for other keys than RETURN or for devices, and later terminals' own features, which xterm.js mostly
 * does not have, so that vttest waits for answers in vain.
 */
const SKIPPED =
  /keyboard|user-defined|UDK|function keys|mouse|locator|Tektronix|print|media|Modify|Send\/Receive|Bug D|window title|Report font|VT[345]20 features/i;

/** Rows that differ because the two pages are set up differently, with the reason. */
const EXPECTED = [
  {
    page: /Window report-operations/,
    row: /<27> \[ 4 ; [\d ]+ ; [\d ]+ t/,
    reason: "the size of the window in pixels: the fonts have different sizes",
  },
];

/** What Patchbay answers to DA1, since it draws sixel images; vttest chooses some of its tests by it. */
const ATTRIBUTES = "?62;4;9;22";

/** The version that the figures of docs/conformance.md are of; others have other pages. */
const PUBLISHED = "2.7 (20221229)";

/** The relay, the browser and its pages start within this time on a busy machine. */
const START_MS = 120_000;

let sides: Sides;
let version = "";

beforeAll(async () => {
  try {
    version = execFileSync("vttest", ["-V"], { encoding: "utf8" });
  } catch {
    throw new Error("vttest is not installed: sudo apt-get install vttest");
  }
  sides = await startSides({ cols: 80, rows: 24, attributes: ATTRIBUTES });
}, START_MS);

afterAll(() => sides?.stop());

test("every page of vttest looks in Patchbay as in xterm.js alone", async () => {
  const walk = new VttestWalk(sides, SKIPPED);
  const menu = await walk.press("clear; env LC_ALL=C.UTF-8 vttest 24x80.80", "start");
  const found: Difference[] = [];
  const rows: string[][] = [];
  for (const [number, title] of Object.entries(ITEMS)) {
    const { pages, differences } = await walk.item(number, number, menu);
    rows.push([`${number} ${title}`, String(pages), String(differences.length)]);
    found.push(...differences);
  }
  expect(found.filter((difference) => !isExpected(difference))).toEqual([]);
  if (version.includes(PUBLISHED)) expect(publishedRows(rows.map(([name]) => name ?? ""))).toEqual(rows);
});

function isExpected({ page, rows }: Difference): boolean {
  return EXPECTED.some(
    (one) => one.page.test(page) && rows.every(({ alone, own }) => one.row.test(alone) && one.row.test(own)),
  );
}
