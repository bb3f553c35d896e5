import { useEffect, useRef, useState } from "react";
import { firstCharacters } from "../../core/protocol/first-characters.ts";
import { useIsShown } from "../ui/use-is-shown.ts";
import { words } from "./words/index.ts";

interface Props {
  readonly label: string;
  readonly action: string;
  readonly start: string;
  /** Resolves after the attempt, successful or not. */
  submit(name: string): Promise<unknown>;
  close(): void;
}

/** Form for a single name. Enter submits, Escape cancels. */
export function NameForm({ label, action, start, submit, close }: Props) {
  const [name, setName] = useState(start);
  const [isBusy, setBusy] = useState(false);
  const isReady = !isBusy && name.trim() !== "";
  const isShown = useIsShown();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      className="panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        setBusy(true);
        // A form that was opened after this one was left stays.
        void submit(name.trim()).then(() => isShown.current && close());
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        close();
      }}
    >
      <input
        ref={field}
        className="field"
        aria-label={label}
        placeholder={label}
        value={name}
        onChange={(event) => setName(firstCharacters(event.target.value, 200))}
      />
      <button type="submit" className="button primary" disabled={!isReady}>
        {action}
      </button>
      <button type="button" className="button quiet" onClick={close}>
        {words.panel.cancel}
      </button>
    </form>
  );
}
