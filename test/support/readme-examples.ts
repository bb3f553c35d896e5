import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "vitest";

/** Returns the block under "Examples" of the README, with the address and the session that the page cannot know. */
export function exampleScript({ url, session }: { readonly url: string; readonly session: string }): string {
  const text = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");
  const [, block] = /## Examples[\s\S]*?```sh\n([\s\S]*?)```/.exec(text) ?? [];
  if (block === undefined) throw new Error("README.md has no examples");
  return block.replaceAll("http://127.0.0.1:7717", url).replaceAll("SESSION/", `${session}/`);
}

/** Checks that the examples printed what the page promises. */
export function expectPromised(out: string): void {
  expect(out).toMatch(/^hello-42$/m);
  expect(out).toMatch(/browser.*example\.org/);
  expect(out).toMatch(/"shown": ?(?:true|false)|shown +by\n +\d+ +(?:yes|no)/);
  expect(out).toMatch(/\{"result":\[\{"key":/);
  expect(out).toMatch(/\{"result":\{"key":\d+,"shellId":\d+/);
}
