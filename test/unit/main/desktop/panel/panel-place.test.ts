import { expect, test } from "vitest";
import { PANEL_SIZE, panelBounds } from "../../../../../main/desktop/panel/panel-place.ts";

const area = { x: 0, y: 28, width: 1920, height: 1052 };

test.each([
  ["in the middle", { x: 960, y: 28 }, { x: 760, y: 28 }],
  ["at the right edge", { x: 1910, y: 0 }, { x: 1520, y: 28 }],
  ["at the left bottom", { x: 3, y: 1079 }, { x: 0, y: 440 }],
])("%s the panel stays wholly on the screen", (_where, icon, corner) => {
  expect(panelBounds(icon, area)).toEqual({ ...corner, ...PANEL_SIZE });
});
