import { nkeys } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { parseCredentials } from "../../../../../main/relay/fleet/credentials.ts";

const JWT = "eyJ0.eyJq.c2ln";

test.each([
  ["a seed alone", ""],
  ["a JWT too", `-----BEGIN NATS USER JWT-----\n${JWT}\n------END NATS USER JWT------\n`],
])("a broker's challenge is signed with the key of the credentials: %s", (_name, jwt) => {
  for (let round = 0; round < 5; round++) {
    const user = nkeys.createUser();
    const seed = new TextDecoder().decode(user.getSeed());
    const text = `owner: tester\nmember: box\n${jwt}-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
    const { member, authenticator } = parseCredentials(text, "box.creds");
    const answer = authenticator(`challenge ${round}`);
    expect(answer).toEqual({ nkey: user.getPublicKey(), sig: expect.any(String), ...(jwt === "" ? {} : { jwt: JWT }) });
    const { sig = "" } = answer as { sig?: string };
    const signature = new Uint8Array(Buffer.from(sig, "base64url"));
    const isValidFor = (challenge: string) =>
      nkeys.fromPublic(member).verify(new TextEncoder().encode(challenge), signature);
    expect([isValidFor(`challenge ${round}`), isValidFor("another challenge")]).toEqual([true, false]);
  }
});
