import type { OperationResult } from "../../core/operations/index.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { qrCode } from "./qr-code.ts";

/**
 * Creates an invite and returns what is printed about it: the link, and for phones, where other machines reach the relay,
 * the link at their address as a QR code.
 *
 * @param onTerminal whether colours can be printed
 */
export async function inviteText(
  create: () => Promise<Pick<OperationResult<"createInvite">, "urls" | "expiresAt">>,
  onTerminal: boolean,
): Promise<string> {
  try {
    const { urls, expiresAt } = await create();
    const [here = "", outside] = urls;
    const until = new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(expiresAt));
    const forPhones =
      outside === undefined
        ? ["It is for this machine. For phones and other machines, start with --listen 0.0.0.0."]
        : ["For a phone or another machine:", `  ${outside}`, "", qrCode(outside, onTerminal)];
    return [`Invite link for one browser, which may type; until ${until}:`, `  ${here}`, ...forPhones, ""].join("\n");
  } catch (error) {
    // Such as a full disk: the relay runs all the same.
    if (error instanceof RemoteError) return `No invite link: ${error.message}\n`;
    throw error;
  }
}
