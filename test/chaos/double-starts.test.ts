import { expect, test } from "vitest";
import { doubleStarts } from "../support/double-start.ts";
import { freePort } from "../support/free-port.ts";
import { startServeLab } from "../support/start-serve.ts";

const ROUNDS = Number(process.env.CHAOS_DOUBLE_STARTS ?? 100);
/** From 0 to 200 ms, evenly. */
const gaps = Array.from({ length: ROUNDS }, (_, round) => Math.round((200 * round) / Math.max(1, ROUNDS - 1)));

test.each([
  ["any free port", async () => ["--port", "0"]],
  ["a fixed port", async () => ["--port", String(await freePort())]],
])(
  "of two relays that start together on one data folder, with %s, exactly one stays",
  async (_what, portOption) => {
    await using lab = await startServeLab();
    const args = ["--client", ...(await portOption())];
    expect(await doubleStarts(lab, { gaps, args })).toEqual([]);
  },
  900_000,
);
