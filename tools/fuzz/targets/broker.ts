import { parseBrokerUrls } from "../../../main/relay/fleet/broker.ts";
import { parseCredentials } from "../../../main/relay/fleet/credentials.ts";
import { decodeFrame, decodeRequest, encodeFrame } from "../../../main/relay/fleet/wire.ts";
import { FleetError } from "../../../main/relay/net/fleet-peer.ts";

const context = { id: "0123456789abcdef", direction: "down" } as const;

export const seeds = [
  Buffer.from(encodeFrame({ kind: "end", n: 1 }, context, "a".repeat(64))),
  Buffer.from("owner: me\nmember: a\n-----BEGIN USER NKEY SEED-----\nSUAAAAAA\n------END USER NKEY SEED------\n"),
  Buffer.from("tls://a.test:4222,nats://b"),
];

/** Messages of the broker, and the files and addresses that lead to it. */
export function fuzz(data: Buffer): void {
  decodeRequest(data);
  decodeFrame(data, context);
  const text = data.toString("utf8");
  for (const read of [() => parseBrokerUrls(text), () => parseCredentials(text, "file")]) {
    try {
      read();
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
    }
  }
}
