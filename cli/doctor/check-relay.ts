import { createServer } from "node:net";
import { readText, send } from "../../client/http.ts";
import { withoutTrailing } from "../../core/protocol/without-trailing.ts";
import { isAlive } from "../../main/system/processes/is-alive.ts";
import type { CheckContext } from "./check-context.ts";
import type { Check, CheckResult } from "./finding.ts";

/** Port of the app and of `patchbay serve` without --port. */
const DEFAULT_PORT = 7717;
const TIMEOUT_MS = 3000;

/** Checks that the relay of the data folder runs and answers; where none runs, that its default port is free. */
export const checkRelay: Check = async ({ relay }) => {
  if (relay === undefined || !isAlive(relay.pid)) return checkUsualPort(relay);
  const { url, pid } = relay;
  const who = `The relay at ${url} (process ${pid})`;
  try {
    const health = new URL(`${withoutTrailing(url, "/")}/v1/health`);
    const answer = await send(health, { silenceMs: TIMEOUT_MS });
    const text = await readText(answer, health);
    if (answer.statusCode === 200 && text.includes('"ok":true')) return { state: "ok", found: `${who} answers.` };
    return {
      state: "problem",
      found: `What answers at ${url} is no Patchbay relay.`,
      advice: "Start Patchbay again; if the port stays taken, choose another with --port.",
    };
  } catch {
    const advice = `See its log in logs/current.log of the data folder; if it hangs, end process ${pid} and start it again.`;
    return { state: "problem", found: `${who} does not answer.`, advice };
  }
};

async function checkUsualPort(relay: CheckContext["relay"]): Promise<CheckResult> {
  const before = relay === undefined ? "No relay runs" : `The last relay (process ${relay.pid}) ended without notice`;
  if (await isFree(DEFAULT_PORT)) {
    const advice = "Start the Patchbay app, or run `patchbay serve`.";
    return { state: "note", found: `${before}; port ${DEFAULT_PORT} is free for one.`, advice };
  }
  return {
    state: "problem",
    found: `${before}, and another program uses port ${DEFAULT_PORT}.`,
    advice: "End that program, or start Patchbay with --port N (0 picks a free one).",
  };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
