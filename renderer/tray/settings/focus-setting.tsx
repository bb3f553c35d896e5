import { type RefObject, useEffect } from "react";
import { usePanel } from "../use-panel.ts";

const CONTROL = "input:checked, select, input:not([type=radio]), [role=switch]";

/**
 * Gives the focus to the control of the setting that the panel was led to. Beside the content of the section, so that it
 * waits for what is loaded on demand.
 */
export function FocusSetting({ section }: { readonly section: RefObject<HTMLElement | null> }) {
  const { target, reach } = usePanel();
  const setting = target?.setting;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reach` is new in every render
  useEffect(() => {
    const row = section.current?.querySelector(`[data-setting="${setting}"]`);
    const control = row?.querySelector<HTMLElement>(CONTROL) ?? undefined;
    if (control === undefined) return;
    reach();
    row?.scrollIntoView({ block: "nearest" });
    control.focus();
    // As for a field that Tab leads to: what is typed replaces the value.
    if (control instanceof HTMLInputElement) control.select();
  }, [setting, section]);
  return null;
}
