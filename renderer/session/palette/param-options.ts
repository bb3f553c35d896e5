import { focusOf } from "../../../core/state/client-state.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { shellInfo, tileInfo, workspaceTitle } from "../view/tile-info.ts";
import type { Field } from "./param-form.ts";

/** A value that a parameter can have, as it is shown. */
interface Option {
  readonly value: string;
  readonly label: string;
}

/** Lists the values that a field is chosen from; undefined where it is typed. */
export function optionsOf(field: Field, snapshot: SessionSnapshot): readonly Option[] | undefined {
  if (field.kind === "choice") return field.choices;
  if (field.kind !== "pick") return undefined;
  const { state, mirror } = snapshot;
  switch (field.from) {
    case "tile":
    case "other-tile":
      return Object.values(state.tiles)
        .filter(({ key }) => field.from === "tile" || key !== focusOf(state))
        .map((tile) => {
          const { title, detail } = tileInfo(tile, snapshot);
          return { value: String(tile.key), label: describe(title, detail) };
        });
    case "shell":
      return (mirror?.shells ?? []).map(({ id }) => {
        const { name, detail } = shellInfo(id, snapshot);
        return { value: String(id), label: describe(name, detail) };
      });
    case "workspace":
      return state.workspaces.map(({ name }, index) => ({ value: String(index), label: workspaceTitle(name) }));
    case "plugin":
      return (mirror?.plugins ?? []).map(({ id, name }) => ({ value: id, label: name }));
  }
}

function describe(name: string, detail: string): string {
  return detail === "" ? name : `${name} · ${detail}`;
}
