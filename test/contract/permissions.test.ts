import { expect, test } from "vitest";
import { methodNames, specs } from "../../core/commands/specs.ts";
import { asked } from "../support/asked-names.ts";

/** A change of who may do what is a visible difference in this table. */
test("methods, roles and scopes", () => {
  const rows = [...methodNames].sort().map((method) => {
    const { role, scope, shortcut, untargeted, touches } = specs[method];
    const changes = touches === undefined ? "" : `changes ${JSON.stringify(touches)}`;
    const more = [shortcut === undefined ? "" : `GET ${shortcut}`, untargeted ? "untargeted" : "", changes]
      .filter((part) => part !== "")
      .join(" ");
    return `${method.padEnd(18)} ${role.padEnd(7)} ${scope.padEnd(8)} ${more}`.trimEnd();
  });
  expect(rows.join("\n")).toMatchSnapshot();
});

test("what clients may ask of the relay, and in which role", () => {
  const rows = asked.map(({ name, spec }) => `${name.padEnd(18)} ${spec.role}`);
  expect(rows.sort().join("\n")).toMatchSnapshot();
});
