import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TerminalSubscriptions } from "../../../../core/client/terminal-subscriptions.ts";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { startTestRelay, type TestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

const ASKED = String.raw`\033[6n\033[?6n\033[5n\033[c\033[>c\033[>q\033]10;?\007\033]11;?\033\\`;
const ANSWERS = [
  "\x1b[2;6R",
  "\x1b[?2;6R",
  "\x1b[0n",
  "\x1b[?1;2c",
  "\x1b[>0;276;0c",
  "\x1bP>|Patchbay\x1b\\",
  "\x1b]10;rgb:e6e6/e6e6/e6e6\x1b\\",
  "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
].join("");

/** Starts a program that asks its terminal, and keeps what it is answered in a file. */
async function openAsker(relay: TestRelay): Promise<{ readonly shell: ShellId; read(): string }> {
  const file = join(relay.folder, "answers");
  const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", {
    command: `stty raw -echo; : > ${file}; printf '\\033[2J\\033[2;1Hasked${ASKED}'; dd bs=1 of=${file} status=none`,
  });
  await until("the program", () => {
    try {
      return readFileSync(file, "latin1").length >= 0;
    } catch {
      return false;
    }
  });
  return { shell: shellId, read: () => readFileSync(file, "latin1") };
}

test("without a view the relay answers a program's queries once and in order, and a later view does not see them", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { shell, read } = await openAsker(relay);
  await until("the answers", () => read().length >= ANSWERS.length);
  expect(read()).toBe(ANSWERS);
  let seen = "";
  client.client.terminals.subscribe(shell, {
    bytes(bytes, acknowledge) {
      seen += Buffer.from(bytes).toString("latin1");
      acknowledge();
    },
    missed: () => undefined,
  });
  await until("the output", () => seen.includes("asked"));
  for (const query of ["\x1b[6n", "\x1b[?6n", "\x1b[5n", "\x1b[c", "\x1b[>c", "\x1b[>q", "\x1b]10;?", "\x1b]11;?"])
    expect(seen).not.toContain(query);
  const { output } = await relay.command<{ output: string }>("getShellOutput", { id: shell });
  expect(output).toContain("\x1b[6n");
  await client.client.ask("writeShell", { shell, data: "typed", raw: true });
  await until("what was typed", () => read() === `${ANSWERS}typed`);
});

test("where a view is attached, it alone answers", async () => {
  await using relay = await startTestRelay();
  await using client = await relay.join();
  const { shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", {});
  let seen = "";
  client.client.terminals.subscribe(shell, {
    bytes(bytes, acknowledge) {
      seen += Buffer.from(bytes).toString("latin1");
      acknowledge();
    },
    missed: () => undefined,
  });
  await until("the prompt", () => seen.length > 0);
  const file = join(relay.folder, "answers");
  await relay.command("writeToShell", {
    id: shell,
    data: `stty raw -echo; : > ${file}; printf '\\033[6n\\033[cask''ed'; dd bs=1 of=${file} status=none\n`,
    literal: true,
  });
  await until("the question", () => seen.includes("\x1b[6n\x1b[casked"));
  await client.client.ask("writeShell", { shell, data: "\x1b[1;1R", raw: true });
  await until("the view's answer", () => readFileSync(file, "latin1") === "\x1b[1;1R");
});

test("a client that may only read does not answer, so the relay does", async () => {
  await using relay = await startTestRelay();
  await using _client = await relay.join();
  await using reader = await relay.join({ role: "reader" });
  const file = join(relay.folder, "answers");
  const { shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", {}, 1);
  let seen = "";
  reader.client.terminals.subscribe(shell, {
    bytes(bytes, acknowledge) {
      seen += Buffer.from(bytes).toString("latin1");
      acknowledge();
    },
    missed: () => undefined,
  });
  await until("the prompt", () => seen.length > 0);
  const data = `stty raw -echo; : > ${file}; printf '\\033[c'; dd bs=1 of=${file} status=none\n`;
  await relay.command("writeToShell", { id: shell, data, literal: true }, 1);
  await until("the answer", () => {
    try {
      return readFileSync(file, "latin1") === "\x1b[?1;2c";
    } catch {
      return false;
    }
  });
});

/** A view of a shell: what it was sent, and what of it is its to answer. */
function watch(client: { readonly terminals: TerminalSubscriptions }, shell: ShellId) {
  const seen = { all: "", own: "" };
  client.terminals.subscribe(shell, {
    bytes(bytes, acknowledge, quiet) {
      const text = Buffer.from(bytes).toString("latin1");
      seen.all += text;
      if (!quiet) seen.own += text;
      acknowledge();
    },
    missed: () => undefined,
  });
  return seen;
}

test("of several views the shell's owner answers what is printed while it watches, and no view what is kept", async () => {
  await using relay = await startTestRelay();
  await using other = await relay.join();
  await using owner = await relay.join();
  const { shellId: shell } = await relay.command<{ shellId: ShellId }>("createShell", {}, owner.id);
  const print = (text: string) =>
    relay.command("writeToShell", { id: shell, data: `printf '${text}'\n`, literal: true }, 1);
  const guests = watch(other.client, shell);
  await until("the prompt", () => guests.all.length > 0);
  await print("fir''st\\033[?2004$p");
  await until("the first query", () => guests.own.includes("first\x1b[?2004$p"));
  const owners = watch(owner.client, shell);
  await until("what is kept", () => owners.all.includes("first\x1b[?2004$p"));
  expect(owners.own).not.toContain("first");
  await print("sec''ond\\033[4$p");
  await until("the second query", () => owners.own.includes("second\x1b[4$p"));
  await until("it in the other view", () => guests.all.includes("second\x1b[4$p"));
  expect(guests.own).not.toContain("second");
  owner.client.disconnect("gone");
  await until("the owner's end", async () => (await relay.command<unknown[]>("getClients")).length === 1);
  await print("thi''rd\\033[5$p");
  await until("the third query", () => guests.own.includes("third\x1b[5$p"));
});
