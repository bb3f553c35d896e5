const paths = {
  inbox: "M2.5 9.5l2-6h7l2 6V13h-11zM2.5 9.5H6a2 2 0 0 0 4 0h3.5",
  sessions: "M2.5 3h11v10h-11zM2.5 6h11M5 4.5h.01",
  agents:
    "M4 4h8v8H4zM6.5 1.5V4M9.5 1.5V4M6.5 12v2.5M9.5 12v2.5M1.5 6.5H4M1.5 9.5H4M12 6.5h2.5M12 9.5h2.5M6.5 7v1.5M9.5 7v1.5",
  activity: "M1.5 8.5h3l2-5 3 9 2-4h3",
  sliders:
    "M2.5 5h6M12 5h1.5M10.2 6.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM2.5 11H4M7.5 11h6M5.8 12.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  bell: "M4 11V7.2a4 4 0 0 1 8 0V11l1.2 1.5H2.8zM6.8 14h2.4",
  "bell-off": "M4 11V7.2a4 4 0 0 1 1.3-3M7.3 3.3A4 4 0 0 1 12 7.2v2.3M10 12.5H2.8L4 11M6.8 14h2.4M2 2l12 12",
  persistent:
    "M5 5.5c-1.6 0-2.7 1.1-2.7 2.5S3.4 10.5 5 10.500c2.6 0 3.4-5 6-5 1.6 0 2.7 1.1 2.7 2.500s-1.1 2.5-2.7 2.500c-2.6 0-3.4-5-6-5z",
  key: "M5.5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 7.900L13 2.500M10.5 5l2 2",
  money:
    "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM10 6.300C9.7 5.5 9 5.2 8 5.200c-1.2 0-2 .5-2 1.4 0 2 4.1.8 4.1 2.9 0 .9-.9 1.4-2.1 1.4-1.1 0-1.9-.4-2.1-1.300M8 4v1.200M8 10.900v1.2",
  machine: "M2.5 3h11v7.500h-11zM5.5 13.500h5M8 10.500v3",
  plugin: "M6 2.500v3M10 2.500v3M4 5.500h8v3a4 4 0 0 1-8 0zM8 12.500v2",
  palette:
    "M8 14A6 6 0 1 1 14 8c0 1.500-1 2.300-2.300 2.300h-1.500c-1 0-1.500.9-1.100 1.800.4 1-.1 1.900-1.100 1.900zM5 8.500h.01M6.200 5.600h.01M9.500 5.200h.01M11.500 7.300h.01",
  terminal: "M2 3h12v10H2zM4.5 6l2 2-2 2M8 10.5h3",
  keyboard: "M1.500 4h13v8h-13zM4 6.500h.01M6.500 6.500h.01M9 6.500h.01M11.500 6.500h.01M5 9.500h6",
  heart:
    "M8 13S2.500 9.700 2.500 6.200A2.900 2.900 0 0 1 8 4.900a2.900 2.900 0 0 1 5.500 1.300C13.500 9.700 8 13 8 13z",
  send: "M14 2L7 9M14 2L9.500 14 7 9 2 6.500z",
  about: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.200v4M8 4.800v.2",
  check: "M3 8.500l3.2 3L13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  ring: "M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10z",
  moving: "M8 3a5 5 0 0 1 5 5",
} as const satisfies Record<string, string>;

export type PanelIconName = keyof typeof paths;

interface Props {
  readonly name: PanelIconName;
  readonly size?: number;
  /** Interrupts the line: something that is not certain. */
  readonly dashed?: boolean;
}

/** Draws an icon of the panel, as `Icon` does those that every page has. Decorative: words beside it say the same. */
export function PanelIcon({ name, size = 16, dashed = false }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d={paths[name]}
        strokeWidth="1.25"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeDasharray={dashed ? "2.6 2.6" : undefined}
      />
    </svg>
  );
}
