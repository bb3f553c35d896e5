import { describe, expect, test } from "vitest";
import { type MethodName, methodNames, specs } from "../../../../../core/commands/specs.ts";
import { fieldsOf, initialValues, parseForm } from "../../../../../renderer/session/palette/param-form.ts";

describe("the form of a command", () => {
  test.each(methodNames)("%s has a field for each parameter", (method) => {
    expect(
      fieldsOf(method)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(specs[method].params.shape).toSorted());
  });

  test("takes its kinds, bounds and defaults from the declaration", () => {
    expect(fieldsOf("setRatio")).toEqual([
      {
        name: "ratio",
        required: false,
        help: "share of the first tile; needed unless `delta` is given",
        kind: "number",
        whole: false,
        min: 0.1,
        max: 0.9,
      },
      expect.objectContaining({ name: "delta", required: false, kind: "number", min: -0.8, max: 0.8 }),
      expect.objectContaining({ name: "tile", required: false, kind: "tile" }),
      expect.objectContaining({ name: "against", required: false }),
    ]);
    expect(fieldsOf("moveTile").find(({ name }) => name === "place")).toMatchObject({ kind: "choice", start: "tab" });
    expect(fieldsOf("closeShell")).toMatchObject([
      { name: "id", kind: "shell" },
      { name: "match", kind: "text" },
    ]);
    expect(fieldsOf("createShell").find(({ name }) => name === "focus")).toMatchObject({ kind: "switch", start: true });
  });

  test.each(["moveTile", "closeWorkspace", "createShell", "renameTile", "notify"] as const)(
    "%s: what it sends is what the declaration takes",
    (method: MethodName) => {
      const fields = fieldsOf(method);
      const filled = { ...initialValues(fields, 3) };
      for (const { name, kind, required } of fields)
        if (required && filled[name] === "") filled[name] = kind === "text" ? "x" : "4";
      const read = parseForm(fields, filled);
      if ("wrong" in read) throw new Error(read.message);
      expect(specs[method].params.safeParse(read.params).error).toBeUndefined();
    },
  );

  test("omits empty fields, and reports an empty required field", () => {
    const fields = fieldsOf("setRatio");
    expect(parseForm(fields, { ratio: "0.3", tile: "" })).toEqual({ params: { ratio: 0.3 } });
    expect(parseForm(fieldsOf("renameWorkspace"), { name: "x", index: "" })).toEqual({ params: { name: "x" } });
    expect(parseForm(fieldsOf("selectTab"), { index: "", tile: "2" })).toMatchObject({ wrong: "index" });
    expect(parseForm(fields, { ratio: "wide", tile: "" })).toMatchObject({
      wrong: "ratio",
      message: "ratio: expected a number, got wide.",
    });
  });

  test("an empty label is a value: it takes the label off", () => {
    expect(parseForm(fieldsOf("renameTile"), { name: "", key: "" })).toEqual({ params: { name: "" } });
  });

  test("JSON fields are read as JSON", () => {
    const fields = fieldsOf("broadcastEvent");
    expect(parseForm(fields, { type: "built", data: '{"ok":true}' })).toEqual({
      params: { type: "built", data: { ok: true } },
    });
    expect(parseForm(fields, { type: "built", data: "{" })).toMatchObject({ wrong: "data" });
  });
});
