/** A key combination as keycaps print it, for example `Ctrl ⇧ P`. */
export function Keys({ label }: { label: string }) {
  return <kbd className="keys">{label}</kbd>;
}
