import { createInterface } from "node:readline/promises";
import { RemoteError } from "../../core/protocol/errors.ts";
import type { HistorySettings } from "../../core/protocol/history.ts";

interface HistoryQuestion {
  /** What the owner has decided. */
  readonly settings: () => HistorySettings | undefined;
  /** Asks, and resolves to what was typed. Rejects when nothing can be typed any more. */
  readonly ask: (question: string) => Promise<string>;
  readonly print: (line: string) => void;
  /** @throws RemoteError where no keychain can be reached */
  readonly start: (wish: { readonly unencrypted: boolean }) => Promise<unknown>;
  readonly stop: () => Promise<unknown>;
}

const QUESTION = `Patchbay can keep what shells print on disk: 30 days, 2 GB at most, encrypted with a key in the keychain.
Record it? Until you decide, nothing is recorded. [y/n] `;
const UNENCRYPTED = "Record without encryption, readable to every program of this user? [y/n] ";

/** Asks the owner once whether what shells print is recorded, at the terminal of `patchbay serve`. Never rejects. */
export async function askHistory({ settings, ask, print, start, stop }: HistoryQuestion): Promise<void> {
  if (settings()?.choice !== "unasked") return;
  try {
    if (!(await isYes(ask, QUESTION))) {
      await stop();
      print("Nothing is recorded. `service history on` changes it.");
      return;
    }
    const isOn = await start({ unencrypted: false }).then(
      () => true,
      async (error: unknown) => {
        if (!(error instanceof RemoteError)) throw error;
        print(error.message);
        if (!(await isYes(ask, UNENCRYPTED))) return false;
        await start({ unencrypted: true });
        return true;
      },
    );
    print(isOn ? "It is recorded from now on. `service history off` changes it." : "Nothing is recorded.");
    if (!isOn) await stop();
  } catch (error) {
    // The terminal was closed, or the relay stops: the next start asks again.
    if (error instanceof RemoteError) print(error.message);
  }
}

/** Asks until the answer is yes or no. */
async function isYes(ask: HistoryQuestion["ask"], question: string): Promise<boolean> {
  for (;;) {
    const answer = (await ask(question)).trim().toLowerCase();
    if (answer === "y" || answer === "yes") return true;
    if (answer === "n" || answer === "no") return false;
  }
}

/** Asks at this process's terminal, until it is stopped. */
export function terminalQuestions(): { readonly ask: HistoryQuestion["ask"]; stop(): void } {
  const gone = new AbortController();
  return {
    async ask(question) {
      const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
      const closed = new Promise<never>((_resolve, reject) => lines.once("close", () => reject(new Error("closed"))));
      try {
        return await Promise.race([lines.question(question, { signal: gone.signal }), closed]);
      } finally {
        closed.catch(() => undefined);
        lines.close();
      }
    },
    stop: () => gone.abort(),
  };
}
