import { describe, expect, test } from "vitest";
import { methodNames, specs } from "../../../../../core/commands/specs.ts";
import { formsOf } from "../../../../../renderer/session/palette/commands.ts";
import {
  fieldsOf,
  initialValues,
  type MethodForm,
  parseForm,
} from "../../../../../renderer/session/palette/param-form.ts";

const forms = methodNames.flatMap(formsOf);

function formOf(title: string): MethodForm {
  const found = forms.find(({ form }) => form.title === title);
  if (found === undefined) throw new Error(`no form is called ${title}`);
  return found;
}

describe.each(forms.map((form) => [form.form.title, form] as const))("the form “%s”", (_, one) => {
  const { method, form } = one;
  const names = Object.keys(specs[method].params.shape);

  test("names only parameters of its command", () => {
    const named = [...Object.keys(form.fields), ...Object.keys(form.preset ?? {}), form.focused ?? names[0]];
    expect(named.filter((name) => !names.includes(name ?? ""))).toEqual([]);
    expect(fieldsOf(one).map(({ name }) => name)).toEqual(Object.keys(form.fields));
  });

  test("has labels for people: no parameter names, no backticks", () => {
    for (const { label, help, name } of fieldsOf(one)) {
      expect(label).toMatch(/^[A-Z]/);
      expect(label).not.toBe(name);
      expect(`${label} ${help}`).not.toMatch(/`|[a-z][A-Z]/);
    }
  });

  test("sends what the declaration takes", () => {
    const fields = fieldsOf(one);
    const values = { ...initialValues(fields) };
    for (const { name, kind, required } of fields) {
      if (required && values[name] === "") values[name] = kind === "text" ? "https://example.com" : "4";
    }
    const read = parseForm(one, fields, { values, focusedTile: 3 });
    if ("wrong" in read) throw new Error(read.message);
    expect(specs[method].params.safeParse(read.params).error).toBeUndefined();
  });
});

test("the focused tile is meant where the form does not ask for it", () => {
  const form = formOf("Move the tile…");
  expect(parseForm(form, fieldsOf(form), { values: { target: "7", place: "left" }, focusedTile: 3 })).toEqual({
    params: { key: 3, target: 7, place: "left" },
  });
});

test("kinds, bounds and defaults are the declaration's, words are the form's", () => {
  expect(fieldsOf(formOf("Open a port as a tile…"))).toEqual([
    {
      name: "port",
      label: "Port",
      help: "Of a program on the machine of the shells",
      required: true,
      kind: "number",
      whole: true,
      min: 1,
      max: 65_535,
    },
  ]);
  expect(fieldsOf(formOf("Move the tile…"))[1]).toMatchObject({
    kind: "choice",
    start: "tab",
    choices: expect.arrayContaining([{ value: "up", label: "Above" }]),
  });
});

test("an empty needed field and a number that is none are refused by their labels", () => {
  const form = formOf("Open a port as a tile…");
  const read = (port: string) => parseForm(form, fieldsOf(form), { values: { port }, focusedTile: null });
  expect(read("")).toEqual({ wrong: "port", message: "Port: give a value." });
  expect(read("http")).toEqual({ wrong: "port", message: "Port: “http” is no number." });
  expect(read("3000")).toEqual({ params: { type: "tunnel", port: 3000 } });
});
