import { expect, test } from "vitest";
import { withoutSecretsIn } from "../../../../main/system/hide-in-value.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const HIDDEN = `ghp_${"•".repeat(36)}`;

test("hides what is a secret by itself or beside its name, at any depth, and changes nothing else", async () => {
  const value = {
    id: 7,
    lines: ["ls", TOKEN, null, [{ deep: `use ${TOKEN}` }]],
    env: { password: "hunter22", PATH: "/usr/bin", empty: "", none: null },
    isDone: true,
  };
  const before = structuredClone(value);
  expect(await withoutSecretsIn(value)).toEqual({
    id: 7,
    lines: ["ls", HIDDEN, null, [{ deep: `use ${HIDDEN}` }]],
    env: { password: "••••••••", PATH: "/usr/bin", empty: "", none: null },
    isDone: true,
  });
  expect(value).toEqual(before);
});

test("hides in a text alone, and leaves a value without texts", async () => {
  expect(await withoutSecretsIn(TOKEN)).toBe(HIDDEN);
  expect(await withoutSecretsIn([1, undefined, false])).toEqual([1, undefined, false]);
  expect(await withoutSecretsIn(undefined)).toBeUndefined();
});

test("takes a value that is nested deeply", async () => {
  let value: unknown = TOKEN;
  for (let depth = 0; depth < 1000; depth++) value = [value];
  expect(JSON.stringify(await withoutSecretsIn(value))).not.toContain(TOKEN);
});

test("takes a long text in pieces, and hides what is a secret beside its name at its beginning only", async () => {
  const lengths: number[] = [];
  const hide = (text: string) => {
    lengths.push(text.length);
    return text;
  };
  const password = "hunter22 ".repeat(60_000);
  const shown = await withoutSecretsIn({ password, lines: [password] }, hide);
  expect(Math.max(...lengths)).toBeLessThan(password.length / 3);
  expect(shown.lines).toEqual([password]);
  expect(shown.password).toHaveLength(password.length);
  expect(shown.password.startsWith("•")).toBe(true);
  expect(shown.password.endsWith(" hunter22 ")).toBe(true);
});
