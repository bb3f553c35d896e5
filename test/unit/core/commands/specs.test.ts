import { describe, expect, test } from "vitest";
import { z } from "zod";
import { methodNames, specOf, specs } from "../../../../core/commands/specs.ts";

test("every command-line name is given once, in kebab-case", () => {
  const names = methodNames.flatMap((method) => specs[method].cli.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
});

test("each of the eight shortcuts exists exactly once", () => {
  const shortcuts = methodNames.flatMap((method) => specs[method].shortcut ?? []);
  expect(shortcuts.sort()).toEqual(["agents", "chat", "layout", "shells", "tiles", "tunnels", "users", "workspaces"]);
});

test("only declared names are methods", () => {
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", "", "getlayout"]) {
    expect(specOf(name), name).toBeUndefined();
  }
});

describe.each(methodNames)("%s", (method) => {
  const { params, result, cli, shortcut, role, reads, summary } = specs[method];

  test("can be described as JSON Schema, with a text for every parameter", () => {
    expect(() => z.toJSONSchema(result, { io: "output", unrepresentable: "any" })).not.toThrow();
    const { properties = {} } = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
    const undescribed = Object.entries(properties).filter(
      ([, field]) => typeof field === "boolean" || !field.description,
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
  });

  test("names only parameters that it has, on the command line too", () => {
    for (const { args = [], preset = {}, json = [] } of cli) {
      for (const name of [...args, ...Object.keys(preset), ...json]) expect(params.shape).toHaveProperty(name);
    }
  });

  test("says what it reads, for the user who decides about plugins", () => {
    // These return nothing of the session: what was shown, and the client's own role or request.
    const tellsNothing = ["toast", "notify", "getRole", "askToType"].includes(method);
    if (role === "reader") expect(reads === undefined).toBe(tellsNothing);
    if (reads !== undefined) expect(reads).toMatch(/^[a-z].*[^.]$/);
  });

  test("a shortcut changes nothing and needs nothing", () => {
    if (shortcut === undefined) return;
    expect([role, params.safeParse({}).success]).toEqual(["reader", true]);
  });
});
