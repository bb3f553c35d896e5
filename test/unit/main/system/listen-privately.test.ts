import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenPrivately } from "../../../../main/system/listen-privately.ts";
import { temporaryFolder } from "../relay/temporary-folder.ts";

test.skipIf(process.platform === "win32")(
  "a socket replaces one that is left, and is removed with its server",
  async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "commands.sock");
    const [first, second] = [createServer(), createServer()];
    const removeFirst = await listenPrivately(first, path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(["commands.sock"]);
    const removeSecond = await listenPrivately(second, path);
    removeFirst();
    await new Promise((resolve) => first.close(resolve));
    expect(existsSync(path)).toBe(true);
    removeSecond();
    await new Promise((resolve) => second.close(resolve));
    expect(readdirSync(folder.path)).toEqual([]);
  },
);

test("what cannot be replaced is an error, and nothing is left", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "commands.sock");
  mkdirSync(path);
  const server = createServer();
  await expect(listenPrivately(server, path)).rejects.toThrow();
  await expect.poll(() => readdirSync(folder.path)).toEqual(["commands.sock"]);
});
