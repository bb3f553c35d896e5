import { useEffect, useId, useRef } from "react";
import { useBusy } from "../ui/use-busy.ts";
import { useIsShown } from "../ui/use-is-shown.ts";
import { words } from "./words/index.ts";

interface Props {
  readonly title: string;
  readonly body: string;
  readonly action: string;
  /** Resolves after the attempt, successful or not; the dialog stays until then. */
  confirm(): Promise<unknown>;
  close(): void;
}

/** Asks for confirmation of an irreversible action. Escape and Cancel change nothing. */
export function ConfirmDialog({ title, body, action, confirm, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isBusy, runOnce] = useBusy();
  const isShown = useIsShown();
  const act = async () => {
    await confirm();
    // A dialog that was opened after this one was left stays.
    if (isShown.current) close();
  };
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      <p>{body}</p>
      <div className="actions">
        <button type="button" className="button quiet" onClick={close}>
          {words.panel.cancel}
        </button>
        <button type="button" className="button danger" aria-disabled={isBusy} onClick={() => runOnce(act)}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
