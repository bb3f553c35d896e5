import { qrCode } from "./qr-code.ts";

interface Link {
  readonly url: string;
  readonly expiresAt: string;
}

/**
 * Returns what is printed on a terminal about a link that lets the owner in, and about one for a phone, as a QR code too,
 * where other machines reach the relay.
 */
export function ownerLinkText({ url, expiresAt }: Link, outside: Link | undefined): string {
  const until = new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(expiresAt));
  const forPhone =
    outside === undefined
      ? []
      : [
          "Your own link for a phone or another machine, likewise:",
          `  ${outside.url}`,
          "",
          qrCode(outside.url, true),
          "",
        ];
  return [`Your own link, for one browser on this machine; until ${until}:`, `  ${url}`, "", ...forPhone].join("\n");
}
