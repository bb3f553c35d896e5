import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { TUNNEL_ENTRY } from "../../../core/protocol/page-credentials.ts";

/** Longest pass in bytes. */
const LONGEST_PASS = 200;

/**
 * Returns a new host name for a tunnel on this machine. Browsers resolve every name below `localhost` to loopback
 * themselves, and share neither cookies nor storage between two of them or with the relay's own address. The name has 128
 * random bits, so that no other page can guess where a tunnel is.
 */
export function newTunnelHost(): string {
  return `${randomBytes(16).toString("hex")}.localhost`;
}

interface EntryPasses {
  /** Returns the `Set-Cookie` header for a valid pass; undefined for another one. */
  admit(secret: string): string | undefined;
  /** Throws a RemoteError for a request without a valid cookie. */
  check(request: IncomingMessage): void;
}

/** Returns whether a request is for the entry of a tunnel and not for the program behind it. */
export function isTunnelEntry({ url = "/" }: IncomingMessage): boolean {
  return url.split("?", 1).join("").startsWith(TUNNEL_ENTRY);
}

/**
 * Answers the requests below `/.patchbay/` of a tunnel's own host. The relay cannot set a cookie for another host, so the
 * session's page shows the entry with a pass after the `#`; the entry's script posts the pass, gets the cookie, and goes on
 * to the program's page.
 */
export async function serveTunnelEntry(
  request: IncomingMessage,
  response: ServerResponse,
  passes: EntryPasses,
): Promise<void> {
  switch (request.method) {
    case "GET":
      if (request.url === `${TUNNEL_ENTRY}admitted`) {
        passes.check(request);
        return void response.writeHead(204, HEADERS).end();
      }
      return void response.writeHead(200, { ...HEADERS, "Content-Type": "text/html; charset=utf-8" }).end(PAGE);
    case "POST": {
      const cookie = passes.admit(await readPass(request));
      if (cookie === undefined) {
        throw new RemoteError("unauthenticated", "This pass is not valid any more: open the tunnel's tile again.");
      }
      return void response.writeHead(204, { ...HEADERS, "Set-Cookie": cookie }).end();
    }
    default:
      throw new RemoteError("wrong_method", "A tunnel's entry takes GET and POST.");
  }
}

async function readPass(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) {
    text += String(piece);
    if (text.length > LONGEST_PASS) throw new RemoteError("body_too_large", "This is no pass of a tunnel.");
  }
  return text;
}

const SCRIPT = `
const given = location.hash.slice(1);
const end = given.indexOf("/");
const show = (text) => { document.body.textContent = text; };
history.replaceState(null, "", location.pathname);
(async () => {
  const entered = await fetch("${TUNNEL_ENTRY}", { method: "POST", body: end < 0 ? given : given.slice(0, end) });
  if (!entered.ok) return show(await entered.text());
  const admitted = await fetch("${TUNNEL_ENTRY}admitted");
  if (!admitted.ok) return show("This browser keeps no cookie for a page in a frame. Open the tunnel outside, with the button above.");
  location.replace("/" + (end < 0 ? "" : given.slice(end).replace(/^[/\\\\]+/, "")));
})().catch(() => show("The relay does not answer."));
`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Opening the tunnel</title>
<body>
<script>${SCRIPT}</script>
`;

const HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    `script-src 'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
