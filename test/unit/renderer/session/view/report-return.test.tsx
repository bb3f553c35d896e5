// @vitest-environment happy-dom
import { expect, onTestFinished, test } from "vitest";
import type { TerminalSubscriber } from "../../../../../core/client/terminal-subscriptions.ts";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import { reportReturn } from "../../../../../renderer/session/view/report-return.ts";
import type { SessionHost, SessionSnapshot } from "../../../../../renderer/session/view/session-host.ts";
import { words } from "../../../../../renderer/session/words/index.ts";
import { createStore } from "../../../../../renderer/ui/store.ts";
import { renderView } from "../../../../support/render-view.tsx";

/** A view whose connection the test cuts; `now` in milliseconds. */
function connection() {
  let now = 0;
  let shell: TerminalSubscriber | undefined;
  const subscribeOutput: SessionHost["subscribeOutput"] = (_shell, subscriber) => {
    shell = subscriber;
    return () => undefined;
  };
  const { view } = renderView(null, { host: { subscribeOutput } });
  const snapshot = createStore<SessionSnapshot>(view.host.snapshot());
  const host = {
    ...view.host,
    snapshot: snapshot.get,
    subscribe: snapshot.subscribe,
  };
  onTestFinished(reportReturn({ host, ui: view.ui, terminals: view.terminals }, () => now));
  onTestFinished(
    view.terminals.output.attach(ShellId.parse(1), {
      bytes: () => undefined,
      missed: () => undefined,
      settled: (done) => done(),
      serialize: () => "",
      restore: () => undefined,
    }),
  );
  return {
    cut: () => snapshot.set({ ...snapshot.get(), connected: false }),
    back(after: number, parts: Partial<SessionSnapshot> = {}) {
      now += after;
      snapshot.set({ ...snapshot.get(), connected: true, ...parts });
    },
    snapshot: snapshot.get,
    skip: () => shell?.missed(4_096, ""),
    messages: () => view.ui.toasts.shown.get().map(({ message }) => message),
  };
}

test("says how long it took and that nothing was lost; a blink says nothing", () => {
  const { cut, back, messages } = connection();
  cut();
  back(1_500);
  expect(messages()).toEqual([]);
  cut();
  back(7_400);
  expect(messages()).toEqual([words.view.backWhole("7 s")]);
  cut();
  expect(messages()).toEqual([]);
});

test("shells that no longer run were lost", () => {
  const { cut, back, snapshot, messages } = connection();
  cut();
  const { mirror } = snapshot();
  if (mirror === undefined) throw new Error("no session");
  back(7_400, { mirror: { ...mirror, shells: mirror.shells.slice(1) } });
  expect(messages()).toEqual([words.view.back("7 s")]);
});

test("output that was skipped takes back that nothing was lost; later it is no matter of the connection", () => {
  const { cut, back, skip, messages } = connection();
  skip();
  expect(messages()).toEqual([]);
  cut();
  back(7_400);
  skip();
  expect(messages()).toEqual([words.view.backSkipped("7 s")]);
});
