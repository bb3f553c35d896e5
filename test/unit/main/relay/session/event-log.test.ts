import { expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import type { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import { limits } from "../../../../../core/protocol/limits.ts";
import { EventLog } from "../../../../../main/relay/session/event-log.ts";

function filled(count: number): EventLog {
  const log = new EventLog();
  for (let done = 0; done < count; done++) log.append({ type: "plugin.event", data: { type: "t", from: null } });
  return log;
}

test("an empty log has nothing, and missed nothing", () => {
  expect(new EventLog().after(0)).toEqual({ events: [], dropped: 0 });
  expect(new EventLog().last).toBe(0);
});

test("events are numbered from 1 and given from any cursor on", () => {
  const log = filled(5);
  const seqs = (after: number, most?: number) => log.after(after, most).events.map(({ seq }) => seq);
  expect([log.last, seqs(0), seqs(3), seqs(5), seqs(99)]).toEqual([5, [1, 2, 3, 4, 5], [4, 5], [], []]);
  expect([seqs(0, 2), seqs(2, 2), seqs(4, 2)]).toEqual([[1, 2], [3, 4], [5]]);
});

test.each([limits.events, limits.events + 1, 10_999, 11_000, 11_001, 11_002, 25_000])(
  "of %i events exactly the last are kept, and a gap is counted",
  (count) => {
    const log = filled(count);
    const lost = count - limits.events;
    const { events, dropped } = log.after(0);
    expect([events.length, dropped, events[0]?.seq, events.at(-1)?.seq]).toEqual([
      limits.events,
      lost,
      lost + 1,
      count,
    ]);
    expect(log.after(lost + 10).dropped).toBe(0);
    expect(log.after(lost + 10).events[0]?.seq).toBe(lost + 11);
  },
);

test("a listener hears what comes until it stops; one that stops another in a call is safe", () => {
  const log = new EventLog();
  const heard: number[] = [];
  const stop = log.subscribe(({ seq }) => {
    heard.push(seq);
    stop();
  });
  log.subscribe(({ seq }) => heard.push(seq * 10));
  log.append({ type: "plugin.event", data: { type: "t", from: null } });
  log.append({ type: "plugin.event", data: { type: "t", from: null } });
  expect(heard).toEqual([1, 10, 20]);
});

test("large payloads make it fewer events, never more memory", () => {
  const log = new EventLog();
  const data = "x".repeat(1024 * 1024);
  for (let count = 0; count < 100; count++) log.append({ type: "plugin.event", data: { type: "t", data, from: null } });
  const { events, dropped } = log.after(0);
  expect(events.length).toBeLessThanOrEqual(limits.eventBytes / data.length);
  expect(events.length).toBeGreaterThan(20);
  expect([events.length + dropped, events.at(-1)?.seq]).toEqual([100, 100]);
});

test.each<[string, (text: string) => RelayEvent]>([
  ["toasts", (message) => ({ type: "toast", data: { clientId: 1 as ClientId, message, kind: "info" } })],
  ["notifications", (body) => ({ type: "notification", data: { clientId: 1 as ClientId, title: "t", body } })],
  ["titles", (title) => ({ type: "shell.title", data: { shellId: 1 as ShellId, title } })],
  ["nested data", (text) => ({ type: "plugin.event", data: { type: "t", data: [[{ text }]], from: null } })],
])("%s count with their size, after any number of small events", (_what, event) => {
  const log = filled(limits.events);
  const text = "x".repeat(256 * 1024);
  for (let count = 0; count < 1000; count++) log.append(event(text));
  const kept = log.after(0).events.filter(({ event: { type } }) => type === event("").type);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length * text.length).toBeLessThanOrEqual(limits.eventBytes);
});
