const paths = {
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  maximize: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  restore: "M6 3v3H3M13 6h-3V3M10 13v-3h3M3 10h3v3",
  "split-right": "M2.5 3h11v10h-11zM8 3v10",
  "split-below": "M2.5 3h11v10h-11zM2.5 8h11",
  layout: "M2.5 3h11v10h-11zM8 3v10M8 8h5.5",
  chat: "M3 3.5h10v7H7l-3 2.5v-2.5H3z",
  inbox: "M2.5 9.5l2-6h7l2 6V13h-11zM2.5 9.5H6a2 2 0 0 0 4 0h3.5",
  pin: "M5.5 2.5h5M6.500 2.5v4L4.500 9h7l-2-2.500v-4M8 9v5",
  agent: "M3 5.5h10v7H3zM8 5.5V3M6 8.500v1M10 8.500v1",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2",
  up: "M4 10l4-4 4 4",
  down: "M4 6l4 4 4-4",
  more: "M3.500 7.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM8 7.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1zM12.500 7.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1z",
  left: "M10 4L6 8l4 4",
  right: "M6 4l4 4-4 4",
  reload: "M12.5 8A4.5 4.5 0 1 1 11 4.6M11 2v3H8",
  outside: "M6 3H3v10h10v-3M9 3h4v4M13 3L7.5 8.5",
  "move-back": "M3 13h10V3H9M6.5 3H3v3.500M3 3l5.500 5.500",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z",
  commands: "M3 4.5l3.5 3.5L3 11.5M8 12h5",
  terminal: "M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.5h3",
  people:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6zM2 13c.3-2.4 1.9-3.7 4-3.7s3.7 1.3 4 3.700M10.5 3.200a2.1 2.1 0 0 1 0 4M11.5 9.500c1.5.4 2.3 1.6 2.5 3.5",
  workspace: "M2 5.5h12v8H2zM2 5.500v-3h5l1.500 3",
  appearance:
    "M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM8 2.500v11M8 5.500h4.500M8 8h5.500M8 10.500h4.500",
  plugin: "M5.500 2.500v3M10.500 2.500v3M3.500 5.500h9v2a4.500 4.500 0 0 1-9 0zM8 12v2",
  globe: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c-4.500 4-4.500 8 0 12 4.500-4 4.500-8 0-12",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500v3.500l2.500 1.500",
  session: "M4.500 2.500h9v7M2.500 5h8.500v8.500H2.500z",
  play: "M5 3.500l7.500 4.500L5 12.500z",
  pause: "M5.500 3.500v9M10.500 3.500v9",
  check: "M3 8.500l3.2 3L13 4.5",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.200v4M8 4.800v.2",
  warning: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.500v4.500M8 11.300v.2",
} as const satisfies Record<string, string>;

export type IconName = keyof typeof paths;

/** A 16 px line drawing in the text colour. Decorative: the surrounding button has the label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={paths[name]} strokeWidth="1.25" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
