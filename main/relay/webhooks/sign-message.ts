import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** Makes the secret of a hook, in the form that the libraries of Standard Webhooks take. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** Returns the headers of Standard Webhooks for a message: its id, the time in seconds and the signature of both and the body. */
export function signedHeaders(secret: string, { id, at, body }: { id: string; at: Date; body: string }) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
