import "./menu.css";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react";
import { Keys } from "./keys.tsx";

/** A line of a menu. */
export interface MenuItem {
  readonly label: string;
  /** The keys that do the same, as printed on keyboards. */
  readonly keys?: string | undefined;
  readonly danger?: true;
  run(): unknown;
}

/** Lines of a menu that belong together. */
export type MenuSection = readonly MenuItem[];

export interface OpenMenu {
  readonly label: string;
  readonly sections: readonly MenuSection[];
  /** In pixels of the window; `isEnd`: `x` is where it ends. */
  readonly at: { readonly x: number; readonly y: number; readonly isEnd?: true };
}

interface Props {
  readonly menu: OpenMenu;
  close(): void;
  /** Gives the focus back to what had it before; the same function in every render. */
  readonly giveBack?: (before: HTMLElement) => void;
}

/**
 * An open menu. The arrow keys, Home, End and letters move in it, and a digit runs the line that shows it; Escape, Tab and a
 * press outside close it.
 */
export function Menu({ menu: { label, sections, at }, close, giveBack = focusAgain }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const before = document.activeElement;
    const { width, height } = current.getBoundingClientRect();
    const left = at.isEnd === true ? at.x - width : at.x;
    current.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
    current.style.top = `${Math.max(8, Math.min(at.y, window.innerHeight - height - 8))}px`;
    itemsIn(current)[0]?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) giveBack(before);
    };
  }, [at, giveBack]);
  useClosing(element, close);
  const run = (item: MenuItem) => {
    close();
    void item.run();
  };
  const runDigit = ({ key, repeat, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean => {
    if (repeat || ctrlKey || altKey || metaKey || key.length !== 1 || !"0123456789".includes(key)) return false;
    const item = sections.flat().find(({ keys }) => keys === key);
    if (item !== undefined) run(item);
    return item !== undefined;
  };
  return (
    <div
      ref={element}
      className="popover menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" || event.key === "Tab") close();
        else if (!runDigit(event) && !moveFocus(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      {sections.map((items, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
        <div key={items[0]?.label ?? index} role="group">
          {items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two shells may have one name, and an open menu does not change
            <Item key={place} item={item} run={run} />
          ))}
        </div>
      ))}
    </div>
  );
}

function focusAgain(before: HTMLElement): void {
  before.focus();
}

function Item({ item, run }: { item: MenuItem; run: (item: MenuItem) => void }) {
  return (
    <button
      type="button"
      role="menuitem"
      className="button quiet"
      data-danger={item.danger}
      tabIndex={-1}
      onClick={() => run(item)}
      onPointerMove={({ currentTarget }) => currentTarget.focus()}
    >
      <span className="ellipsis">{item.label}</span>
      {item.keys !== undefined && <Keys label={item.keys} />}
    </button>
  );
}

/** Closes the menu where the user acts elsewhere. */
function useClosing(element: React.RefObject<HTMLElement | null>, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const listening = new AbortController();
    const outside = ({ target }: Event) => {
      if (!(target instanceof Node && element.current?.contains(target))) latest.current();
    };
    const options = { signal: listening.signal, capture: true };
    for (const name of ["pointerdown", "wheel"]) document.addEventListener(name, outside, options);
    for (const name of ["blur", "resize"]) {
      window.addEventListener(name, ({ target }) => target === window && latest.current(), options);
    }
    return () => listening.abort();
  }, [element]);
}

/** Moves the focus as the key says. Returns whether the key does that. */
function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  const items = itemsIn(currentTarget);
  const at = items.findIndex((item) => item.matches(":focus"));
  const next = (() => {
    switch (key) {
      case "ArrowDown":
        return items[(at + 1) % items.length];
      case "ArrowUp":
        return items.at(at <= 0 ? -1 : at - 1);
      case "Home":
        return items[0];
      case "End":
        return items.at(-1);
      default:
        return startingWith(items, at, key);
    }
  })();
  next?.focus();
  return next !== undefined;
}

/** Returns the next item whose label starts with a typed letter. */
function startingWith(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if ([...key].length !== 1 || key === " ") return undefined;
  const wanted = key.toLocaleLowerCase();
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
    (item.textContent ?? "").toLocaleLowerCase().startsWith(wanted),
  );
}

function itemsIn(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
}
