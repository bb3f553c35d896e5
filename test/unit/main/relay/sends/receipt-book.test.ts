import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { sendLimits } from "../../../../../core/protocol/receipts.ts";
import { isQueued, type NewPrompt, ReceiptBook } from "../../../../../main/relay/sends/receipt-book.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SESSION = "session-1" as SessionId;
const SHELL = 1 as ShellId;

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let events: RelayEvent[];
let book: ReceiptBook;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  folder = temporaryFolder();
  store = new Store(openStore(folder.path).database);
  store.sessions.add({ id: SESSION, name: "default", owner: "ann", createdAt: new Date(0).toISOString() });
  events = [];
  book = open();
});
afterEach(() => {
  store[Symbol.dispose]();
  folder[Symbol.dispose]();
  vi.useRealTimers();
});

/** The book as the relay's next start finds it. */
const open = () => new ReceiptBook({ id: SESSION, emit: (event) => events.push(event) }, store.receipts);

const prompt = (more: Partial<NewPrompt> = {}): NewPrompt => ({
  ...{ shellId: SHELL, agentType: "claude", agentSessionId: "a-1", when: "idle", guard: true, expect: null },
  ...{ by: "ann", expiresAt: "2100-01-01T00:00:00.000Z", text: "go on", account: "key ann" },
  ...{ byAgent: false, restrictsShell: false, namesSession: false, isAutomated: false },
  ...more,
});
const add = (more?: Partial<NewPrompt>) => book.add(prompt(more)).id;
const refuse = (id: number) => book.step(id, { state: "refused", reason: "cancelled", evidence: "cancelled" });
const order = (shell = SHELL) => book.queued(shell).map(({ receipt }) => receipt.id);

describe("the order of a queue", () => {
  test("a moved prompt stands exactly where it was put, time and again, and after a restart", () => {
    for (let count = 0; count < 5; count++) add();
    expect(order()).toEqual([1, 2, 3, 4, 5]);
    book.move(1, 3);
    expect(order()).toEqual([2, 3, 1, 4, 5]);
    book.move(2, 3);
    expect(order()).toEqual([3, 1, 2, 4, 5]);
    for (let count = 0; count < 10; count++) book.move(order()[1] ?? 0, 3);
    expect(order()).toEqual([3, 1, 2, 4, 5]);
    book = open();
    expect(order()).toEqual([3, 1, 2, 4, 5]);
    book.move(5, 2);
    expect(order()).toEqual([3, 5, 1, 2, 4]);
  });

  test("the ends are the first and the last place, and beyond", () => {
    for (let count = 0; count < 3; count++) add();
    book.move(3, 1);
    expect(order()).toEqual([3, 1, 2]);
    book.move(3, 3);
    expect(order()).toEqual([1, 2, 3]);
    book.move(1, 99);
    expect(order()).toEqual([2, 3, 1]);
    book.move(3, 0);
    expect(order()).toEqual([3, 2, 1]);
    const only = add({ shellId: 2 as ShellId });
    book.move(only, 1);
    expect(order(2 as ShellId)).toEqual([only]);
  });

  test("is of one shell, and of what waits in it", () => {
    const [first, writing, final] = [add(), add(), add()];
    add({ shellId: 2 as ShellId });
    book.setPrompt(writing, { writingAt: Date.now() });
    refuse(final);
    expect(order()).toEqual([first]);
    const known = book.get(writing);
    expect([isQueued(known.receipt, known.prompt), isQueued(book.get(first).receipt, book.get(first).prompt)]).toEqual([
      false,
      true,
    ]);
  });
});

describe("what is kept of receipts that are final", () => {
  const afterItsTime = () => vi.setSystemTime(Date.now() + (sendLimits.keptSeconds + 1) * 1000);

  test("an id is never given twice, also when every receipt is past its time", () => {
    refuse(add());
    afterItsTime();
    const second = add();
    expect(second).toBe(2);
    refuse(second);
    expect(() => book.get(1)).toThrow(expect.objectContaining({ code: "unknown_receipt" }));
    expect(book.get(2).receipt.state).toBe("refused");
    afterItsTime();
    book = open();
    expect(add()).toBe(3);
  });

  test("the newest stays past its time, because the next id counts on from it", () => {
    const [first, second] = [add(), add()];
    refuse(second);
    afterItsTime();
    refuse(first);
    book = open();
    expect([book.get(second).receipt.state, add()]).toEqual(["refused", 3]);
  });

  test("they are kept for their time, to the second", () => {
    refuse(add());
    vi.setSystemTime(Date.now() + sendLimits.keptSeconds * 1000);
    refuse(add());
    expect(book.all().map(({ receipt }) => receipt.id)).toEqual([1, 2]);
    vi.setSystemTime(Date.now() + 1);
    refuse(add());
    expect(book.all().map(({ receipt }) => receipt.id)).toEqual([2, 3]);
    expect(store.receipts.list(SESSION).map(({ receipt }) => receipt.id)).toEqual([2, 3]);
  });

  test("what is not final is kept whatever its age", () => {
    add();
    afterItsTime();
    refuse(add());
    expect(book.all().map(({ receipt }) => receipt.id)).toEqual([1, 2]);
  });
});

describe("a receipt", () => {
  test("shows no beginning of a secret that goes on after what it shows", () => {
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const lead = "x ".repeat(sendLimits.shownText / 2 - 15);
    expect(book.add(prompt({ text: `${lead}${token} and more` })).text).toBe(`${lead}ghp_${"•".repeat(26)}`);
    expect(book.add(prompt({ text: `short ${token}` })).text).toBe(`short ${token}`);
  });

  test("begins queued, shows the beginning of its text, and is told and stored", () => {
    const text = `${"x".repeat(sendLimits.shownText - 1)}😀 and more`;
    const receipt = book.add(prompt({ text }));
    expect(receipt).toMatchObject({ id: 1, session: SESSION, state: "queued", final: false, reason: null });
    expect([receipt.text, receipt.length]).toEqual(["x".repeat(sendLimits.shownText - 1), text.length]);
    expect(book.add(prompt({ text: `${"x".repeat(sendLimits.shownText)}y` })).text).toBe(
      "x".repeat(sendLimits.shownText),
    );
    expect(book.get(1).prompt).toMatchObject({ text, order: 1, writingAt: null, entered: false, proof: null });
    expect(events).toMatchObject([
      { type: "receipt.changed", data: { id: 1 } },
      { type: "receipt.changed", data: { id: 2 } },
    ]);
    expect(store.receipts.list(SESSION)).toHaveLength(2);
  });

  test("takes the steps that may follow only, and none once it is final", () => {
    const id = add();
    expect(book.step(id, { state: "written", evidence: "written" })).toBe(true);
    expect(book.step(id, { state: "queued", evidence: "back" })).toBe(false);
    expect(book.step(id, { state: "accepted", evidence: "recorded" })).toBe(true);
    expect(book.get(id).receipt.final).toBe(false);
    expect(book.step(id, { state: "started", evidence: "answers" })).toBe(true);
    expect(book.get(id).receipt).toMatchObject({ state: "started", final: true, reason: null, waitsFor: null });
    expect(book.step(id, { state: "uncertain", evidence: "?" })).toBe(false);
    expect(book.step(99, { state: "written", evidence: "?" })).toBe(false);
    expect(book.get(id).receipt.history.map(({ state, evidence }) => [state, evidence])).toEqual([
      ["queued", "the relay keeps the prompt"],
      ["written", "written"],
      ["accepted", "recorded"],
      ["started", "answers"],
    ]);
  });

  test("says what it waits for until it goes on, and does not store that", () => {
    const id = add();
    book.setWaitsFor(id, "a question is open");
    book.setWaitsFor(id, "a question is open");
    expect(events).toHaveLength(2);
    expect(book.get(id).receipt.waitsFor).toBe("a question is open");
    expect(open().get(id).receipt.waitsFor).toBeNull();
    refuse(id);
    expect(book.get(id).receipt.waitsFor).toBeNull();
    book.setWaitsFor(99, "nothing");
  });

  test("is closed once, without another state", () => {
    const id = add();
    book.step(id, { state: "written", evidence: "written" });
    book.close(id);
    book.close(id);
    book.close(99);
    expect(book.get(id).receipt).toMatchObject({ state: "written", final: true });
    expect(events).toHaveLength(3);
  });

  test("with another text is its editor's", () => {
    const id = add();
    const rewritten = { by: "bob", text: "other", account: "key bob", byAgent: true, restrictsShell: true };
    book.edit(id, { rewritten, when: "now" });
    expect(open().get(id)).toMatchObject({
      receipt: { by: "bob", text: "other", length: 5, when: "now" },
      prompt: { text: "other", account: "key bob", byAgent: true, restrictsShell: true, order: 1 },
    });
    book.edit(id, { expiresAt: "2101-01-01T00:00:00.000Z" });
    expect(book.get(id)).toMatchObject({
      receipt: { by: "bob", text: "other", expiresAt: "2101-01-01T00:00:00.000Z" },
      prompt: { account: "key bob" },
    });
  });

  test("is waited for by its state", async () => {
    const [id, other] = [add(), add()];
    const waiting = book.next(id, ({ state }) => state === "refused", 60_000);
    refuse(other);
    refuse(id);
    expect(await waiting).toMatchObject({ id, state: "refused" });
  });
});

describe("the limits", () => {
  const refused = (what: RegExp) =>
    expect.objectContaining({ code: "limit_reached", message: expect.stringMatching(what) });

  test("are of a caller, and for programs of the shell and the session too", () => {
    for (let count = 0; count < sendLimits.queuedPerCaller; count++) add();
    expect(() => add()).toThrow(refused(/of this caller/));
    expect(() => add({ shellId: 2 as ShellId })).toThrow(refused(/of this caller/));
    const program = (more: Partial<NewPrompt>) => add({ isAutomated: true, ...more });
    const perCaller = Math.min(sendLimits.queuedPerCaller, sendLimits.queuedPerShell);
    let here = book.queued(SHELL).length;
    for (let caller = 0; here < sendLimits.queuedPerShell; caller++) {
      for (let count = 0; count < perCaller && here < sendLimits.queuedPerShell; count++, here++)
        program({ account: `key ${caller}` });
    }
    expect(() => program({ account: "key new" })).toThrow(refused(/for shell 1/));
    expect(add({ account: "key bob" })).toBeGreaterThan(0);
    let all = book.all().length;
    for (let shell = 2; all < sendLimits.queuedPerSession; shell++) {
      for (let count = 0; count < perCaller && all < sendLimits.queuedPerSession; count++, all++)
        program({ account: `key of ${shell}`, shellId: shell as ShellId });
    }
    expect(() => program({ account: "key new", shellId: 999 as ShellId })).toThrow(refused(/in this session/));
    expect(add({ account: "key carl", shellId: 999 as ShellId })).toBeGreaterThan(0);
  });

  test("count what waits only", () => {
    for (let count = 0; count < sendLimits.queuedPerCaller; count++) add();
    refuse(1);
    expect(add()).toBe(sendLimits.queuedPerCaller + 1);
  });
});
