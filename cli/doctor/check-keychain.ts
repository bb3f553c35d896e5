import { errorText } from "../../core/protocol/error-text.ts";
import { openKeyEntry } from "../connect/keychain.ts";
import type { Check } from "./finding.ts";

const TIMEOUT_MS = 5000;

/** Checks that the keychain can be reached and holds a key for this relay. */
export const checkKeychain: Check = async ({ env, relay }) => {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const kept = await Promise.race([readKey(relay?.keyAccount), rejectedBy(late)]);
    if (kept !== undefined) return { state: "ok", found: "It can be reached, and keeps a key for the command line." };
    if (isSet(env.SERVICE_TOKEN)) {
      return { state: "ok", found: "It can be reached, and keeps no key; SERVICE_TOKEN is used." };
    }
    const advice = "`service login` gets a key and keeps it there.";
    return { state: "note", found: "It can be reached, and keeps no key for this relay.", advice };
  } catch (error) {
    const found = errorText(error);
    if (isSet(env.SERVICE_TOKEN)) return { state: "note", found: `${found} SERVICE_TOKEN is used instead.` };
    return { state: "problem", found, advice: advice() };
  }
};

async function readKey(account: string | undefined): Promise<string | undefined> {
  // Any account shows whether the keychain can be reached.
  return (await openKeyEntry(account ?? "doctor")).get();
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("The keychain does not answer: it may be locked.")));
  });
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== "";
}

function advice(): string {
  const start = "Set SERVICE_TOKEN to a key from `patchbay keys create --name NAME`";
  if (process.platform !== "linux") return `Unlock your keychain, or: ${start}.`;
  return `${start}; or install, start and unlock a Secret Service (\`sudo apt install gnome-keyring\`, KWallet, KeePassXC) on the session bus.`;
}
