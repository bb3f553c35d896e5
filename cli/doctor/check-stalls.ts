import { isAlive } from "../../main/system/processes/is-alive.ts";
import { readStalls } from "../../main/system/stall-file.ts";
import type { Check } from "./finding.ts";

/** Checks whether the relay of the data folder was, or is, held up: then no client gets an answer. */
export const checkStalls: Check = ({ data, relay }) => {
  if (relay === undefined || !isAlive(relay.pid)) return { state: "ok", found: "No relay runs." };
  const stalls = readStalls(data);
  if (stalls?.pid !== relay.pid) return { state: "ok", found: "The relay was never held up for over a second." };
  const { ongoing, count, longestMs } = stalls;
  if (ongoing !== undefined) {
    const doing = ongoing.stack[0] === undefined ? "" : `, in ${ongoing.stack[0]}`;
    return {
      state: "problem",
      found: `The relay (process ${relay.pid}) has answered nothing since ${ongoing.since}${doing}.`,
      advice: `Report this with stalls.json of the data folder. If it does not end, \`kill -9 ${relay.pid}\` and start again: the shells stay.`,
    };
  }
  const times = count === 1 ? "once" : `${count} times`;
  return {
    state: "note",
    found: `The relay was held up ${times} for over a second; the longest took ${(longestMs / 1000).toFixed(1)} s.`,
    advice: "logs/current.log of the data folder has the stack of each (“the event loop was held up”): report it.",
  };
};
