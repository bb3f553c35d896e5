import "./drawer.css";
import { Suspense, use, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatNumber } from "../../../core/phrases.ts";
import { Icon } from "../../ui/icon.tsx";
import { LoadGuard } from "../../ui/load-guard.tsx";
import { useStore } from "../../ui/store.ts";
import { words as shared } from "../../ui/words.ts";
import { leaveDrawer, toggleDrawer, useHasDrawer } from "../actions/toggle-drawer.ts";
import { chordLabel } from "../keys/chord.ts";
import { goToShell } from "../shells/shell-actions.ts";
import type { DrawerContentProps, DrawerSource } from "../view/session-host.ts";
import { useMedia } from "../view/use-media.ts";
import { useKeys, useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";

/** The inbox and sessions of the user: over the tiles, or pinned beside them where there is room. */
export function Drawer() {
  const { host, ui } = useView();
  const isOpen = useStore(ui.drawerOpen);
  const { drawer } = host;
  const isForUser = useHasDrawer();
  return drawer === undefined || !isForUser ? null : <SourceDrawer source={drawer} isOpen={isOpen} />;
}

function SourceDrawer({ source, isOpen }: { readonly source: DrawerSource; readonly isOpen: boolean }) {
  const { ui } = useView();
  const content = useMemo(() => {
    if (!isOpen) return undefined;
    return source.load().catch((error: Error) => {
      ui.toasts.show("error", error.message);
      ui.drawerOpen.set(false);
      return () => null;
    });
  }, [source, isOpen, ui]);
  return content === undefined ? null : <OpenDrawer content={content} />;
}

type LoadedContent = ReturnType<DrawerSource["load"]>;

function OpenDrawer({ content }: { readonly content: LoadedContent }) {
  const view = useView();
  const { ui, keyboard } = view;
  const { mirror } = useSnapshot();
  const shortcuts = useKeys();
  const isPinned = useStore(ui.drawer) !== "loose";
  const hasRoom = useMedia("(min-width: 900px)");
  // One that a page opens with does not move, and leaves the keys where they are.
  const [wasCalled] = useState(() => ui.drawerCall.get() !== undefined);
  const [isStill, setStill] = useState(!wasCalled);
  useLayoutEffect(() => {
    if (wasCalled) keyboard.focusDrawer();
  }, [keyboard, wasCalled]);
  const stores = useRef({ terminals: ui.settings, themes: ui.themes, chords: ui.chords }).current;
  const chord = shortcuts.bindings.find(
    ({ action }) => action.kind === "view" && action.viewAction === "drawer",
  )?.chord;
  const close = () => {
    ui.drawerOpen.set(false);
    keyboard.focusTile();
  };
  return (
    <aside
      className="drawer"
      aria-label={words.frame.drawer.title}
      tabIndex={-1}
      data-still={isStill || undefined}
      data-docked={(isPinned && hasRoom && isStill) || undefined}
      onAnimationEnd={({ target, currentTarget }) => target === currentTarget && setStill(true)}
      onKeyDown={({ key, target, currentTarget }) => key === "Escape" && target === currentTarget && close()}
    >
      <LoadGuard fallback={<p className="tile-note">{shared.notLoaded}</p>}>
        <Suspense fallback={null}>
          <Content
            loaded={content}
            session={mirror?.session.id ?? ""}
            stores={stores}
            keys={chord === undefined ? undefined : chordLabel(chord, shortcuts.mac)}
            call={ui.drawerCall}
            close={close}
            showWaiting={ui.drawerWaiting.set}
            goTo={(id) => {
              leaveDrawer(view);
              goToShell(view, id);
            }}
            goToFound={async (place) => {
              leaveDrawer(view);
              const { goToFound } = await import("../search/go-to-place.ts");
              await goToFound(view, place);
            }}
            tools={
              <>
                {hasRoom && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-pressed={isPinned}
                    aria-label={isPinned ? words.frame.drawer.unpin : words.frame.drawer.pin}
                    title={isPinned ? words.frame.drawer.unpin : words.frame.drawer.pin}
                    onClick={() => ui.drawer.set(isPinned ? "loose" : "pinned")}
                  >
                    <Icon name="pin" />
                  </button>
                )}
                <button
                  type="button"
                  className="icon-button"
                  aria-label={words.frame.drawer.close}
                  title={words.frame.drawer.close}
                  onClick={close}
                >
                  <Icon name="close" />
                </button>
              </>
            }
          />
        </Suspense>
      </LoadGuard>
    </aside>
  );
}

function Content({ loaded, ...props }: DrawerContentProps & { readonly loaded: LoadedContent }) {
  return use(loaded)(props);
}

/** The button of the drawer, with the number of what waits in the sessions that it shows. */
export function DrawerButton() {
  const { drawer } = useView().host;
  const isForUser = useHasDrawer();
  return drawer === undefined || !isForUser ? null : <SourceButton source={drawer} />;
}

function SourceButton({ source }: { readonly source: DrawerSource }) {
  const view = useView();
  const { ui, keyboard } = view;
  const isOpen = useStore(ui.drawerOpen);
  const known = useStore(source.waiting);
  const shown = useStore(ui.drawerWaiting);
  if (known === undefined || known === null) return null;
  const waiting = shown ?? known;
  const press = () => {
    if (!isOpen) toggleDrawer(view);
    else {
      ui.drawerOpen.set(false);
      keyboard.focusTile();
    }
  };
  return (
    <button
      type="button"
      className="icon-button drawer-button"
      aria-pressed={isOpen}
      aria-label={waiting === 0 ? words.frame.header.drawer : words.frame.header.drawerWaits(waiting)}
      title={words.frame.header.drawer}
      onClick={press}
    >
      <Icon name="inbox" />
      {waiting > 0 && <span className="drawer-count">{formatNumber(waiting)}</span>}
    </button>
  );
}
