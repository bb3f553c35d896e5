import type { GroupNames } from "../../search/results.ts";
import { search as words } from "../../search/words.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { shellInfo } from "../view/tile-info.ts";

/** Names the groups of results as the tiles of the session do. */
export function groupNames(snapshot: Pick<SessionSnapshot, "state" | "mirror">): GroupNames {
  return {
    shell(id) {
      const { name, detail } = shellInfo(id, snapshot);
      const isListed = snapshot.mirror?.shells.some((shell) => shell.id === id) === true;
      return { name, detail: isListed ? detail : words.groups.closed };
    },
    chatDetail: "",
  };
}
