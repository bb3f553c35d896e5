import type { RemoteAccess } from "../relay/tls/remote-access.ts";

/** The notice that other machines can reach the relay: its address, what that means, and how to undo it. */
export function outsideNotice({ urls, fingerprint, selfSigned }: RemoteAccess): string {
  const [first = "", ...more] = urls;
  return [
    "",
    "*** OTHER MACHINES CAN REACH THIS RELAY ***",
    `  at ${first}`,
    ...more.map((url) => `  or ${url}`),
    "  With an API key or an invite link anyone can use your shells from there. Links: `service invite --outside`.",
    ...(selfSigned
      ? ["  Its certificate vouches for itself, so browsers warn at the first visit. Go on only if they show this one:"]
      : ["  Its certificate:"]),
    `    SHA-256 ${fingerprint}`,
    "  To serve this machine alone again, start without --listen; what the app has kept is changed in its panel.",
    "",
  ].join("\n");
}
