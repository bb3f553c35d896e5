import { expect, test } from "vitest";
import { TerminalSubscriptions } from "../../../../core/client/terminal-subscriptions.ts";
import type { ShellId } from "../../../../core/protocol/ids.ts";
import { limits } from "../../../../core/protocol/limits.ts";
import type { ClientLink } from "../../../../core/protocol/link.ts";

const shell = 1 as ShellId;

/** Subscriptions over a link that keeps what was sent. */
function connected() {
  const sent: unknown[] = [];
  const closed: string[] = [];
  const link: ClientLink = {
    send: (frame) => void sent.push(frame),
    close: (reason) => void closed.push(reason),
    onFrame: () => undefined,
    onClose: () => undefined,
  };
  const subscriptions = new TerminalSubscriptions();
  subscriptions.connect(link);
  const receive = (offset: number, text: string, quiet = false) =>
    subscriptions.receive({ shell, offset, bytes: Buffer.from(text), quiet });
  return { subscriptions, link, sent, receive, closed };
}

/** A window's terminal: keeps what it was given, and what it has not acknowledged. */
function terminal() {
  const waiting: (() => void)[] = [];
  const seen = { text: "", waiting };
  return Object.assign(seen, {
    bytes(bytes: Uint8Array, acknowledge: () => void) {
      seen.text += Buffer.from(bytes).toString();
      waiting.push(acknowledge);
    },
    missed(_bytes: number, snapshot: string) {
      seen.text = snapshot;
    },
  });
}

test("a second window of a shell gets what is kept, and the first one goes on without a gap or a repetition", () => {
  const { subscriptions, sent, receive } = connected();
  const [first, second] = [terminal(), terminal()];
  subscriptions.subscribe(shell, first);
  receive(0, "abc");
  subscriptions.subscribe(shell, second);
  expect(sent).toMatchObject([{ type: "listen" }, { type: "listen" }]);
  expect(sent[1]).not.toHaveProperty("from");
  // On its way since before the second request, which brings it once more.
  receive(3, "de");
  receive(0, "abcde");
  receive(5, "f");
  expect([first.text, second.text]).toEqual(["abcdef", "abcdef"]);
});

test("bytes are acknowledged once every window has drawn them, and one that leaves holds up no other", () => {
  const { subscriptions, sent, receive } = connected();
  const [first, second] = [terminal(), terminal()];
  subscriptions.subscribe(shell, first);
  const leave = subscriptions.subscribe(shell, second);
  const much = "x".repeat(100_000);
  const acknowledged = () => sent.filter((frame) => JSON.stringify(frame).includes("acknowledge"));
  receive(0, much);
  first.waiting.shift()?.();
  expect(acknowledged()).toEqual([]);
  second.waiting.shift()?.();
  expect(acknowledged()).toEqual([{ type: "acknowledge", shell, bytes: 100_000 }]);

  receive(100_000, much);
  first.waiting.shift()?.();
  leave();
  expect(sent.at(-1)).toMatchObject({ type: "listen", from: 200_000 });
  second.waiting.shift()?.();
  expect(acknowledged()).toHaveLength(1);
  receive(200_000, much);
  first.waiting.shift()?.();
  expect(acknowledged()).toHaveLength(2);
});

test("a snapshot for a window that fell behind leaves the other one alone", () => {
  const { subscriptions, receive } = connected();
  const [first, second] = [terminal(), terminal()];
  subscriptions.subscribe(shell, first);
  receive(0, "abc");
  subscriptions.subscribe(shell, second);
  subscriptions.missed(shell, { bytes: 2, snapshot: "[c]", offset: 3 });
  receive(3, "d");
  expect([first.text, second.text]).toEqual(["abcd", "[c]d"]);
});

test("the last window's end ends the request; a new link continues where the window is that has least", () => {
  const { subscriptions, sent, receive } = connected();
  const [first, second] = [terminal(), terminal()];
  const leave = [subscriptions.subscribe(shell, first)];
  receive(0, "abc");
  leave.push(subscriptions.subscribe(shell, second));
  const later: unknown[] = [];
  subscriptions.connect({
    send: (frame) => void later.push(frame),
    close: () => undefined,
    onFrame: () => undefined,
    onClose: () => undefined,
  });
  expect(later).toHaveLength(1);
  expect(later[0]).not.toHaveProperty("from");
  receive(0, "abc");
  expect([first.text, second.text]).toEqual(["abc", "abc"]);
  for (const one of leave) one();
  expect(later.at(-1)).toEqual({ type: "unlisten", shell });
  expect(sent).not.toContainEqual({ type: "unlisten", shell });
});

test("of several windows one answers the queries in the output, and none those that are not the client's to answer", () => {
  const { subscriptions, sent, receive } = connected();
  const heard: string[] = [];
  const window = (name: string) => ({
    bytes: (bytes: Uint8Array, _acknowledge: () => void, quiet: boolean) =>
      void heard.push(`${name} ${Buffer.from(bytes).toString()}${quiet ? " quiet" : ""}`),
    missed: () => undefined,
  });
  const leave = subscriptions.subscribe(shell, window("first"));
  expect(sent[0]).toMatchObject({ type: "listen", quiet: true });
  receive(0, "kept", true);
  receive(4, "new");
  subscriptions.subscribe(shell, window("second"));
  receive(0, "keptnew", true);
  receive(7, "more");
  leave();
  receive(11, "last");
  expect(heard).toEqual([
    ...["first kept quiet", "first new", "second keptnew quiet"],
    ...["first more", "second more quiet", "second last"],
  ]);
});

test("a relay that sends on without being asked is left, and one that waits is not, however often windows come and go", () => {
  const { subscriptions, receive, closed } = connected();
  const piece = "x".repeat(512 * 1024);
  const stays = terminal();
  subscriptions.subscribe(shell, stays);
  let offset = 0;
  const next = () => {
    receive(offset, piece);
    offset += piece.length;
  };
  for (let round = 0; round < 20; round++) {
    const leave = subscriptions.subscribe(shell, terminal());
    next();
    leave();
  }
  for (let round = 0; round < 20; round++) {
    next();
    for (const acknowledge of stays.waiting.splice(0)) acknowledge();
  }
  expect(closed).toEqual([]);
  for (let round = 0; round <= limits.shellsPerSession; round++) next();
  expect(closed).toEqual(["more output than was asked for"]);
});

test("what a terminal has not drawn counts over new links and new requests, until it is drawn", () => {
  const { subscriptions, link, receive, closed } = connected();
  const piece = "x".repeat(512 * 1024);
  const slow = terminal();
  slow.bytes = (_bytes, acknowledge) => void slow.waiting.push(acknowledge);
  subscriptions.subscribe(shell, slow);
  const most = limits.shellsPerSession;
  for (let round = 0; round < most; round++) {
    receive(round * piece.length, piece);
    subscriptions.connect(link);
  }
  expect(closed).toEqual([]);
  receive(most * piece.length, piece);
  expect(closed).toHaveLength(1);
  slow.waiting.shift()?.();
  receive(most * piece.length, piece);
  expect([closed.length, slow.waiting.length]).toEqual([1, most]);
});
