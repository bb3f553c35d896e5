import { afterAll, beforeAll, expect, test } from "vitest";
import { parseCertificate } from "../../../../../main/relay/tls/certificate.ts";
import { makeCertificate } from "../../../../../main/relay/tls/make-certificate.ts";
import type { TestRelay } from "../../../../support/test-relay.ts";
import { startPaperRelay } from "../paper-relay.ts";

let relay: TestRelay;
beforeAll(async () => {
  const made = makeCertificate(["127.0.0.1"]);
  const certificate = parseCertificate(made.cert, made.key);
  if (certificate === undefined) throw new Error("no certificate");
  relay = await startPaperRelay({ outside: { host: "127.0.0.1", port: 0, certificate: async () => certificate } });
});
afterAll(() => relay[Symbol.asyncDispose]());

const addressOf = async (method: string, params: object) =>
  (await relay.command<{ url: string }>(method, params)).url.split("/s/")[0];

test.each(["createInvite", "createOwnerLink"])(
  "%s makes links for this machine, or at a chosen address of the relay",
  async (method) => {
    const [other = ""] = relay.relay.remoteAccess?.urls ?? [];
    expect(await addressOf(method, {})).toBe(relay.url);
    expect(await addressOf(method, { outside: true })).toBe(other);
    expect(await addressOf(method, { address: other })).toBe(other);
    expect(await addressOf(method, { address: `${other}/`, outside: true })).toBe(other);
    await expect(relay.command(method, { address: "https://evil.example" })).rejects.toThrow(
      "400 address: expected an address of this relay",
    );
    await expect(relay.command(method, { address: "evil" })).rejects.toThrow("400");
  },
);

test("a relay that serves its own machine only says how others are let in, also where an address is named", async () => {
  await using alone = await startPaperRelay();
  for (const params of [{ outside: true }, { address: "https://192.0.2.7:7718" }]) {
    await expect(alone.command("createInvite", params)).rejects.toThrow("--listen ADDRESS");
  }
});
