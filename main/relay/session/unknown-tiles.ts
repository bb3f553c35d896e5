import { shownLine } from "../../../core/protocol/shown-line.ts";
import { restoreState } from "../../../core/state/client-state.ts";
import type { Log } from "../../system/log.ts";
import type { ClientRow } from "../store/client-rows.ts";

/** A client may have named its types as it likes. */
const SHOWN_TYPES = 5;
const LONGEST_TYPE = 40;

/** Logs which clients of the last run have tiles of types that this version does not know: they come back without them. */
export function reportUnknownTiles(rows: readonly Pick<ClientRow, "id" | "state">[], log: Pick<Log, "warn">): void {
  for (const { id, state } of rows) {
    restoreState(state, (types) => {
      const shown = [...new Set(types)].slice(0, SHOWN_TYPES).map((type) => shownLine(type, LONGEST_TYPE));
      log.warn("tiles of a saved layout are left out: this version does not know their types", {
        client: id,
        tiles: types.length,
        types: shown,
      });
    });
  }
}
