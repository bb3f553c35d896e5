// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";

const html = readFileSync(resolve(import.meta.dirname, "../../../examples/agent-cost/index.html"), "utf8");
const SCRIPTS = /<script[^>]*>(.*?)<\/script>/gs;

test("the total stays while calls fail, and the line below says why", async () => {
  const page = new DOMParser().parseFromString(html.replace(SCRIPTS, ""), "text/html");
  const textOf = (id: string) => page.getElementById(id)?.textContent;
  let isCut = false;
  let refresh: () => Promise<void> = async () => undefined;
  const patchbay = {
    ready: Promise.resolve(),
    state: { get: async () => null, set: async () => undefined },
    on(_type: string, listener: () => Promise<void>) {
      refresh = listener;
    },
    async call() {
      if (isCut) throw new Error("The connection is lost.");
      return { total: { cost: 0.61 }, byModel: [] };
    },
  };
  const script = [...html.matchAll(SCRIPTS)].at(-1)?.[1] ?? "";
  runInNewContext(script, { document: page, patchbay, setInterval: () => 0 });
  await vi.waitFor(() => expect(textOf("total")).toBe("$0.61"));
  isCut = true;
  await refresh();
  expect([textOf("total"), textOf("basis")]).toEqual(["$0.61", "The connection is lost."]);
});
