import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeFrame, FrameReader } from "../../../../../main/shells/host/frame.ts";
import type { HostFile } from "../../../../../main/shells/host/host-file.ts";
import {
  type HostMessage,
  PROTOCOL_VERSION,
  parseHostMessage,
  type RelayMessage,
} from "../../../../../main/shells/host/protocol.ts";
import { until } from "../../../../support/until.ts";
import { type ShellsLab, startShellsLab, wish } from "./shells-lab.ts";

const KEPT_BYTES = 4 * 1024 * 1024;
const run = { timeoutMs: 60_000 };

/** The other end of the host's socket, which reads only when it is told to. */
class BareRelay implements Disposable {
  readonly #socket: Socket;
  readonly received: { readonly message: HostMessage; readonly bytes: number }[] = [];
  closed = false;

  constructor({ socket, secret }: HostFile) {
    const reader = new FrameReader();
    this.#socket = connect(socket);
    this.#socket.on("close", () => {
      this.closed = true;
    });
    this.#socket.on("data", (piece: Buffer) => {
      for (const { head, tail } of reader.push(piece))
        this.received.push({ message: parseHostMessage(head), bytes: tail.length });
    });
    this.send({ type: "hello", protocol: PROTOCOL_VERSION, secret });
  }

  send(message: RelayMessage | { type: "hello"; protocol: number; secret: string }): void {
    for (const piece of encodeFrame(message)) this.#socket.write(piece);
  }

  stopReading(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  of<Type extends HostMessage["type"]>(type: Type) {
    return this.received.filter((one) => one.message.type === type);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** A shell whose log is full, and the relay that has taken the host over. */
async function labWithBareRelay(): Promise<{ lab: ShellsLab; relay: BareRelay }> {
  const lab = await startShellsLab();
  const host = (await lab.open()).hostFor("s");
  await host.spawn(wish);
  const printed = await host.type({ shell: 1, line: `head -c ${KEPT_BYTES} /dev/zero | tr '\\0' a; echo do''ne` });
  await host.waitFor({ shell: 1, text: "done$", since: printed.offset, ...run });
  const relay = new BareRelay(lab.host());
  await until("the host's welcome", () => relay.of("welcome").length === 1);
  return { lab, relay };
}

test("more long results than the connection holds are all answered, and nothing is cut", async () => {
  const { lab, relay } = await labWithBareRelay();
  await using _lab = lab;
  using _relay = relay;
  for (let id = 1; id <= 24; id += 1) {
    relay.send({ type: "call", id, session: "s", method: "read", params: { shell: 1 }, tail: true });
  }
  await until("all results", () => relay.closed || relay.of("done").length === 24);
  expect(relay.of("done").map(({ bytes }) => bytes >= KEPT_BYTES)).toEqual(Array.from({ length: 24 }, () => true));
  expect(lab.errors()).not.toContain("was cut");
});

test("subscriptions with windows beyond what the connection holds get their output, and calls are answered before", async () => {
  const { lab, relay } = await labWithBareRelay();
  await using _lab = lab;
  using _relay = relay;
  relay.stopReading();
  for (let listener = 1; listener <= 32; listener += 1) {
    relay.send({ type: "listen", listener, session: "s", shell: 1, from: listener * 100_000, window: 8 * KEPT_BYTES });
  }
  relay.send({ type: "call", id: 77, session: "s", method: "info", params: { shell: 1 } });
  relay.readOn();
  await until("the answer", () => relay.closed || relay.of("done").length === 1);
  // More may have come since, before this was noticed.
  const answeredAt = relay.received.findIndex(({ message }) => message.type === "done");
  const before = relay.received.slice(0, answeredAt).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(before).toBeLessThan(8 * 1024 * 1024);
  const reached = () =>
    new Map(
      relay
        .of("output")
        .flatMap(({ message, bytes }) =>
          message.type === "output" ? message.to.map((to) => [to, message.offset + bytes] as const) : [],
        ),
    );
  await until(
    "all output",
    () => relay.closed || [...reached().values()].filter((end) => end > KEPT_BYTES).length === 32,
  );
  expect(relay.closed).toBe(false);
  expect(lab.errors()).not.toContain("was cut");
});

test("millions of bells while the relay does not read fold, the marks of commands do not, and nothing is cut", async () => {
  const { lab, relay } = await labWithBareRelay();
  await using _lab = lab;
  using _relay = relay;
  relay.stopReading();
  const done = join(lab.folder, "done");
  const startedAt = performance.now();
  const line = `head -c 3000000 /dev/zero | tr '\\0' '\\a'; printf '\\e]0;the last\\a'; touch '${done}'; (exit 7)`;
  relay.send({ type: "call", id: 5, session: "s", method: "run", params: { shell: 1, line, ...run }, tail: true });
  await until("the command to end", () => existsSync(done), 50_000);
  relay.readOn();
  await until("the result", () => relay.closed || relay.of("done").length + relay.of("failed").length > 0);
  const signals = relay.of("event").flatMap(({ message }) => {
    return message.type === "event" && message.event.kind === "signal" ? [message.event.signal] : [];
  });
  const mostASecond = 100;
  expect(signals.length).toBeLessThan(300 + (mostASecond * (performance.now() - startedAt)) / 1000);
  const last = signals.findLastIndex((signal) => signal.kind === "title" && signal.title === "the last");
  const end = signals.findIndex((signal) => signal.kind === "command-end" && signal.exitCode === 7);
  expect(last).toBeGreaterThan(0);
  expect(end).toBeGreaterThan(last);
  expect(signals.filter(({ kind }) => kind === "command-start")).toHaveLength(1);
  expect(lab.errors()).not.toContain("was cut");
});
