import { expect, test } from "vitest";
import { planSetup } from "../../../../core/layout/plan-setup.ts";

const shell = (...commands: string[]) => ({ type: "shell", commands });

test("fills unnamed cells with shells", () => {
  expect(planSetup({ grid: "2x2", tiles: "tunnel:3000,browser" })).toEqual({
    columns: 2,
    rows: 2,
    cells: [[{ type: "tunnel", port: 3000 }], [{ type: "browser" }], [shell()], [shell()]],
  });
});

test("gives the commands to all shell tiles in order, after a shell's own command", () => {
  const plan = planSetup({ grid: "2x2", tiles: "shell:htop+shell,tunnel:3000", commands: "echo a,,'echo c, d'" });
  expect(plan.cells).toEqual([
    [shell("htop", "echo a"), shell()],
    [{ type: "tunnel", port: 3000 }],
    [shell("echo c, d")],
    [shell()],
  ]);
});

test("takes a grid alone", () => {
  expect(planSetup({ grid: "1x1" })).toEqual({ columns: 1, rows: 1, cells: [[shell()]] });
});

test.each([
  [{ grid: "2x" }, "invalid_params", "params.grid: expected columns x rows"],
  [
    { grid: "1x1", tiles: "shell,shell" },
    "invalid_params",
    "params.tiles: expected at most 1 cells for a grid of 1x1, got 2",
  ],
  [
    { grid: "2x1", tiles: "browser", commands: "a,b" },
    "invalid_params",
    "params.commands: expected at most 1 commands",
  ],
  [{ grid: "1x1", tiles: "shell+".repeat(1024).concat("shell") }, "limit_reached", "at most 1024 tiles, got 1025"],
])("refuses %.60j", (params, code, message) => {
  expect(() => planSetup(params)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
});
