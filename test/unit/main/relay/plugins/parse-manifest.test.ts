import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { isWithin } from "../../../../../main/relay/plugins/fetch-guarded.ts";
import { parseManifest } from "../../../../../main/relay/plugins/parse-manifest.ts";

const good = { id: "agent-cost", name: "Agent cost", version: "1.2.0", entry: "index.html" };

describe("a manifest", () => {
  test("may leave out what it does not need", () => {
    expect(parsed(good)).toEqual({ ...good, description: "", permissions: [], events: [] });
  });

  test("is taken with all that it has, each permission and event once", () => {
    const full = { ...good, description: "Costs", icon: "icons/cost.svg", events: ["build.done", "build.done"] };
    const permissions = ["getAgentCost", "toast", "getAgentCost"];
    expect(parsed({ ...full, permissions })).toEqual({
      ...full,
      permissions: ["getAgentCost", "toast"],
      events: ["build.done"],
    });
  });

  test("with too many permissions or events is refused before one of them is looked at", () => {
    for (const list of ["permissions", "events"]) {
      const long = () => parsed({ ...good, [list]: Array.from({ length: 101 }, () => "") });
      expect(long).toThrow(`manifest.${list}: expected at most 100 of them, got 101.`);
    }
  });

  test.each([
    [{ id: "Agent" }, "manifest.id: expected 1 to 64 of a-z"],
    [{ id: "../x" }, "manifest.id: "],
    [{ id: "a".repeat(65) }, "manifest.id: "],
    [{ id: 7 }, "manifest.id: expected text, got 7."],
    [{ name: undefined }, "manifest.name: expected text, got nothing."],
    [{ name: " " }, "manifest.name: expected a name."],
    [{ name: "a\nb" }, "manifest.name: expected one line"],
    [{ version: "1" }, "manifest.version: expected a version such as 1.2.0."],
    [{ description: "a".repeat(501) }, "manifest.description: expected one line of at most 500"],
    [{ entry: "/index.html" }, "manifest.entry: expected a path beside the manifest"],
    [{ entry: "../index.html" }, "manifest.entry: "],
    [{ entry: "a/../../index.html" }, "manifest.entry: "],
    [{ entry: "%2e%2e/index.html" }, "manifest.entry: "],
    [{ entry: "..\\index.html" }, "manifest.entry: "],
    [{ entry: "https://evil.example/" }, "manifest.entry: "],
    [{ entry: "//evil.example/" }, "manifest.entry: "],
    [{ entry: "javascript:alert(1)" }, "manifest.entry: "],
    [{ entry: "index.html?x" }, "manifest.entry: "],
    [{ entry: "" }, "manifest.entry: "],
    [{ icon: "../icon.svg" }, "manifest.icon: "],
    [{ permissions: "toast" }, "manifest.permissions: expected a list"],
    [
      { permissions: ["toast", "getAgentCosts"] },
      'manifest.permissions.1: no such method: "getAgentCosts"; did you mean getAgentCost?',
    ],
    [{ permissions: ["constructor"] }, "manifest.permissions.0: no such method"],
    [{ permissions: [null] }, "manifest.permissions.0: expected text"],
    [{ events: [""] }, "manifest.events.0: "],
    [{ events: ["a\u202eb"] }, "manifest.events.0: expected one line of at most 200 characters without control"],
    [{ permission: ["toast"] }, 'manifest."permission": no such parameter'],
  ])("with %j is refused by name", (change, message) => {
    expect(() => parsed({ ...good, ...change })).toThrow(message);
    expect(() => parsed({ ...good, ...change })).toThrow(RemoteError);
  });

  test.each(["", "<!doctype html>", "[]", "null", '"text"', "{", '{"__proto__": {}}'])(
    "that is %j is refused",
    (text) => {
      expect(() => parseManifest(Buffer.from(text))).toThrow(/^manifest/);
    },
  );

  test("that is not UTF-8 is refused", () => {
    const bytes = Buffer.from(JSON.stringify({ ...good, name: "Kö" }), "latin1");
    expect(() => parseManifest(bytes)).toThrow("UTF-8");
  });

  test("of any shape is taken or refused, and nothing else", () => {
    const odd = fc.record({ ...fields(fc.anything()) }, { requiredKeys: [] });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          odd.map((value) => jsonOf({ ...good, ...value })),
        ),
        (text) => {
          try {
            parseManifest(Buffer.from(text));
          } catch (error) {
            expect(error).toMatchObject({ code: "invalid_params", message: expect.stringMatching(/^manifest/) });
          }
        },
      ),
    );
  });

  test("that is taken has an entry in its own folder", () => {
    const piece = fc.constantFrom("..", ".", "a", "/", "\\", "%2e", "%2f", ":", "?", "#", "@", "\t", "//", "b.html");
    const folder = new URL("https://example.com/plugins/cost/");
    let taken = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        try {
          const { entry } = parsed({ ...good, entry: pieces.join("") });
          taken += 1;
          expect(isWithin(new URL(entry, `${folder.href}manifest.json`), folder)).toBe(true);
        } catch (error) {
          if (!(error instanceof RemoteError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(10);
  });
});

function parsed(manifest: unknown) {
  return parseManifest(Buffer.from(JSON.stringify(manifest)));
}

function fields<T>(value: T) {
  const names = ["id", "name", "version", "description", "entry", "permissions", "events", "icon"];
  return Object.fromEntries(names.map((name) => [name, value]));
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part)) ?? "null";
  } catch {
    return "null";
  }
}
