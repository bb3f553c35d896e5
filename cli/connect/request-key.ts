import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { RemotePeer } from "../../client/http.ts";
import { sendOAuthRequest } from "../../client/oauth-request.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { escapeControls } from "../render/cell.ts";
import type { Io } from "../render/io.ts";

const CLIENT_ID = "patchbay-command-line";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
/** Added to the interval at every `slow_down` (RFC 8628 §3.5). */
const SLOWER_SECONDS = 5;
/** A relay that names none gets a question every 5 s (RFC 8628 §3.2). */
const INTERVAL_SECONDS = 5;
/** No relay gets more than one question a second, and none makes its caller wait beyond sense. */
const MAX_INTERVAL_SECONDS = 60;
const MAX_WAIT_SECONDS = 3600;

/** Printed as they are, before anything is known of who answers: no sequence for the terminal can be among them. */
const Printable = z.string().regex(/^[\x21-\x7e]+$/);

const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: Printable.max(40),
  expires_in: z
    .number()
    .min(0)
    .transform((seconds) => Math.min(seconds, MAX_WAIT_SECONDS)),
  interval: z
    .number()
    .default(INTERVAL_SECONDS)
    .transform((seconds) => Math.min(Math.max(seconds, 1), MAX_INTERVAL_SECONDS)),
});
const TokenResponse = z.object({ access_token: Printable, user: z.string().transform(escapeControls) });

/** Revokes a key or token, which needs no other credential. */
export async function revoke(url: string, token: string, remote: RemotePeer | undefined): Promise<void> {
  await sendOAuthRequest(url, "revoke", { form: { token }, schema: z.object({}), remote });
}

/** Gets a key by the device grant (RFC 8628): shows the code and waits until the user has answered. */
export async function requestKey(
  io: Io,
  url: string,
  remote: RemotePeer | undefined,
): Promise<z.output<typeof TokenResponse>> {
  const form = { client_id: CLIENT_ID, device_name: `${io.program} on ${hostname()}` };
  const begun = await sendOAuthRequest(url, "device_authorization", {
    form,
    schema: DeviceAuthorization,
    remote,
  });
  if (!begun.ok) throw refused(begun.message);
  const { device_code: device, user_code: code, expires_in: seconds } = begun.value;
  io.stderr.write(
    `\n  Code: ${code}\n\nCompare it with the one that the Patchbay app shows, and click Allow there.\nWithout the app, on the computer of the relay: ${io.program} approve ${code}\n\n`,
  );
  const end = Date.now() + seconds * 1000;
  let interval = begun.value.interval;
  while (Date.now() < end) {
    showProgress(io, Math.ceil((end - Date.now()) / 1000));
    await delay(Math.min(interval * 1000, end - Date.now()));
    const form = { grant_type: GRANT_TYPE, device_code: device, client_id: CLIENT_ID };
    const response = await sendOAuthRequest(url, "token", { form, schema: TokenResponse, remote });
    if (response.ok) {
      showProgress(io, undefined);
      return response.value;
    }
    if (response.error === "slow_down") interval += SLOWER_SECONDS;
    else if (response.error !== "authorization_pending") {
      showProgress(io, undefined);
      throw refused(response.message);
    }
  }
  showProgress(io, undefined);
  throw refused(`No answer within ${Math.round(seconds / 60)} minutes: try again.`);
}

/** Overwrites one line of the terminal; writes nothing to a pipe. */
function showProgress({ stdout: out, stderr: err }: Io, left: number | undefined): void {
  if (!out.isTTY) return;
  err.write(left === undefined ? "\r\u001b[K" : `\r\u001b[KWaiting for the answer, ${left} s left …`);
}

function refused(message: string): CliError {
  return new CliError(exitCodes.authentication, message);
}
