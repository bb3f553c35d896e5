import { expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import {
  hiddenRun,
  hiddenScreen,
  hideInOutput,
  shownTextIn,
  waitForShown,
} from "../../../../../main/relay/session/hidden-output.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const PRINTED = `first line\nthe token is ${TOKEN} and\nlast line\n`;
const HIDDEN = PRINTED.replace(TOKEN, `ghp_${"•".repeat(36)}`);
const shell = ShellId.parse(1);

interface Range {
  readonly since?: number;
  readonly maxBytes?: number;
}

/** Reads what a shell has printed, of which the beginning may be lost. */
function readerOf(printed: string, kept = 0) {
  return async ({ since = 0, maxBytes = printed.length }: Range) => {
    const offset = Math.max(since, kept);
    const end = Math.max(offset, Math.min(printed.length, since + maxBytes));
    return { output: printed.slice(offset, end), chunks: 1, offset, end, missed: offset - since };
  };
}

test("a part of output shows no part of a secret, wherever it is cut", async () => {
  const read = readerOf(PRINTED);
  for (let since = 0; since < PRINTED.length; since++) {
    const part = await read({ since, maxBytes: 7 });
    const { output } = await hideInOutput(part, read, false);
    expect(output).toBe(HIDDEN.slice(since, since + 7));
  }
});

test("a part shows nothing of a line whose beginning is lost, nor of a word that may go on", async () => {
  const lost = PRINTED.indexOf("klmn");
  const read = readerOf(PRINTED, lost);
  const part = await read({ since: lost, maxBytes: 100 });
  expect((await hideInOutput(part, read, false)).output).toBe(`${"•".repeat(26)} •••\nlast line\n`);

  const printing = PRINTED.slice(0, lost);
  const begun = readerOf(printing);
  const { output } = await hideInOutput(await begun({}), begun, true);
  expect(output).toBe(`first line\nthe token is ${"•".repeat(14)}`);
  const none = await begun({ since: printing.length });
  expect(await hideInOutput(none, begun, true)).toEqual(none);
});

test("rows of the screen show no part of a secret that begins above them", async () => {
  const rows = ["one", `token ${TOKEN.slice(0, 14)}`, TOKEN.slice(14), "prompt $"];
  const screen = async ({ lines = 2 }: { lines?: number | undefined }) => ({
    ...{ text: rows.slice(-lines).join("\n"), cols: 20, rows: 2, offset: 100 },
  });
  for (const lines of [undefined, 1, 2, 3, 4, 9]) {
    const { text } = await hiddenScreen({ screen: screen as never }, { shell, join: false, lines }, true);
    expect(text.split("\n")).toHaveLength(Math.min(lines ?? 2, 4));
    expect(text).not.toMatch(/[a-z]{5}[a-z0-9]{5}/);
    expect(text).toContain("prompt $");
  }
});

test("rows of a screen that changes at every look show no part of a secret that begins above them", async () => {
  const rows = [`token ${TOKEN.slice(0, 10)}`, TOKEN.slice(10, 24), TOKEN.slice(24), "prompt $"];
  let looks = 0;
  const screen = async ({ lines = 3 }: { lines?: number | undefined }) => {
    looks += 1;
    return { text: [...rows, `look ${looks}`].slice(-lines).join("\n"), cols: 16, rows: 3, offset: looks };
  };
  for (const lines of [undefined, 2, 3, 4, 5]) {
    const { text } = await hiddenScreen({ screen: screen as never }, { shell, join: false, lines }, true);
    expect(text.split("\n")).toHaveLength(lines ?? 3);
    expect(text).not.toMatch(/[a-z0-9]{7}/);
    expect(text).toContain("prompt $");
  }
});

test("an empty screen stays one, whatever stands above it", async () => {
  const screen = async ({ lines }: { lines?: number | undefined }) => ({
    ...{ text: lines === undefined ? "" : "cleared away", cols: 20, rows: 2, offset: 100 },
  });
  const wanted = { shell, join: false, lines: undefined };
  expect(await hiddenScreen({ screen: screen as never }, wanted, true)).toEqual({ text: "", offset: 100 });
});

test("what a command printed is hidden from its first line on where the beginning is lost", async () => {
  const lost = await hiddenRun({ output: `rest of ${TOKEN.slice(9)}\nok\n`, missed: 5 });
  expect(lost.output).toMatch(/^•+ •+ •+\nok\n$/);
  const whole = await hiddenRun({ output: `is ${TOKEN}\n`, missed: 0 });
  expect(whole.output).toBe(`is ghp_${"•".repeat(36)}\n`);
  const unread = { start: 3, missed: 0 };
  expect(await hiddenRun(unread)).toBe(unread);
});

test("a wait tells of a plain text that is no part of a secret, and of no pattern", async () => {
  const shells = { host: { read: readerOf(PRINTED) as never }, find: () => ({ running: true }) };
  const wanted = { shell, fixed: false, timeoutMs: 1 };
  const isShown = shownTextIn(shells, { ...wanted, text: "last" }, undefined);
  const placeOf = (text: string) => {
    const offset = PRINTED.indexOf(text);
    return { offset, end: offset + text.length };
  };
  expect(await isShown(placeOf("last"))).toBe(true);
  expect(await isShown(placeOf("token is"))).toBe(true);
  expect(await isShown(placeOf("ghp_a"))).toBe(false);
  expect(await isShown(placeOf("mnop"))).toBe(false);
  for (const text of ["ghp_a.*", "token is(?= ghp_a)", "a|b", "x{1}"]) {
    expect(() => shownTextIn(shells, { ...wanted, text }, undefined)).toThrow(
      expect.objectContaining({ code: "scope_forbids" }),
    );
  }
  expect(() => shownTextIn(shells, { ...wanted, fixed: true, text: "a.*" }, undefined)).not.toThrow();

  const open = { host: { read: readerOf("password: gh") as never }, find: () => ({ running: true }) };
  expect(await shownTextIn(open, { ...wanted, text: "gh" }, undefined)({ offset: 10, end: 12 })).toBe(false);
});

test("a text that was dropped before it was judged is not told", async () => {
  const shells = { host: { read: readerOf(PRINTED, 12) as never }, find: () => ({ running: true }) };
  const isShown = shownTextIn(shells, { shell, fixed: true, timeoutMs: 1, text: "line" }, undefined);
  expect(await isShown({ offset: 6, end: 10 })).toBe(false);
});

test("a wait ends in the same way whether a text stands in a secret or nowhere", async () => {
  const waitFor = (text: string) => {
    // As the shell host does: how much was printed since the search began, and the time that it had.
    const host = async ({ since = 0, timeoutMs }: { since?: number; timeoutMs: number }) => {
      const offset = PRINTED.indexOf(text, since);
      if (offset < 0) throw new RemoteError("wait_timeout", `In ${timeoutMs} ms ${PRINTED.length - since} bytes.`);
      const end = offset + text.length;
      return { kind: "text" as const, matched: text, offset, end, exitCode: null, signal: null };
    };
    const isShown = async ({ offset }: { offset: number }) => HIDDEN.startsWith(text, offset);
    return waitForShown({ waitFor: host as never }, { shell, text, fixed: true, since: 0, timeoutMs: 9000 }, isShown);
  };
  const refusal = { code: "wait_timeout", message: "It did not happen within 9 s." };
  await expect(waitFor("ghp_a")).rejects.toMatchObject(refusal);
  await expect(waitFor("ghp_z")).rejects.toMatchObject(refusal);
  await expect(waitFor("last")).resolves.toMatchObject({ matched: "last" });
});

test("a wait ends in its time also where every search finds another hidden text", async () => {
  let searches = 0;
  const host = async ({ since = 0 }: { since?: number }) => {
    searches += 1;
    if (searches > 1000) throw new Error("a wait without an end");
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { kind: "text" as const, matched: "a", offset: since, end: since + 1, exitCode: null, signal: null };
  };
  const waited = waitForShown({ waitFor: host as never }, { shell, text: "a", timeoutMs: 20 }, async () => false);
  await expect(waited).rejects.toMatchObject({ code: "wait_timeout" });
});

test("a wait in a shell that has ended tells no more, and other refusals stay", async () => {
  const failing = (error: Error) =>
    waitForShown({ waitFor: () => Promise.reject(error) }, { shell, text: "a", timeoutMs: 1 }, async () => false);
  const message = "Shell 1 ended before what was waited for.";
  await expect(failing(new RemoteError("shell_exited", "It printed 9 bytes."))).rejects.toMatchObject({ message });
  const others = [new RemoteError("limit_reached", "Too many waits."), new Error("a defect")];
  for (const other of others) await expect(failing(other)).rejects.toBe(other);
});
