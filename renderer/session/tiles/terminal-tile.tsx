import "./terminal.css";
import { useEffect, useRef, useState } from "react";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { formatBytes } from "../../ui/format-bytes.ts";
import { Icon } from "../../ui/icon.tsx";
import { useStore } from "../../ui/store.ts";
import { askToType, hasAskedToType, TYPING_REQUEST } from "../actions/ask-to-type.ts";
import { usePixelRatio } from "../terminal/cell-size.ts";
import type { OpenTerminal, TerminalLook } from "../terminal/open-terminal.ts";
import { useTerminalLabel } from "../terminal/terminal-label.ts";
import { useTerminalTheme } from "../terminal/terminal-theme.ts";
import type { TileInfo } from "../view/tile-info.ts";
import { CONNECTION, useSnapshot, useView, type View } from "../view/view.ts";
import { words } from "../words/index.ts";
import { AgentQuestions } from "./agent-question.tsx";
import { connectTerminal, type Refusal } from "./connect-terminal.ts";
import { EndedBar } from "./ended-bar.tsx";
import { QuestionBar } from "./question-bar.tsx";
import { SearchBar } from "./search-bar.tsx";

interface Props {
  readonly tile: TileContent;
  readonly info: TileInfo;
  /** Whether the tile is the front tab of a visible group in the active workspace. */
  readonly shown: boolean;
  readonly focused: boolean;
}

/** A shell's terminal: owned by this client, shared, or read-only (a peek). */
export function TerminalTile({ tile, info, shown, focused }: Props) {
  const view = useView();
  const { self, connected } = useSnapshot();
  const element = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<OpenTerminal>();
  const [searching, setSearching] = useState(false);
  const [missed, setMissed] = useState<number>();
  const [newBelow, setNewBelow] = useState(false);
  const [everShown, setEverShown] = useState(shown);
  if (shown && !everShown) setEverShown(true);

  const theme = useTerminalTheme(connected);
  const settings = useStore(view.ui.settings);
  const { shell } = info;
  const reader = self?.role === "reader";
  const writable = tile.type === "shell" && !reader && shell?.running === true && connected;
  const owns = shell !== undefined && shell.ownerClientId === (self?.id ?? null) && tile.type === "shell";
  const screenView = useStore(view.ui.screenViews).get(tile.key);
  const readable = screenView !== "fit";
  const look: TerminalLook = {
    theme,
    settings,
    writable,
    size: owns || shell === undefined ? undefined : { cols: shell.cols, rows: shell.rows, readable },
  };
  const refusal: Refusal = connected
    ? refusalOf(view, tile, info, reader)
    : { message: words.tiles.shell.offline, about: CONNECTION };
  const latest = useRef({ look, refusal });
  latest.current = { look, refusal };
  const refused = useRef<string>(undefined);
  useEffect(() => {
    if (writable) refused.current = undefined;
  }, [writable]);

  useEffect(() => {
    const { current } = element;
    if (!everShown || current === null) return;
    let stop: (() => void) | undefined;
    const prevent = view.terminals.start(() => {
      const connected = connectTerminal(view, current, {
        tile: tile.key,
        shell: tile.id as ShellId,
        look: latest.current.look,
        refused,
        refusal: () => latest.current.refusal,
        onSearch: () => setSearching(true),
        onMissed: setMissed,
        onNewOutputBelow: setNewBelow,
        onTooSmall: (small) => view.ui.setTooSmall(tile.key, small),
      });
      setOpen(connected.open);
      stop = connected.stop;
    });
    return () => {
      prevent();
      setOpen(undefined);
      stop?.();
      view.ui.setTooSmall(tile.key, false);
    };
  }, [everShown, view, tile.key, tile.id]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the look is made of
  useEffect(() => {
    const size = open?.look(latest.current.look);
    if (size !== undefined && owns) view.host.resize(tile.id as ShellId, size);
  }, [open, theme, settings, writable, look.size?.cols, look.size?.rows, look.size?.readable]);
  useTerminalLabel(open?.terminal, info.title);
  useClosing(tile, shell, owns);
  useFit(open, element, { shown, owns, shell: tile.id as ShellId });
  useEffect(() => {
    if (open !== undefined && shown && focused) view.keyboard.settle();
  }, [view, open, shown, focused]);

  return (
    <div
      className="terminal-tile"
      data-letterboxed={look.size !== undefined || undefined}
      data-readable={(look.size !== undefined && screenView === "readable") || undefined}
      data-cut={!connected || undefined}
    >
      {searching && open !== undefined && (
        <SearchBar
          terminal={open}
          close={() => {
            setSearching(false);
            open.terminal.focus();
          }}
        />
      )}
      {missed !== undefined && <MissedLine bytes={missed} dismiss={() => setMissed(undefined)} />}
      <div className="terminal" ref={element} style={{ backgroundColor: theme.background }}>
        {newBelow && open !== undefined && (
          <button
            type="button"
            className="button outlined small new-output"
            onClick={() => open.terminal.scrollToBottom()}
          >
            <Icon name="down" size={12} />
            {words.tiles.shell.newOutput}
          </button>
        )}
      </div>
      {shell !== undefined && <AgentQuestions shell={shell.id} />}
      {shell !== undefined && <QuestionBar shell={shell.id} />}
      {shell !== undefined && !shell.running && <EndedBar tile={tile.key} shell={shell} />}
      {shell === undefined && <p className="tile-note">{words.tiles.shell.gone}</p>}
    </div>
  );
}

function MissedLine({ bytes, dismiss }: { bytes: number; dismiss: () => void }) {
  return (
    <div className="missed-line" role="status">
      <span className="ellipsis" title={words.tiles.shell.skippedHint(formatBytes(bytes))}>
        {words.tiles.shell.skipped(formatBytes(bytes))}
      </span>
      <button type="button" className="icon-button" aria-label={words.tiles.shell.dismiss} onClick={dismiss}>
        <Icon name="close" size={12} />
      </button>
    </div>
  );
}

/** Closes the tile when its shell exits with code 0 while it is on this page, if the user wants that. */
function useClosing(tile: TileContent, shell: Shell | undefined, owns: boolean): void {
  const view = useView();
  const ran = useRef(false);
  const running = shell?.running;
  const exitCode = shell?.exitCode;
  useEffect(() => {
    const exited = ran.current && running === false && exitCode === 0;
    ran.current = running === true;
    if (exited && owns && view.ui.settings.get().closeEnded) void view.run("closeTile", { tile: tile.key });
  }, [view, tile.key, owns, running, exitCode]);
}

/** Fits the terminal to its tile, and resizes the shell if this client owns it. */
function useFit(
  open: OpenTerminal | undefined,
  element: React.RefObject<HTMLDivElement | null>,
  { shown, owns, shell }: { shown: boolean; owns: boolean; shell: ShellId },
): void {
  const { host } = useView();
  const ratio = usePixelRatio();
  const sent = useRef<{ readonly cols: number; readonly rows: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: cells have another size at another pixel ratio
  useEffect(() => {
    if (open === undefined || element.current === null) return;
    open.show(shown);
    if (!shown) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const layOut = () => {
      timer = undefined;
      const size = open.layOut();
      if (!owns || size === undefined) return;
      const known = host.snapshot().mirror?.shells.find(({ id }) => id === shell);
      // Tiles that appear again have their size already. What the session says may lag behind what was sent.
      if ([known, sent.current].some((at) => at?.cols !== size.cols || at.rows !== size.rows)) host.resize(shell, size);
      sent.current = size;
    };
    // A drag changes the size in every frame; shells are resized at most every 60 ms.
    const observer = new ResizeObserver(() => {
      timer ??= setTimeout(layOut, 60);
    });
    layOut();
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [open, element, shown, owns, shell, host, ratio]);
}

function refusalOf(view: View, tile: TileContent, { shell, owner }: TileInfo, reader: boolean): Refusal {
  if (shell?.running === false) return { message: words.tiles.shell.ended };
  if (reader) {
    return hasAskedToType(view.host.snapshot())
      ? { message: words.tiles.shell.asked, about: TYPING_REQUEST }
      : {
          message: words.tiles.shell.onlyWatch,
          about: TYPING_REQUEST,
          actions: [{ label: words.tiles.shell.ask, run: () => void askToType(view) }],
        };
  }
  if (tile.type !== "peek") return { message: words.tiles.shell.noTyping };
  return { message: owner === undefined ? words.tiles.shell.liveView : words.tiles.shell.liveViewOf(owner.name) };
}
