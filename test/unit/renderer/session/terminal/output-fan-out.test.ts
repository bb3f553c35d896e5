import { expect, test } from "vitest";
import type { TerminalSubscriber } from "../../../../../core/client/terminal-subscriptions.ts";
import type { ShellId } from "../../../../../core/protocol/ids.ts";
import { OutputFanOut, type Screen } from "../../../../../renderer/session/terminal/output-fan-out.ts";

const shell = 7 as ShellId;

function setUp() {
  const log: string[] = [];
  let listener: TerminalSubscriber | undefined;
  const feeds = new OutputFanOut((id, given) => {
    log.push(`listen ${id}`);
    listener = given;
    return () => log.push(`stop ${id}`);
  });
  const send = (text: string, done: () => void, quiet = false) =>
    listener?.bytes(new TextEncoder().encode(text), done, quiet);
  const miss = (bytes: number, snapshot: string) => listener?.missed(bytes, snapshot);
  return { feeds, log, send, miss };
}

/** A screen that takes bytes in only when told. */
class SlowScreen implements Screen {
  content = "";
  /** What of it is not this screen's to answer. */
  quiet = "";
  readonly pending: (() => void)[] = [];
  bytes(bytes: Uint8Array, done: () => void, quiet: boolean): void {
    const text = new TextDecoder().decode(bytes);
    this.content += text;
    if (quiet) this.quiet += text;
    this.pending.push(done);
  }
  missed(bytes: number, snapshot: string): void {
    this.content = `${snapshot}(missed ${bytes})`;
  }
  settled(done: () => void): void {
    this.pending.push(done);
  }
  serialize(): string {
    return this.content;
  }
  restore(content: string): void {
    this.content = content;
  }
}

test("two screens of one shell share one subscription, and bytes are acknowledged once both have processed them", () => {
  const { feeds, log, send } = setUp();
  const [first, second] = [new SlowScreen(), new SlowScreen()];
  feeds.attach(shell, first);
  send("early ", () => log.push("taken early"));
  first.pending.shift()?.();
  feeds.attach(shell, second);
  send("late", () => log.push("taken late"));
  first.content = "early ";
  first.pending.shift()?.();
  first.content = "early late";
  first.pending.shift()?.();
  expect(log).toEqual(["listen 7", "taken early"]);
  second.pending.shift()?.();
  expect(log).toEqual(["listen 7", "taken early", "taken late"]);
  expect([first.content, second.content]).toEqual(["early late", "early late"]);
});

test("detaching the last screen unsubscribes; attaching again subscribes anew", () => {
  const { feeds, log } = setUp();
  const stops = [feeds.attach(shell, new SlowScreen()), feeds.attach(shell, new SlowScreen())];
  stops[0]?.();
  expect(log).toEqual(["listen 7"]);
  stops[1]?.();
  stops[1]?.();
  feeds.attach(shell, new SlowScreen());
  expect(log).toEqual(["listen 7", "stop 7", "listen 7"]);
});

test("a screen that detaches with unacknowledged bytes does not block the others", () => {
  const { feeds, log, send } = setUp();
  const [first, second] = [new SlowScreen(), new SlowScreen()];
  feeds.attach(shell, first);
  const stop = feeds.attach(shell, second);
  send("x", () => log.push("taken"));
  stop();
  for (const done of first.pending) done();
  expect(log).toEqual(["listen 7", "taken"]);
});

test("missed output is reported to every screen", () => {
  const { feeds, miss } = setUp();
  const [first, second] = [new SlowScreen(), new SlowScreen()];
  feeds.attach(shell, first);
  feeds.attach(shell, second);
  miss(12, "screen");
  expect([first.content, second.content]).toEqual(["screen(missed 12)", "screen(missed 12)"]);
});

test("a screen whose source detaches before the copy still gets the copy and the buffered bytes", () => {
  const { feeds, log, send } = setUp();
  const [first, second] = [new SlowScreen(), new SlowScreen()];
  const stop = feeds.attach(shell, first);
  first.content = "before ";
  feeds.attach(shell, second);
  stop();
  send("after", () => log.push("taken"));
  for (const done of second.pending) done();
  expect(second.content).toBe("before after");
  expect(log).toEqual(["listen 7", "taken"]);
});

test("of several screens the first one answers queries, of what is not quiet for all", () => {
  const { feeds, send } = setUp();
  const [first, second] = [new SlowScreen(), new SlowScreen()];
  feeds.attach(shell, first);
  send("kept ", () => undefined, true);
  const detach = feeds.attach(shell, second);
  send("before the copy ", () => undefined);
  for (const take of first.pending.splice(0)) take();
  send("after it ", () => undefined);
  expect([first.quiet, second.quiet]).toEqual(["kept ", "before the copy after it "]);
  detach();
  const third = feeds.attach(shell, new SlowScreen());
  send("again ", () => undefined);
  expect(first.quiet).toBe("kept ");
  third();
});
