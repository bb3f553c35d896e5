import type { Logins } from "../relay/access/logins.ts";
import { quoted } from "./next-steps.ts";

/** Prints every new login and how to answer it, for a relay without the app. Returns an unsubscribe function. */
export function printLogins(
  logins: Pick<Logins, "pending" | "onChange">,
  print: (line: string) => void,
  { data }: { data: string | undefined },
): () => void {
  const told = new Set<string>();
  const more = data === undefined ? "" : ` --data ${quoted(data)}`;
  const tell = () => {
    for (const { code, name, address } of logins.pending()) {
      if (told.has(code)) continue;
      told.add(code);
      print(`Login: ${JSON.stringify(name)} from ${address} asks for a key of yours, with the code ${code}.`);
      print(`  If that is you: service approve ${code}${more}   (else: service approve ${code} --deny${more})`);
    }
    const waiting = new Set(logins.pending().map(({ code }) => code));
    for (const code of told) if (!waiting.has(code)) told.delete(code);
  };
  tell();
  return logins.onChange(tell);
}
