/** Patchbay's mark: four jacks in a square, one cord from top left to bottom right. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg
      className="mark"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      strokeWidth="1.6"
      aria-hidden="true"
    >
      <g stroke="currentColor">
        <circle cx="15" cy="5" r="2.2" opacity="0.55" />
        <circle cx="5" cy="15" r="2.2" opacity="0.55" />
        <circle cx="5" cy="5" r="2.2" />
        <circle cx="15" cy="15" r="2.2" />
        <path d="M5 7.2C5 12.5 15 7.5 15 12.8" strokeLinecap="round" />
      </g>
    </svg>
  );
}
