import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCredentials } from "../../../../../main/relay/fleet/credentials.ts";
import { addToFleet, createFleet, removeFromFleet } from "../../../../../main/relay/fleet/fleet-files.ts";
import { temporaryFolder } from "../temporary-folder.ts";

let temporary: ReturnType<typeof temporaryFolder>;
let folder: string;
beforeEach(() => {
  temporary = temporaryFolder();
  folder = join(temporary.path, "fleet");
});
afterEach(() => temporary[Symbol.dispose]());

const create = (more: Partial<Parameters<typeof createFleet>[0]> = {}) =>
  createFleet({ folder, owner: "ann", hosts: ["box.example", "192.0.2.7"], members: ["laptop", "desk"], ...more });
const fileOf = (name: string) => readFileSync(join(folder, name), "utf8");
const memberOf = (name: string) => readCredentials(join(folder, `${name}.creds`)).member;

describe("a new fleet", () => {
  test("has a configuration, a certificate, and credentials for each relay, readable by its user only", () => {
    expect(create()).toEqual({
      config: join(folder, "nats-server.conf"),
      credentials: [join(folder, "laptop.creds"), join(folder, "desk.creds")],
    });
    const names = ["broker-cert.pem", "broker-key.pem", "desk.creds", "fleet.json", "laptop.creds", "nats-server.conf"];
    expect(readdirSync(folder).sort()).toEqual(names);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of names) expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  });

  test("has a certificate for its hosts and the loopback names, for ten years, that is its own authority", () => {
    create({ hosts: ["box.example", "127.0.0.1"] });
    const certificate = new X509Certificate(fileOf("broker-cert.pem"));
    expect(certificate.subjectAltName?.split(", ").sort()).toEqual([
      "DNS:box.example",
      "DNS:localhost",
      "IP Address:127.0.0.1",
    ]);
    expect(certificate.ca).toBe(true);
    const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
    expect([days > 3640, days < 3660]).toEqual([true, true]);
    expect(readCredentials(join(folder, "laptop.creds"))).toMatchObject({
      ...{ owner: "ann", name: "laptop", ca: `${certificate.toString().trim()}\n` },
    });
  });

  test("admits each relay to the owner's subjects, its own answers and its own entries only", () => {
    create();
    const config = fileOf("nats-server.conf");
    const member = memberOf("desk");
    expect(config).toContain(`listen: "0.0.0.0:4222"\nserver_name: "patchbay-ann"\n`);
    expect(config).toContain(`cert_file: "${join(resolve(folder), "broker-cert.pem")}"`);
    expect(config).toContain(`key_file: "${join(resolve(folder), "broker-key.pem")}"`);
    expect(config).toContain(`store_dir: "${join(resolve(folder), "jetstream")}"`);
    expect(config).toMatch(/accounts \{\n {2}ann \{\n {4}jetstream: enabled\n {4}users: \[\n {6}# laptop\n/);
    const [, user = ""] = config.split("      # desk\n");
    const [, publish = "", subscribe = ""] =
      /publish: \{ allow: (\[.*\]) \}\n *subscribe: \{ allow: (\[.*\]) \}/.exec(user) ?? [];
    expect(user).toContain(`{ nkey: ${member}, permissions: {`);
    expect(JSON.parse(subscribe)).toEqual(["patchbay.v1.ann.*.*", `patchbay.v1.ann.reply.${member}.>`]);
    expect(JSON.parse(publish)).toEqual([
      "patchbay.v1.ann.*.*",
      "patchbay.v1.ann.reply.*.*",
      `$KV.patchbay_ann.relays.${member}`,
      `$KV.patchbay_ann.beats.${member}`,
      `$KV.patchbay_ann_questions.${member}`,
      "$JS.API.STREAM.CREATE.KV_patchbay_ann_questions",
      "$JS.API.STREAM.INFO.KV_patchbay_ann_questions",
      "$JS.API.DIRECT.GET.KV_patchbay_ann_questions.>",
      "$JS.API.INFO",
      "$JS.API.STREAM.CREATE.KV_patchbay_ann",
      "$JS.API.STREAM.INFO.KV_patchbay_ann",
      "$JS.API.CONSUMER.CREATE.KV_patchbay_ann",
      "$JS.API.CONSUMER.CREATE.KV_patchbay_ann.>",
      "$JS.API.CONSUMER.INFO.KV_patchbay_ann.*",
      "$JS.API.CONSUMER.DELETE.KV_patchbay_ann.*",
      "$JS.FC.>",
    ]);
  });

  test("keeps no secret in its plan, and listens where it is told to", () => {
    create({ listen: "192.0.2.7", port: 4333 });
    expect(JSON.parse(fileOf("fleet.json"))).toEqual({
      ...{ owner: "ann", listen: "192.0.2.7", port: 4333 },
      members: [
        { name: "laptop", member: memberOf("laptop") },
        { name: "desk", member: memberOf("desk") },
      ],
    });
    expect(fileOf("nats-server.conf")).toContain('listen: "192.0.2.7:4333"');
    expect(fileOf("laptop.creds")).toMatch(/^Credentials of a relay in a Patchbay fleet\. Keep this file secret/);
  });

  test.each(["", "a b", "a.b", "x".repeat(65)])("is not made for the owner %j", (owner) => {
    expect(() => create({ owner })).toThrow("--owner: expected up to 64 letters, digits, hyphens and underscores.");
    expect(readdirSync(temporary.path)).toEqual([]);
  });

  test("is not made over one that there is", () => {
    create();
    const before = fileOf("fleet.json");
    expect(() => create()).toThrow(`${folder} holds a fleet already: add a relay with \`service fleet add NAME\`.`);
    expect(fileOf("fleet.json")).toBe(before);
  });
});

describe("a relay of a fleet", () => {
  test("is added beside the others, whose credentials stay", () => {
    create();
    const before = fileOf("laptop.creds");
    expect(addToFleet(folder, ["box"])).toEqual({
      config: join(folder, "nats-server.conf"),
      credentials: [join(folder, "box.creds")],
    });
    expect(fileOf("laptop.creds")).toBe(before);
    for (const name of ["laptop", "desk", "box"])
      expect(fileOf("nats-server.conf")).toContain(`# ${name}\n      { nkey: ${memberOf(name)},`);
  });

  test("is removed alone, and its file stays", () => {
    create();
    expect(removeFromFleet(folder, "laptop")).toEqual({ config: join(folder, "nats-server.conf"), credentials: [] });
    expect(fileOf("nats-server.conf")).not.toContain(memberOf("laptop"));
    expect(fileOf("nats-server.conf")).toContain(memberOf("desk"));
    expect(() => removeFromFleet(folder, "laptop")).toThrow(`The fleet in ${folder} has no relay laptop.`);
  });

  test.each([
    [["-x"], "A relay's name has up to 64 letters, digits, dots, hyphens and underscores."],
    [["a b"], "A relay's name has up to 64 letters, digits, dots, hyphens and underscores."],
    [["laptop"], "The fleet has a relay laptop already."],
    [["new", "new"], "The fleet has a relay new already."],
  ])("is not added as %j", (names, sentence) => {
    create();
    const before = fileOf("fleet.json");
    expect(() => addToFleet(folder, names)).toThrow(sentence);
    expect(fileOf("fleet.json")).toBe(before);
  });

  test.each([
    ["that there is not", undefined],
    ["whose plan is no JSON", "{"],
    ["whose plan says something else", JSON.stringify({ owner: "ann" })],
    ["whose plan has a port that is none", JSON.stringify({ owner: "ann", listen: "", port: 0, members: [] })],
  ])("is added to no fleet %s", (_what, plan) => {
    create();
    if (plan !== undefined) writeFileSync(join(folder, "fleet.json"), plan);
    const at = plan === undefined ? temporary.path : folder;
    for (const change of [() => addToFleet(at, ["box"]), () => removeFromFleet(at, "box")])
      expect(change).toThrow(`${at} holds no fleet: \`service fleet init\` makes one.`);
  });
});
