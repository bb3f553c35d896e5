// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { Door } from "../../../../renderer/web/door.tsx";

const file = resolve(import.meta.dirname, "../../../../renderer/web/index.html");

test("the page loads with a sign of life in no language, and the door makes room for the session", () => {
  const html = readFileSync(file, "utf8").replace(/<script.*<\/script>/, "");
  const page = new DOMParser().parseFromString(html, "text/html");
  const root = page.getElementById("root");
  if (root === null) throw new Error("The page has no root element.");
  expect(root.textContent?.replace(/\s/g, "")).toBe("Patchbay…");
  expect(root.querySelector("main")?.getAttribute("aria-busy")).toBe("true");
  expect(root.querySelector("svg.mark")).not.toBeNull();
  new Door(root).close();
  expect(root.childElementCount).toBe(0);
});
