// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ClientId, ShellId } from "../../../../../core/protocol/ids.ts";
import { Toasts } from "../../../../../renderer/session/toasts/toasts.tsx";
import { words } from "../../../../../renderer/session/words/index.ts";
import { pendingAnswer } from "../../../../support/pending-answer.ts";
import { renderView } from "../../../../support/render-view.tsx";
import { untilStill } from "../../../../support/until-still.ts";

afterEach(() => void vi.useRealTimers());

const run = () => undefined;
const shown = () => screen.queryAllByRole("button", { name: words.toasts.dismiss }).length;

test("a message stays for 8 s, also with a button that the frame has too; an offer stays for 30 s, an error until it is dismissed", () => {
  vi.useFakeTimers();
  const { view } = renderView(<Toasts />);
  act(() => {
    view.ui.toasts.show("info", "said");
    view.ui.toasts.show("info", "your own layout", [{ label: "Follow again", again: true, run }]);
    view.ui.toasts.show("info", "offered", [{ label: "Open", run }]);
    view.ui.toasts.show("error", "failed");
  });
  act(() => void vi.advanceTimersByTime(7_900));
  expect(shown()).toBe(4);
  act(() => void vi.advanceTimersByTime(100));
  expect(shown()).toBe(2);
  act(() => void vi.advanceTimersByTime(22_000));
  expect(screen.queryByText("offered")).toBeNull();
  expect(screen.getByText("failed")).toBeDefined();
});

test("the button of a message that is renewed stays where it is, and its time begins anew", () => {
  vi.useFakeTimers();
  const { view } = renderView(<Toasts />);
  const action = { label: "Cancel", run };
  const show = (message: string) => act(() => void view.ui.toasts.show("info", message, [action], "upload"));
  show("10%");
  const button = screen.getByRole("button", { name: "Cancel" });
  act(() => void vi.advanceTimersByTime(29_000));
  show("20%");
  expect(screen.getByRole("button", { name: "Cancel" })).toBe(button);
  act(() => void vi.advanceTimersByTime(29_000));
  expect(screen.getByText("20%")).toBeDefined();
});

test("while the drawer tells of requests, their messages do not tell of them too", () => {
  const { view, page } = renderView(<Toasts />);
  const assertive = () => page.container.querySelectorAll("[aria-live=assertive]").length;
  expect(assertive()).toBe(4);
  act(() => view.ui.drawerWaiting.set(0));
  // Errors are told all the same.
  expect(assertive()).toBe(1);
});

test.each([
  ["to type", words.toasts.letType("Lin"), "answerRoleRequest", { request: 7, allow: true }],
  ["for a shell", words.toasts.give("Lin"), "answerAdopt", { request: 8, allow: true }],
])("a person who asks %s is answered once, and the buttons show it until then", async (_what, name, ...call) => {
  const answer = pendingAnswer();
  const asked: unknown[] = [];
  const execute = (...given: readonly unknown[]) => {
    asked.push(given);
    return answer.result;
  };
  const { view, user, change } = renderView(<Toasts />, { host: { execute } });
  const to = view.host.snapshot().self?.id ?? expect.unreachable("the scene has a user");
  const from = { clientId: ClientId.parse(9), name: "Lin" };
  const expiresAt = "2099-01-01T00:00:00.000Z";
  change({
    roleRequests: [{ id: 7, from, role: "writer", expiresAt }],
    adoptRequests: [{ id: 8, from, shellId: ShellId.parse(1), to, expiresAt }],
  });
  const press = await untilStill(screen.getByRole("button", { name }));
  await user.click(press);
  await user.click(press);
  const isOff = () => press.closest("[role=group]")?.getAttribute("aria-disabled");
  expect([asked, isOff()]).toEqual([[call], "true"]);
  await answer.give({});
  await waitFor(() => expect(isOff()).toBeNull());
});

test("a request for a shell whose own client has no screen is shown to the session's owner", async () => {
  const { view, user, calls, change } = renderView(<Toasts />);
  const { clients } = view.host.snapshot().mirror ?? expect.unreachable("the scene has a session");
  const [me = expect.unreachable(), ada = expect.unreachable()] = clients;
  const asking = (shellOwner: typeof me) =>
    change({
      clients: [me, shellOwner],
      adoptRequests: [
        {
          id: 8,
          from: { clientId: ClientId.parse(9), name: "Lin" },
          shellId: ShellId.parse(5),
          to: shellOwner.id,
          expiresAt: "2099-01-01T00:00:00.000Z",
        },
      ],
    });
  asking(ada);
  expect(screen.queryByRole("button", { name: words.toasts.give("Lin") })).toBeNull();
  asking({ ...ada, clientKind: "desktop", device: "headless" });
  await user.click(await untilStill(screen.getByRole("button", { name: words.toasts.give("Lin") })));
  expect(calls).toEqual([["answerAdopt", { request: 8, allow: true }]]);
});
