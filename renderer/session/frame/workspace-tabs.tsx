import { useEffect, useRef, useState } from "react";
import type { Workspace } from "../../../core/layout/layout.ts";
import { waitingFor } from "../../../core/protocol/waiting.ts";
import type { ClientState } from "../../../core/state/client-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { InlineName } from "../../ui/inline-name.tsx";
import { Popover } from "../../ui/popover.tsx";
import { useStore } from "../../ui/store.ts";
import { closeWorkspace } from "../actions/close.ts";
import { findWorkspace } from "../actions/find-workspace.ts";
import { openMenu } from "../menu/context-menu.tsx";
import { workspaceMenu } from "../menu/menus.ts";
import { isDrawnHere } from "../view/own-window.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { isAbout, workspaceTitle } from "../view/tile-info.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** Pixels of an edge of the list at which tabs fade (session-view.css). */
const FADE = 18;
/** Names with more letters are cut where tabs have little room. */
const LETTERS = 8;

/** The workspaces as tabs. Double-click renames a workspace; Delete or the middle button closes it. */
export function WorkspaceTabs() {
  const view = useView();
  const snapshot = useSnapshot();
  const { state, self } = snapshot;
  const renamed = useRenamed(state);
  const drop = useStore(view.ui.dropWorkspace);
  const rename = (workspace: Workspace) => view.ui.renaming.set({ kind: "workspace", workspace });
  const changes = self?.role !== "reader";
  const count = state.workspaces.length;
  const show = (index: number) => void view.run("switchWorkspace", { index: (index + count) % count });
  const list = useRef<HTMLDivElement>(null);
  const beyond = useBeyond(list, state.workspaces);
  const overflows = beyond !== undefined;
  useActiveInSight(list, overflows, `${state.active} of ${count}`);
  useFocusOnActive(list, state.active);
  return (
    <div className="workspaces">
      <div
        ref={list}
        role="tablist"
        aria-label={words.frame.tabs.title}
        className="workspace-list"
        data-beyond={beyond}
      >
        {state.workspaces.map((workspace, index) =>
          index === renamed.index ? (
            // Not the index, which is another one where others are closed while the user types.
            <InlineName
              key={renamed.key}
              className="workspace rename"
              label={words.frame.tabs.newName(workspaceTitle(workspace.name))}
              name={workspace.name}
              save={(name) => void view.run("renameWorkspace", { name, index })}
              done={() => view.ui.renaming.set(undefined)}
            />
          ) : (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a workspace has no other name that is its own
              key={index}
              type="button"
              role="tab"
              className="workspace"
              aria-selected={index === state.active}
              tabIndex={index === state.active ? 0 : -1}
              title={`${workspaceTitle(workspace.name)}, ${tileCount(workspace)}${
                isDrawnHere(view.host, workspace) ? "" : words.frame.tabs.ownWindow
              }`}
              data-workspace={index}
              data-drop={drop === index || undefined}
              data-long={workspace.name.length > LETTERS || undefined}
              onContextMenu={(event) =>
                openMenu(view, event, workspaceTitle(workspace.name), workspaceMenu(view, index))
              }
              onClick={() => index !== state.active && show(index)}
              onDoubleClick={() => changes && rename(workspace)}
              onAuxClick={(event) => event.button === 1 && void closeWorkspace(view, index)}
              onKeyDown={(event) => {
                if (event.key === "ArrowRight") show(state.active + 1);
                else if (event.key === "ArrowLeft") show(state.active - 1);
                else if (event.key === "F2" && changes) rename(workspace);
                else if (event.key === "Delete") void closeWorkspace(view, index);
                else return;
                event.preventDefault();
              }}
            >
              <span className="ellipsis" aria-hidden="true">
                {workspace.name}
              </span>
              {!isDrawnHere(view.host, workspace) && <Icon name="outside" size={12} />}
              {/* Beside a number, a count would be read as part of it. */}
              {workspaceTitle(workspace.name) === workspace.name && workspace.recent.length > 0 && (
                <span className="count" aria-hidden="true">
                  {workspace.recent.length}
                </span>
              )}
              <span className="visually-hidden">
                {workspaceTitle(workspace.name)}, {tileCount(workspace)}
                {!isDrawnHere(view.host, workspace) && words.frame.tabs.ownWindow}
              </span>
              {index !== state.active && hasWaiting(workspace, snapshot) && (
                <>
                  <span className="dot wait" />
                  <span className="visually-hidden">{words.frame.tabs.somethingWaits}</span>
                </>
              )}
            </button>
          ),
        )}
      </div>
      {overflows && <AllWorkspaces show={show} />}
      {changes && (
        <button
          type="button"
          className="icon-button"
          aria-label={words.frame.tabs.newWorkspace}
          title={words.frame.tabs.newWorkspace}
          data-workspace="new"
          data-drop={drop === "new" || undefined}
          onClick={() => void view.run("createWorkspace", {})}
        >
          <Icon name="plus" size={14} />
        </button>
      )}
    </div>
  );
}

/** Returns the index of the workspace whose name is being typed, and a key for its field that is no index. */
function useRenamed(state: ClientState): { readonly index: number | undefined; readonly key: string } {
  const { ui } = useView();
  const renaming = useStore(ui.renaming);
  const before = renaming?.kind === "workspace" ? renaming.workspace : undefined;
  const known = useRef(state.workspaces);
  if (before !== undefined && state.workspaces.includes(before)) known.current = state.workspaces;
  const index = before && findWorkspace(state, before, known.current);
  useEffect(() => {
    // It was closed meanwhile: its field must not come back with another one that has its name.
    if (index === -1) ui.renaming.set(undefined);
  }, [ui, index]);
  return { index, key: `${before?.name} ${before?.recent}` };
}

/**
 * Scrolls the active tab into sight after a change. Asks an observer where it is: a measurement would lay out all tiles of
 * the workspace that appears, before they have their content.
 */
function useActiveInSight(list: React.RefObject<HTMLElement | null>, overflows: boolean, moved: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move of the active tab is what the effect follows
  useEffect(() => {
    const { current: root } = list;
    const active = root?.querySelector('[aria-selected="true"]');
    if (!active) return;
    const isSeen = { root, rootMargin: overflows ? `0px -${FADE}px` : "0px" };
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      const isCut = entry !== undefined && entry.intersectionRatio < 1;
      if (isCut) active.scrollIntoView({ block: "nearest", inline: "nearest" });
    }, isSeen);
    observer.observe(active);
    return () => observer.disconnect();
  }, [list, overflows, moved]);
}

/** Moves the focus from one tab to the active one: an empty workspace has no tile that would take it. */
function useFocusOnActive(list: React.RefObject<HTMLElement | null>, active: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a move of the active tab is what the effect follows
  useEffect(() => {
    const focused = list.current?.querySelector(":focus");
    if (focused?.matches("[role=tab]")) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }, [list, active]);
}

/** Returns beyond which edges of the list there are more tabs: `before after`; undefined where all fit. */
function useBeyond(list: React.RefObject<HTMLDivElement | null>, changed: unknown): string | undefined {
  const [beyond, setBeyond] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other names need another width
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = current;
      const edges = [scrollLeft > 1 && "before", scrollLeft + clientWidth < scrollWidth - 1 && "after"];
      setBeyond(edges.filter((edge) => edge !== false).join(" ") || undefined);
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    for (const tab of current.children) observer.observe(tab);
    current.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, [list, changed]);
  return beyond;
}

/** All workspaces as a list, where their tabs do not fit. */
function AllWorkspaces({ show }: { show: (index: number) => void }) {
  const snapshot = useSnapshot();
  const { workspaces, active } = snapshot.state;
  return (
    <Popover label={words.frame.tabs.all} className="icon-button" align="start" button={<Icon name="down" size={14} />}>
      {(close) => (
        <div className="session-menu">
          {workspaces.map((workspace, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a workspace has no other name that is its own
              key={index}
              type="button"
              className="button quiet"
              aria-current={index === active || undefined}
              onClick={() => {
                close();
                show(index);
              }}
            >
              <span className="ellipsis">{workspaceTitle(workspace.name)}</span>
              {hasWaiting(workspace, snapshot) && <span className="menu-note">{words.frame.tabs.waits}</span>}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}

function tileCount({ recent }: Workspace): string {
  return words.frame.tabs.tiles(recent.length);
}

function hasWaiting(workspace: Workspace, { state, mirror, self }: SessionSnapshot): boolean {
  const waiting = mirror === undefined ? [] : waitingFor(mirror, self);
  return workspace.recent.some((key) => {
    const tile = state.tiles[key];
    return tile !== undefined && waiting.some((one) => isAbout(one, tile));
  });
}
