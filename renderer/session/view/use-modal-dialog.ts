import { type RefObject, useEffect, useRef } from "react";
import { useView } from "./view.ts";

/** Shows a dialog above the page for as long as it is rendered, and gives the keys back after that. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const { keyboard } = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => keyboard.giveBack(before);
  }, [keyboard]);
  return dialog;
}
