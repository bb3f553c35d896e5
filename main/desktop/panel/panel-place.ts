export const PANEL_SIZE = { width: 400, height: 640 } as const;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The bounds of the panel: centred below the point, within the screen's work area. */
export function panelBounds(point: { x: number; y: number }, area: Rectangle): Rectangle {
  const { width, height } = PANEL_SIZE;
  const x = Math.max(area.x, Math.min(point.x - width / 2, area.x + area.width - width));
  const y = Math.max(area.y, Math.min(point.y, area.y + area.height - height));
  return { x: Math.round(x), y: Math.round(y), width, height };
}
