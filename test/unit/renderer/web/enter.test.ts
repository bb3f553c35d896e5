import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STORED_KEY } from "../../../../core/protocol/page-credentials.ts";
import { enterSession } from "../../../../renderer/web/enter.ts";

const SESSION = "s1";
const stored = STORED_KEY + SESSION;
let good: ReadonlySet<string>;
let asked: string[];

beforeEach(() => {
  good = new Set();
  asked = [];
  vi.stubGlobal("location", { pathname: `/s/${SESSION}`, href: `http://127.0.0.1:7717/s/${SESSION}` });
  vi.stubGlobal("fetch", async (_to: URL | string, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    const isGood = good.has(headers["x-service-token"] ?? "");
    return isGood ? Response.json({ result: { session: SESSION } }) : new Response("No.", { status: 401 });
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A browser that opens the session's page by a link, with keys of earlier visits. */
function browser(hash: string, { tab, kept }: { readonly tab?: string; readonly kept?: string }) {
  const storage = (key: string | undefined) => {
    const values = new Map(key === undefined ? [] : [[stored, key]]);
    return {
      values,
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => values.set(name, value),
      removeItem: (name: string) => values.delete(name),
    };
  };
  const window = {
    location: { pathname: `/s/${SESSION}`, hash },
    history: { replaceState: () => undefined },
    sessionStorage: storage(tab),
    localStorage: storage(kept),
  };
  const askKey = async (reason: string) => {
    asked.push(reason);
    if (asked.length > 1) throw new Error("the user was asked again");
    return "typed";
  };
  const enter = () => enterSession(window as unknown as Window, async () => "", askKey);
  return { enter, inTab: window.sessionStorage.values, inBrowser: window.localStorage.values };
}

test.each(["#spent-invite", "#token=wrong", "#owner=used"])(
  "a link that is not good, %s, leaves the key of the owner's browser as it was, which lets the page in",
  async (hash) => {
    good = new Set(["own"]);
    const { enter, inBrowser } = browser(hash, { kept: "own" });
    expect(await enter()).toEqual({ apiKey: "own" });
    expect([inBrowser.get(stored), asked]).toEqual(["own", []]);
  },
);

test("a kept key that is no longer good is forgotten, before the one of the browser is tried and the user is asked", async () => {
  good = new Set(["own", "typed"]);
  const tabs = browser("", { tab: "revoked", kept: "own" });
  expect(await tabs.enter()).toEqual({ apiKey: "own" });
  expect([tabs.inTab.get(stored), asked]).toEqual(["own", []]);
  const { enter, inTab, inBrowser } = browser("#token=wrong", { tab: "revoked", kept: "revoked too" });
  expect(await enter()).toEqual({ apiKey: "typed" });
  expect([inTab.get(stored), inBrowser.get(stored), asked]).toEqual(["typed", undefined, ["No."]]);
});
