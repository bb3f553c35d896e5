import * as Switch from "@radix-ui/react-switch";
import { useId } from "react";

/** Something that is on or off. */
export function SwitchField(props: { readonly label: string; readonly on: boolean; set(on: boolean): void }) {
  const id = useId();
  return (
    <div className="panel-row">
      <label htmlFor={id}>{props.label}</label>
      <Switch.Root id={id} className="panel-switch" checked={props.on} onCheckedChange={(on) => props.set(on)}>
        <Switch.Thumb className="panel-thumb" />
      </Switch.Root>
    </div>
  );
}
