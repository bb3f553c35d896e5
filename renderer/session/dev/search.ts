import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Scene } from "./scenes.ts";

/** Searches what the scene's shells print. `results 40`: that many made-up ones; `conversation`: the end of one. */
export function searchScene({ output, mirror }: Scene, query: string): SearchHit[] {
  const wanted = /^results (\d+)$/.exec(query)?.[1];
  if (wanted !== undefined) return Array.from({ length: Number(wanted) }, (_, index) => madeUp(index));
  const at = new Date().toISOString();
  if (query === "conversation") return said(at);
  return mirror.shells.flatMap(({ id }) => {
    const printed = output(id);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what programs print
    const lines = printed.split("\r\n").map((line) => line.replace(/\x1b\[[\d;]*[A-Za-z]/g, ""));
    return lines.flatMap((line, index): SearchHit[] => {
      const from = line.toLowerCase().indexOf(query.toLowerCase());
      const around = { before: lines.slice(Math.max(0, index - 2), index), after: lines.slice(index + 1, index + 3) };
      return from < 0
        ? []
        : [
            {
              in: "output",
              shellId: id,
              offset: printed.indexOf(line.slice(from)),
              at,
              line,
              from,
              length: query.length,
              ...around,
            },
          ];
    });
  });
}

/** A message of the scene's conversation. */
function said(at: string): SearchHit[] {
  const conversation = { agentType: "claude", agentSessionId: "a", title: "The total of order 8812 is off by a cent" };
  const line = "Lines were rounded half up, and the sum half to even.";
  return [{ in: "conversations", at, line, from: 6, length: 4, before: [], after: [], conversation }];
}

function madeUp(index: number): SearchHit {
  const at = new Date(Date.now() - index * 61_000).toISOString();
  const number = String(index * 7919).padStart(6, "0");
  const [place, line] =
    index % 9 === 0
      ? (["commands", `npm run build -- --filter results-${number}`] as const)
      : index % 13 === 0
        ? (["chat", `The results of ${number} look right to me.`] as const)
        : ([
            "output",
            `  ✓ src/orders/totals.test.ts (${index} tests) wrote 40 results to build/${number}.json in ${index} ms`,
          ] as const);
  const from = line.indexOf("results");
  return {
    in: place,
    ...(place === "chat"
      ? { id: "1" }
      : { shellId: (1 + (Math.floor(index / 11) % 8)) as ShellId, offset: 1_000_000 - index }),
    at,
    line,
    from,
    length: 7,
    before: place === "output" ? ["$ npm test", " RUN  v4.0.1 /home/mara/orders"] : [],
    after: place === "output" ? ["", " Test Files  31 passed (31)"] : [],
  };
}
