import { Icon } from "../ui/icon.tsx";
import { rowOf } from "./row-actions.ts";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** Opens the actions of the card that it is in, or of the row beside it, where no pointer can hover and no keys are pressed. */
export function ActionsButton({ name }: { readonly name: string }) {
  const { showActions } = usePanel();
  return (
    <button
      type="button"
      className="icon-button now-actions"
      aria-label={words.actions.of(name)}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => {
        const row = rowOf(currentTarget) ?? currentTarget.parentElement?.querySelector("[data-item]");
        if (row) showActions(row);
      }}
    >
      <Icon name="more" size={14} />
    </button>
  );
}
