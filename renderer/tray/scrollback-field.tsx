import { scrollbacks } from "../ui/scrollback.ts";
import { useStore } from "../ui/store.ts";
import { usePanel } from "./use-panel.ts";

/** How many lines terminals keep above their screen. It holds for the windows of this app, at once. */
export function ScrollbackField() {
  const { scrollback } = usePanel();
  const lines = useStore(scrollback);
  return (
    <label className="panel-row">
      Lines that terminals keep
      <select
        className="field panel-select"
        value={lines}
        onChange={(event) => scrollback.set(Number(event.target.value))}
      >
        {scrollbacks.map((count) => (
          <option key={count} value={count}>
            {count.toLocaleString()}
          </option>
        ))}
      </select>
    </label>
  );
}
