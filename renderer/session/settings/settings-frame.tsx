import "../../settings/settings.css";
import { type ReactNode, useEffect, useId, useRef } from "react";

/** A dialog with settings; Escape and a press beside it close it. */
export function SettingsFrame(props: {
  readonly title: string;
  readonly hint: string;
  readonly className?: string;
  readonly children: ReactNode;
  close(): void;
}) {
  const { title, hint, className = "", children, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, through onCancel
    <dialog
      ref={dialog}
      className={`dialog settings ${className}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="settings-inside">
        <h2 id={heading}>{title}</h2>
        <p>{hint}</p>
        {children}
      </div>
    </dialog>
  );
}
