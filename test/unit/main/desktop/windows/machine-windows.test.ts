import { expect, test, vi } from "vitest";
import { machineWith } from "../../../../support/machine-overview.ts";

vi.hoisted(() => vi.resetModules());
vi.mock("electron", () => ({}));

const { MachineWindows } = await import("../../../../../main/desktop/windows/machine-windows.ts");

test("the machines that the relay lists are asked by what counts their questions", async () => {
  const listed = [machineWith([])];
  const windows = new MachineWindows({
    machines: {} as never,
    watch: { list: async () => listed },
    windows: {} as never,
    changed: () => undefined,
    showPanel: () => undefined,
  });
  expect(await windows.list()).toBe(listed);
});
