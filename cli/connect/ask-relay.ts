import { z } from "zod";
import { RemoteError } from "../../core/protocol/errors.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { RelayUnreachable } from "../parse/relay-unreachable.ts";
import { readText, send } from "./http.ts";
import { serviceError } from "./service-error.ts";
import { surroundingShell } from "./surrounding-shell.ts";

const SILENCE_MS = 25_000;
const Envelope = z.object({ result: z.unknown() });

/** Asks a relay for one of its own resources, below `/v1/`. Rejects with a RemoteError or a RelayUnreachable. */
export async function askRelay(
  { url: base, token }: { readonly url: string; readonly token: string },
  path: string,
  { method = "GET", body }: { readonly method?: "GET" | "POST" | "DELETE"; readonly body?: unknown } = {},
): Promise<unknown> {
  const url = new URL(`${base.replace(/\/+$/, "")}/v1/${path}`);
  const answer = await send(url, {
    method,
    headers: { "X-Service-Token": token },
    silenceMs: SILENCE_MS,
    ...(body === undefined ? {} : { body }),
  });
  const text = await readText(answer, url);
  const { statusCode: status = 0, headers } = answer;
  if (status < 200 || status >= 300) throw serviceError(status, headers["x-service-error"]?.toString(), text);
  try {
    return Envelope.parse(JSON.parse(text)).result;
  } catch (cause) {
    throw new RemoteError("internal", `What answers at ${url.origin} is not a Patchbay relay: check the address.`, {
      cause,
    });
  }
}

/**
 * Lets a command at what belongs to the user alone, a data folder or the keychain, unless it runs in a Patchbay shell
 * that may not make keys: the shell's relay decides that, and asks the user where it can. Rejects with the reason.
 */
export async function checkLocalDoor(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const around = surroundingShell(env);
  if (around === undefined) return;
  const { shell, url, token } = around;
  if (url === "" || token === "") {
    throw new CliError(
      exitCodes.authentication,
      `This runs in shell ${shell}, without its SERVICE_URL and SERVICE_TOKEN, so its rights cannot be told: run it outside of Patchbay's shells.`,
    );
  }
  try {
    await askRelay({ url, token }, "keys");
  } catch (error) {
    if (!(error instanceof RelayUnreachable)) throw error;
    throw new CliError(
      exitCodes.unreachable,
      `This runs in shell ${shell}, whose relay at ${url} does not answer, so its rights cannot be told: run it outside of Patchbay's shells.`,
      { cause: error },
    );
  }
}
