// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { STORED_KEY } from "../../../../../core/protocol/page-credentials.ts";
import { startInBrowser } from "../../../../../renderer/tray/start/start-in-browser.tsx";
import { words } from "../../../../../renderer/tray/words/index.ts";

const EMPTY = {
  ...{ user: "owner", version: "1", sessions: [], logins: [], outsideUrls: [], healthIssue: null },
  budgets: { day: null, session: null },
};
const REFUSAL = "This key does not open it.";
/** Returns the accepted key that the tab keeps. */
const ownKey = () => sessionStorage.getItem("patchbay-panel-key");
const door = () => screen.queryByLabelText(words.browser.key);
const away = () => screen.queryByRole("region", { name: words.connection.title });

/** Starts the page over a relay that answers with the status for a key; a status that never comes is no answer. */
async function startPage(fragment: string, statusOf: (apiKey: string) => number | Promise<number>) {
  let answerOf = statusOf;
  const before = globalThis.fetch;
  const element = document.body.appendChild(document.createElement("div"));
  Reflect.get(window, "happyDOM").setViewport({ width: 400, height: 640 });
  globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    const status = await answerOf(new Headers(init?.headers).get("x-service-token") ?? "");
    if (status !== 200) return new Response(REFUSAL, { status, headers: { "x-service-error": "some_error" } });
    if (pathname === "/v1/overview/changes") return new Response(new ReadableStream());
    return Response.json({ result: pathname === "/v1/overview" ? EMPTY : [] });
  };
  onTestFinished(async () => {
    // A refused key ends the host, and with it what the page does later.
    answerOf = () => 401;
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    document.dispatchEvent(new Event("visibilitychange"));
    hidden.mockRestore();
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(door()).not.toBeNull());
    globalThis.fetch = before;
    element.remove();
    sessionStorage.clear();
  });
  location.hash = fragment;
  await act(() => startInBrowser(window, element));
  return {
    answer: (next: typeof statusOf) => {
      answerOf = next;
    },
  };
}

test("an outline stands there until the relay has answered first", async () => {
  await startPage("#token=pb_slow", () => new Promise(() => undefined));
  expect(screen.getByRole("main").textContent).toBe(words.connection.loading);
  expect([door(), ownKey()]).toEqual([null, null]);
});

test.each([
  ["does not answer", (): Promise<number> => Promise.reject(new TypeError("The connection was refused."))],
  ["fails", (): number => 500],
] as const)("a relay that %s is told as such, and no key is asked for", async (_what, statusOf) => {
  const { answer } = await startPage("#token=pb_owner", statusOf);
  await waitFor(() => expect(away()).not.toBeNull());
  expect(door()).toBeNull();
  answer(() => 200);
  await userEvent.setup().click(screen.getByRole("button", { name: words.connection.retry }));
  expect(await screen.findByText(words.inbox.calm)).toBeDefined();
  expect([away(), ownKey()]).toEqual([null, "pb_owner"]);
});

test("of the keys that the browser keeps the first is used that the relay accepts", async () => {
  sessionStorage.setItem(`${STORED_KEY}a`, "pb_watch");
  sessionStorage.setItem(`${STORED_KEY}b`, "pb_owner");
  await startPage("", (apiKey) => (apiKey === "pb_owner" ? 200 : 403));
  expect(await screen.findByText(words.inbox.calm)).toBeDefined();
  expect([door(), ownKey()]).toEqual([null, "pb_owner"]);
});

test("a key is asked for where the relay refuses all that the browser keeps", async () => {
  sessionStorage.setItem(`${STORED_KEY}a`, "pb_watch");
  sessionStorage.setItem(`${STORED_KEY}b`, "pb_old");
  await startPage("", () => 403);
  await waitFor(() => expect(door()).not.toBeNull());
  expect(screen.getByText(words.browser.about)).toBeDefined();
});

test("a key that the link has and the relay refuses is told with the reason", async () => {
  await startPage("#token=pb_guessed", () => 401);
  expect((await screen.findByRole("alert")).textContent).toBe(REFUSAL);
});
