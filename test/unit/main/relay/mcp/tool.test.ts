import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { listProcedures, procedureOf } from "../../../../../core/procedures/index.ts";
import { selectTools } from "../../../../../main/relay/mcp/profiles.ts";
import { describeTool, placeOf, structured } from "../../../../../main/relay/mcp/tool.ts";

const toolOf = (name: string, withResult = false) => {
  const procedure = procedureOf(name);
  if (procedure === undefined) throw new Error(name);
  return describeTool(procedure, { withResult });
};

describe("a procedure as a tool", () => {
  test.each(listProcedures().map((procedure) => [procedure.name, procedure] as const))(
    "%s has a name, a description and schemas that every client takes",
    (name, procedure) => {
      const tool = describeTool(procedure, { withResult: true });
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(tool.title).toBe(procedure.spec.summary);
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect([name, schema?.type]).toEqual([name, "object"]);
        // Clients compile them: a reference that leads nowhere makes the whole list unusable.
        expect(() => new Ajv2020({ strict: false, validateFormats: false }).compile(schema ?? {})).not.toThrow();
      }
      // Anthropic's and others' services refuse tools with these.
      expect(Object.keys(tool.inputSchema)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(one|any|all)Of$/)]),
      );
      expect(tool.inputSchema.required ?? []).not.toContain("session");
      // Its own parameter of that name is no session's id.
      if (name === "setBudgets") expect(tool.inputSchema.properties.session).not.toMatchObject({ type: "string" });
    },
  );

  test("says what it may do to what is there", () => {
    expect(toolOf("getShells").annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(toolOf("runCommand").annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    });
    expect(toolOf("createWorkspace").annotations).toMatchObject({ destructiveHint: false, idempotentHint: false });
    expect(toolOf("closeShell").annotations.destructiveHint).toBe(true);
    expect(toolOf("renameTile").annotations.idempotentHint).toBe(true);
    expect(toolOf("setup").annotations).toMatchObject({ destructiveHint: true, idempotentHint: false });
    expect(toolOf("revokeKey").annotations).toMatchObject({ destructiveHint: true, idempotentHint: true });
  });

  test("is described once: connections share what takes long to make", () => {
    for (const withResult of [true, false]) {
      expect(toolOf("getShells", withResult)).toBe(toolOf("getShells", withResult));
      expect(toolOf("getShells", withResult).outputSchema !== undefined).toBe(withResult);
    }
  });

  test("takes the session and the client from its arguments, and leaves the rest to the procedure", () => {
    const place = (name: string, given: Record<string, unknown>) => {
      const procedure = procedureOf(name);
      if (procedure === undefined) throw new Error(name);
      return placeOf(procedure, given);
    };
    expect(place("getTiles", { session: "s", client: 2, all: true })).toEqual({
      session: "s",
      client: 2,
      params: { all: true },
    });
    expect(place("toast", { message: "hi", client: "all" })).toEqual({
      session: undefined,
      client: "all",
      params: { message: "hi" },
    });
    expect(place("getQuestions", { session: "s" })).toEqual({
      session: "s",
      client: undefined,
      params: { session: "s" },
    });
    // Of another type than it must be: the procedure says so.
    expect(place("getTiles", { session: 7, client: "x" }).params).toEqual({ session: 7, client: "x" });
  });

  test.each([
    [{ key: 1 }, { key: 1 }],
    [[1, 2], { result: [1, 2] }],
    ["text", { result: "text" }],
    [undefined, { result: null }],
  ])("%j is the structured content %j", (result, content) => {
    expect(structured(result)).toEqual(content);
  });
});

describe("a profile", () => {
  const listOf = (profile?: string) => {
    const { procedures, describesResults } = selectTools(profile);
    return procedures.map((procedure) => describeTool(procedure, { withResult: describesResults }));
  };

  test("to observe is of tools that read, and a list of at most 2,500 tokens", () => {
    const tools = listOf("observe");
    expect(tools.filter(({ annotations }) => !annotations.readOnlyHint)).toEqual([]);
    // Tokenizers take four characters or more of JSON and English for one token.
    expect(JSON.stringify({ tools }).length / 4).toBeLessThan(2500);
  });

  test("to drive has those to observe too, and is the default", () => {
    const names = listOf("drive").map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(listOf("observe").map(({ name }) => name)));
    expect(listOf().map(({ name }) => name)).toEqual(names);
  });

  test("of all has every procedure that takes an API key", () => {
    const names = new Set(listOf("all").map(({ name }) => name));
    expect(
      listProcedures()
        .filter(({ name }) => !names.has(name))
        .map(({ name }) => name),
    ).toEqual(["reportAgentHook", "reportAgentTelemetry", "installPlugin"]);
    expect(listOf("getShells, runCommand").map(({ name }) => name)).toEqual(["getShells", "runCommand"]);
    expect(listOf("getShells")[0]?.outputSchema).toBeDefined();
  });

  test("with an unknown name is refused, with the nearest one", () => {
    expect(() => selectTools("getShels")).toThrow(/no "getShels"\. Did you mean getShells\?/);
  });
});
