import { NeedsOwnProcess } from "../../client/errors.ts";
import type { RemoteClient } from "../../client/remote-client.ts";
import { type HiddenSecret, redactSecrets, setOwnRules } from "../../main/system/redact-secrets.ts";
import { formatResult } from "../render/format-result.ts";
import type { Io, Style } from "../render/io.ts";
import { readInput } from "./write-input.ts";

/** Longest text that is tried, in characters. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Characters of a line that are shown. */
const SHOWN_CHARACTERS = 120;

/**
 * Prints what the rules of a relay hide in a file, or in the standard input for `-`. The text is read and redacted in this
 * process: it does not leave it.
 *
 * @throws CliError for what cannot be read; NeedsOwnProcess in a relay
 */
export async function tryRedactions(io: Io, client: RemoteClient, file: string, style: Style): Promise<void> {
  if (io.inRelay !== undefined) throw new NeedsOwnProcess("the file is read by the caller's own process");
  const { patterns } = await client.operation("getHistory", {});
  setOwnRules(patterns);
  const text = await readInput(io, file, MOST_CHARACTERS);
  const secrets: HiddenSecret[] = [];
  const redacted = redactSecrets(text, (secret) => secrets.push(secret));
  const rows = placesOf(secrets, redacted);
  io.stdout.write(await formatResult({ columns: ["rule", "line", "column", "length", "shown"] }, rows, style));
}

/** Returns secrets in the order of the text, each with its line and column from 1, and its line as it is left. */
function placesOf(secrets: readonly HiddenSecret[], text: string) {
  let [line, start, end] = [1, 0, text.indexOf("\n")];
  return secrets
    .toSorted((one, other) => one.from - other.from)
    .map(({ rule, from, length }) => {
      while (end >= 0 && end < from) [line, start, end] = [line + 1, end + 1, text.indexOf("\n", end + 1)];
      const shown = text.slice(start, end < 0 ? undefined : end).slice(0, SHOWN_CHARACTERS);
      return { rule, line, column: from - start + 1, length, shown: shown.trim() };
    });
}
