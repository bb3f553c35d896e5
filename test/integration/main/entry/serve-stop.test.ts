import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtProgram } from "../../cli/built-program.ts";

test("a relay that is stopped as soon as it says that it is up ends in order", async () => {
  using program = await builtProgram();
  const data = join(program.folder, "data");
  for (const round of [1, 2]) {
    const relay = program.start(["serve", "--port", "0", "--data", data]);
    relay.stdout?.on("data", (piece) => {
      if (String(piece).includes("Patchbay is up")) relay.kill("SIGTERM");
    });
    expect([round, ...(await once(relay, "exit"))]).toEqual([round, 0, null]);
    expect(existsSync(join(data, "relay.json"))).toBe(false);
  }
});
