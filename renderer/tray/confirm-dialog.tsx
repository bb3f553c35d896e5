import { useEffect, useId, useRef } from "react";
import { words } from "./words/index.ts";

interface Props {
  readonly title: string;
  readonly body: string;
  readonly action: string;
  confirm(): void;
  close(): void;
}

/** Asks for confirmation of an irreversible action. Escape and Cancel change nothing. */
export function ConfirmDialog({ title, body, action, confirm, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      <p>{body}</p>
      <div className="actions">
        <button type="button" className="button quiet" onClick={close}>
          {words.panel.cancel}
        </button>
        <button
          type="button"
          className="button danger"
          onClick={() => {
            confirm();
            close();
          }}
        >
          {action}
        </button>
      </div>
    </dialog>
  );
}
