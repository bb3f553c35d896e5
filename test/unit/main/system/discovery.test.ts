import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RelayFile } from "../../../../core/protocol/relay-file.ts";
import { announce, isAnnouncedByAnother, isClaimedByAnother } from "../../../../main/system/discovery.ts";
import { temporaryFolder } from "../relay/temporary-folder.ts";

const told = { url: "http://127.0.0.1:7717", pid: process.pid, version: "1", startedAt: "2026-11-21T00:00:00Z" };
/** Above every limit that Linux and macOS have. */
const NO_PID = 2 ** 22 + 7;

test("a relay tells where it is, to its user only, and takes it back", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "runtime", "relay.json");
  const takeBack = announce(file, told);
  expect(RelayFile.parse(JSON.parse(readFileSync(file, "utf8")))).toEqual(told);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  takeBack();
  expect(existsSync(file)).toBe(false);
  takeBack();
});

test("another's announcement that came later stays", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "relay.json");
  const takeBack = announce(file, told);
  announce(file, { ...told, pid: process.ppid });
  takeBack();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: process.ppid });
});

test("a relay of a later start is another one, though it has the same process id", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "relay.json");
  const takeBack = announce(file, told);
  expect(isClaimedByAnother(file, told)).toBe(false);
  const later = { ...told, startedAt: "2026-11-21T00:00:01Z" };
  announce(file, later);
  expect(isClaimedByAnother(file, told)).toBe(true);
  takeBack();
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(later);
  writeFileSync(file, "{");
  expect(isClaimedByAnother(file, told)).toBe(false);
});

test.each([
  ["nothing", undefined, false],
  ["nonsense", "{", false],
  ["this process", JSON.stringify(told), false],
  ["a dead process", JSON.stringify({ ...told, pid: NO_PID }), false],
  ["a live one", JSON.stringify({ ...told, pid: process.ppid }), true],
])("%s there: another relay runs is %s", (_what, text, expected) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "relay.json");
  if (text !== undefined) writeFileSync(file, text);
  expect(isAnnouncedByAnother(file)).toBe(expected);
});
