import { describe, expect, test, vi } from "vitest";
import { Outage, parseBrokerUrls, Subjects } from "../../../../../main/relay/fleet/broker.ts";

describe("the addresses of a broker", () => {
  test("are separated by commas, with or without spaces", () => {
    expect(parseBrokerUrls("nats://192.0.2.7:4222, tls://[2001:db8::1]:4222")).toEqual([
      "nats://192.0.2.7:4222",
      "tls://[2001:db8::1]:4222",
    ]);
  });

  test.each([
    ["", '""'],
    ["nats://a,", '""'],
    ["192.0.2.7:4222", '"192.0.2.7:4222"'],
    ["http://192.0.2.7", '"http://192.0.2.7"'],
    ["xnats://a", '"xnats://a"'],
    ["natsx://a", '"natsx://a"'],
    ["nats:", '"nats:"'],
  ])("%j is refused by name", (text, got) => {
    expect(() => parseBrokerUrls(text)).toThrow(
      `--fleet: expected an address such as nats://192.0.2.7:4222, got ${got}.`,
    );
  });

  test.each(["nats://ann@a:4222", "nats://:secret@a:4222"])("%s is refused, and the secret is not repeated", (text) => {
    expect(() => parseBrokerUrls(text)).toThrow(
      /^--fleet: the address holds a password: give the credentials with --fleet-creds\.$/,
    );
  });
});

test("the subjects of a fleet are below its owner's, and an answer's below its member's", () => {
  const subjects = new Subjects({ owner: "ann", member: "U1" });
  expect([subjects.bucket, subjects.questions]).toEqual(["patchbay_ann", "patchbay_ann_questions"]);
  expect([subjects.inbox, subjects.all("s-1"), subjects.request("s-1", "events"), subjects.reply("U2", "t")]).toEqual([
    "patchbay.v1.ann.reply.U1",
    "patchbay.v1.ann.s-1.*",
    "patchbay.v1.ann.s-1.events",
    "patchbay.v1.ann.reply.U2.t",
  ]);
});

test("the longer the broker is away, the longer a relay waits before its next attempt, up to a bound", () => {
  let now = 0;
  const outage = new Outage(() => now);
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const delayAfter = (ms: number) => {
    now = ms;
    return outage.delay();
  };
  outage.note(false);
  expect([0, 100, 2_000, 8_000, 3_600_000].map(delayAfter)).toEqual([250, 250, 1_000, 4_000, 10_000]);
  // Losing the connection again before it was there is the same outage.
  outage.note(false);
  expect(delayAfter(3_600_000)).toBe(10_000);
  outage.note(true);
  outage.note(false);
  expect(delayAfter(3_600_000)).toBe(250);
});

test("relays that lost the broker together do not all come back at once", () => {
  const outage = new Outage(() => 0);
  outage.note(false);
  const random = vi.spyOn(Math, "random");
  const delayWith = (value: number) => {
    random.mockReturnValue(value);
    return outage.delay();
  };
  expect([0, 0.5, 1].map(delayWith)).toEqual([125, 250, 375]);
});
