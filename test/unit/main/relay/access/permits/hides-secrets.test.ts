import { expect, test } from "vitest";
import { specs } from "../../../../../../core/commands/specs.ts";
import { ShellId } from "../../../../../../core/protocol/ids.ts";
import { checkAccess, checkStream } from "../../../../../../main/relay/access/permits/check-call.ts";
import { guardCommand } from "../../../../../../main/relay/access/permits/guard-command.ts";
import { hidesSecrets } from "../../../../../../main/relay/access/permits/hides-secrets.ts";
import { OwnedResources } from "../../../../../../main/relay/access/permits/owned-resources.ts";
import { hidesSecretsIn, keyPermit, readingPermit } from "../../../../../../main/relay/access/permits/permit.ts";

const key = { user: "ann", scheme: "api", scopes: [], key: "k1" } as const;
const hiding =
  keyPermit({ ...key, restrictions: { secrets: "hide" } }) ?? expect.unreachable("a restricted key has a permit");

test("a key from which secrets are hidden is a restricted one, and asks in vain to keep them", () => {
  expect(hiding).toMatchObject({ hidesSecrets: true, excludesUnrestricted: true, readOnly: false });
  expect(() => hidesSecrets("keep", hiding)).toThrow(expect.objectContaining({ code: "scope_forbids" }));
  expect(hidesSecrets(undefined, hiding)).toBe(true);
  expect([hidesSecrets("keep", undefined), hidesSecrets("hide", undefined)]).toEqual([false, true]);
  expect(keyPermit({ ...key, restrictions: { readOnly: true } })?.hidesSecrets).toBe(false);
});

test("it follows no output as it comes, and joins no session", () => {
  const refused = expect.objectContaining({ code: "scope_forbids", message: expect.stringContaining("as it comes") });
  expect(() => checkStream(hiding, "a stream of output")).toThrow(refused);
  expect(() => checkAccess(hiding, "connectClient", { access: "unrestricted" })).toThrow(refused);
  expect(() => checkStream(readingPermit(ShellId.parse(1)), "a stream of output")).not.toThrow();
});

test("it finds no shell by a title or a folder, which would tell of the secrets in them letter by letter", () => {
  const ownedResources = new OwnedResources({ shell: () => undefined, savedState: () => undefined });
  const spec = specs.getShellOutput;
  const guarded = (permit: typeof hiding, params: object) =>
    guardCommand({ ownedResources }, { permit, method: "getShellOutput", spec, params: { ...params } });
  const refused = expect.objectContaining({ code: "scope_forbids", message: expect.stringContaining("by its id") });
  expect(() => guarded(hiding, { match: "title:ghp_a" })).toThrow(refused);
  expect(() => guarded(readingPermit(ShellId.parse(1), true), { match: "title:ghp_a" })).toThrow(refused);
  expect(() => guarded(hiding, { id: 1 })).not.toThrow();
  expect(() => guarded(readingPermit(ShellId.parse(1)), { match: "title:ghp_a" })).not.toThrow();
});

test("what runs in its shells, and in those that are made from them, has the limit until an admin lifts it", () => {
  const shells = new Map<number, { makers: string[] }>();
  const owned = new OwnedResources({ shell: (id) => shells.get(id) as never, savedState: () => undefined });
  let makers = [...owned.makersFor(hiding.maker ?? "")];
  expect(makers).toEqual(["key:k1:hides-secrets"]);
  for (let id = 1; id < 200; id++) {
    shells.set(id, { makers });
    makers = [...owned.makersFor(`shell:${id}`)];
    expect(hidesSecretsIn({ makers })).toBe(true);
  }
  expect(makers.length).toBeLessThan(70);
  expect(hidesSecretsIn({ makers, restricted: true })).toBe(true);
  expect(hidesSecretsIn({ makers, restricted: false })).toBe(false);
  expect(hidesSecretsIn({ makers: ["key:k1"] })).toBe(false);
  expect(hidesSecretsIn({})).toBe(false);
});
