import { expect, test } from "vitest";
import { RemoteError } from "../../../../core/protocol/errors.ts";
import type { HistorySettings } from "../../../../core/protocol/history.ts";
import { askHistory } from "../../../../main/entry/ask-history.ts";

/** Asks with these answers; the terminal is closed after them. */
async function asked(
  answers: readonly string[],
  { choice = "unasked", hasKeychain = true }: { choice?: HistorySettings["choice"]; hasKeychain?: boolean } = {},
) {
  const done: string[] = [];
  const questions: string[] = [];
  const left = [...answers];
  await askHistory({
    settings: () => ({ choice, encrypted: true, days: 30, maxBytes: 2 * 1024 ** 3, except: [], patterns: {} }),
    async ask(question) {
      questions.push(question);
      return left.shift() ?? Promise.reject(new Error("closed"));
    },
    print: (line) => done.push(line),
    async start({ unencrypted }) {
      if (!unencrypted && !hasKeychain) throw new RemoteError("invalid_request", "No keychain can be reached.");
      done.push(unencrypted ? "start unencrypted" : "start");
    },
    stop: async () => void done.push("stop"),
  });
  return { done, questions };
}

test("it says what is kept, and the answer is carried out", async () => {
  const yes = await asked(["maybe", "Y"]);
  expect(yes.questions).toHaveLength(2);
  expect(yes.questions[0]).toMatch(/30 days, 2 GB at most, encrypted/);
  expect(yes.done[0]).toBe("start");
  expect((await asked(["no"])).done[0]).toBe("stop");
});

test("without a keychain the owner decides once more, and nothing is recorded in clear without a yes", async () => {
  const refused = await asked(["y", "n"], { hasKeychain: false });
  expect(refused.done).toEqual(["No keychain can be reached.", "Nothing is recorded.", "stop"]);
  const accepted = await asked(["y", "yes"], { hasKeychain: false });
  expect(accepted.done[1]).toBe("start unencrypted");
});

test("who has decided is not asked, and a terminal that is closed decides nothing", async () => {
  expect(await asked(["y"], { choice: "off" })).toEqual({ done: [], questions: [] });
  expect(await asked(["y"], { choice: "on" })).toEqual({ done: [], questions: [] });
  expect((await asked([])).done).toEqual([]);
  expect((await asked(["y"], { hasKeychain: false })).done).toEqual(["No keychain can be reached."]);
});
