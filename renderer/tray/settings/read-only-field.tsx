/** A label with a read-only value, on one line. */
export function ReadOnlyField({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <p className="panel-row">
      <span className="panel-label">{label}</span>
      <code className="ellipsis" title={value}>
        {value}
      </code>
    </p>
  );
}
