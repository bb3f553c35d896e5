import { useCallback } from "react";
import { Menu, type MenuSection } from "../../ui/menu.tsx";
import { useStore } from "../../ui/store.ts";
import { useView, type View } from "../view/view.ts";

/** Opens a menu where the event is, or does nothing if there is nothing in it. */
export function openMenu(
  view: View,
  event: Pick<React.MouseEvent, "clientX" | "clientY" | "preventDefault" | "stopPropagation">,
  label: string,
  sections: readonly MenuSection[],
): void {
  if (sections.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  view.ui.menu.set({ label, sections, at: { x: event.clientX, y: event.clientY } });
}

/** The open context menu. */
export function ContextMenu() {
  const view = useView();
  const menu = useStore(view.ui.menu);
  const giveBack = useCallback((before: HTMLElement) => view.keyboard.giveBack(before), [view]);
  if (menu === undefined) return null;
  const close = () => view.ui.menu.set(undefined);
  return <Menu key={`${menu.at.x}/${menu.at.y}`} menu={menu} close={close} giveBack={giveBack} />;
}
