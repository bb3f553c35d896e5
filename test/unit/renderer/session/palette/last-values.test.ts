// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { methodNames } from "../../../../../core/commands/specs.ts";
import { formsOf } from "../../../../../renderer/session/palette/commands.ts";
import { lastValues, rememberValues } from "../../../../../renderer/session/palette/last-values.ts";
import { fieldsOf, initialValues, type MethodForm } from "../../../../../renderer/session/palette/param-form.ts";
import { renderView } from "../../../../support/render-view.tsx";

function formOf(title: string): MethodForm {
  const found = methodNames.flatMap(formsOf).find(({ form }) => form.title === title);
  if (found === undefined) throw new Error(`no form is called ${title}`);
  return found;
}

test("values are kept by view and form, and fill it behind what was typed now", () => {
  const { view } = renderView(null);
  const { view: other } = renderView(null);
  const form = formOf("New shell with…");
  const fields = fieldsOf(form);
  const given = { fields, snapshot: view.host.snapshot() };
  rememberValues(view.ui, form, { cwd: "/project", title: "server" }, given);
  const last = lastValues(view.ui, form, given);
  expect(last).toEqual({ cwd: "/project", title: "server" });
  expect(initialValues(fields, "/other", last)).toMatchObject({ cwd: "/other", title: "server", command: "" });
  expect(lastValues(other.ui, form, given)).toEqual({});
  expect(lastValues(view.ui, formOf("Open a web page…"), given)).toEqual({});
});

test("a choice that is left no longer is not kept", () => {
  const { view } = renderView(null);
  const form = formOf("Move the tile to another workspace…");
  const given = { fields: fieldsOf(form), snapshot: view.host.snapshot() };
  rememberValues(view.ui, form, { index: "2" }, given);
  expect(lastValues(view.ui, form, given)).toEqual({ index: "2" });
  rememberValues(view.ui, form, { index: "99" }, given);
  expect(lastValues(view.ui, form, given)).toEqual({});
});

test("the index of a workspace is not kept once it is that of another one", () => {
  const { view } = renderView(null);
  const form = formOf("Move the tile to another workspace…");
  const snapshot = view.host.snapshot();
  const [first, second = expect.unreachable(), third = expect.unreachable()] = snapshot.state.workspaces;
  const given = { fields: fieldsOf(form), snapshot };
  rememberValues(view.ui, form, { index: "1" }, given);
  expect(lastValues(view.ui, form, given)).toEqual({ index: "1" });
  const moved = { ...snapshot, state: { ...snapshot.state, workspaces: [first, third, second] as const } };
  expect(lastValues(view.ui, form, { ...given, snapshot: moved })).toEqual({});
});
