import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Identifiers that were private words, each with the term that is used instead. */
const identifiers: Readonly<Record<string, string>> = {
  sendAway: "disconnectClient",
  takeStock: "reconcileShells",
  cutOff: "orphaned",
  tellDiskFaults: "mapDiskErrors",
  noLongerStrange: "markAuthenticated",
  someone: "waitForClient",
  whyNot: "addressError",
  inWords: "describe",
  elsewhere: "a name for what it runs",
  lasting: "persistent",
  besides: "a name for what it adds",
  Deed: "Action",
  Course: "RunProgress",
  Belongings: "OwnedResources",
  Hearer: "Subscriber",
  Trouble: "HealthIssue",
  GuestBook: "InviteStore",
  Brake: "OutputThrottle",
  Meter: "MetricsRecorder",
  Found: "a specific name",
  Told: "a specific name",
  Asked: "a specific name",
  TerminalListener: "Subscription",
};

/** Phrases that no document, comment or text of the interface uses. */
const phrases: readonly RegExp[] = [
  /are all that is asked of you/i,
  /^#+ Read on$/im,
  /what survives what/i,
  /belongs? to nobody/i,
  /good all the same/i,
  /Answers how to stop/i,
  /\b[Ww]hoever\b/,
  /\b(He|he|him|his) (is|was|has|may|looks|types|does|asks|himself|own)\b/,
  /could not be saved\. It was done/i,
  /the shells' process\b/i,
  /the process that holds the shells/i,
];

const sources = ["core", "main", "client", "cli", "renderer", "preload"].flatMap((top) => filesIn(top, /\.tsx?$/));
const documents = [...filesIn("docs", /\.md$/), ...readdirSync(root).filter((name) => /^[A-Z]+\.md$/.test(name))];
const files = [...sources, ...documents]
  // History keeps the words of its time.
  .filter((file) => file !== "CHANGELOG.md" && file !== "docs/reference/commands.md");

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => name.test(file));
}

test("there is something to read", () => {
  expect(files.length).toBeGreaterThan(500);
});

test.each(Object.entries(identifiers))("no symbol is called %s: say %s", (word) => {
  const symbol = new RegExp(`(^|[^\\w$"'\`-])${word}\\b(?=[^\\n]*)`);
  const found = files
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => symbol.test(withoutText(readFileSync(resolve(root, file), "utf8"))));
  expect(found).toEqual([]);
});

test.each(phrases)("nothing says %s", (phrase) => {
  expect(files.filter((file) => phrase.test(readFileSync(resolve(root, file), "utf8")))).toEqual([]);
});

/** A source without its comments and texts. */
function withoutText(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\/\/.*$/gm, "")
    .replace(/>[^<>{}]*</g, "><")
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "");
}
