import { type KeyboardEvent, type ReactNode, useCallback, useId, useLayoutEffect, useRef } from "react";
import { formatDuration } from "../../ui/format-duration.ts";
import { formatTime } from "../../ui/format-time.ts";
import { useStandsStill } from "../../ui/stands-still.ts";
import { useNow } from "../../ui/use-now.ts";
import { ActionsButton } from "../actions-button.tsx";
import { PanelIcon, type PanelIconName } from "../icons.tsx";
import { type RowActions, useRowActions } from "../row-actions.ts";
import { usePanel } from "../use-panel.ts";
import { words } from "../words/index.ts";
import { useSettled } from "./use-settled.ts";

const SECOND_MS = 1_000;

/** Where a card stands in its list, and what the list does with it. */
export interface CardPlace {
  readonly key: string;
  /** Position in the list, from 0. */
  readonly index: number;
  /** Shows all of it; otherwise one line. */
  readonly isOpen: boolean;
  /** Tab leads to it; the arrow keys lead to the others. */
  readonly isFirst: boolean;
}

/** What a card needs to answer: whether presses count now, and whether digits are shown. */
export interface CardState {
  /** Buttons can be pressed. */
  readonly isReady: boolean;
  /** Gives the focus back to the card, whose buttons are about to go. */
  keepFocus(): void;
}

interface Props {
  readonly place: CardPlace;
  /** Who asks, as a square or round mark. */
  readonly mark: ReactNode;
  readonly sentence: ReactNode;
  /** The sentence with what it is about, for the accessible name. */
  readonly name: string;
  /** Where it comes from, such as shell, session and machine. */
  readonly where: string;
  /** ISO 8601: when it was asked. */
  readonly since?: string | undefined;
  /** In place of the age. */
  readonly aside?: ReactNode;
  /** It waits for the user. */
  readonly waits: boolean;
  /** What the one line of a closed card says after its sentence. */
  readonly line?: string;
  /** The way that Enter goes, which is never an answer; undefined where it can go nowhere. */
  readonly enter: { readonly label: string; run(): void } | undefined;
  /** What else can be done with it. */
  readonly actions?: RowActions | undefined;
  /** Opens the conversation of the agent that asks; absent where it is not known. */
  readonly readConversation?: (() => void) | undefined;
  /** Called with a digit that is pressed while the card has the focus and has stood still. */
  readonly onDigit?: (digit: string) => void;
  /** The text of a second step, for screen readers: neither the focus nor the card's name changes with it. */
  readonly second?: string | undefined;
  /** Leaves a second step. Returns whether there was one. */
  readonly onEscape?: () => boolean;
  readonly children: (state: CardState) => ReactNode;
}

/** Presses the button of a card whose keys are Control, or Command, and a digit: "no", in words. */
function pressShortcut(event: KeyboardEvent, card: HTMLElement | null): void {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if (ctrlKey === metaKey || shiftKey || key.length !== 1 || !"0123456789".includes(key)) return;
  const button = card?.querySelector<HTMLElement>(`[aria-keyshortcuts~="Control+${key}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
}

/**
 * One thing that waits for the user, or its receipt. Digits answer it while it has the focus; Enter leads to where it comes
 * from, on its buttons too, and Space presses a button.
 */
export function Card(props: Props) {
  const { place, mark, sentence, name, where, since, aside, waits, line, enter, onDigit, onEscape, children } = props;
  const { isAway } = usePanel();
  const { ref: card, "aria-disabled": isTooEarly, ...still } = useStandsStill<HTMLDivElement>(waits && place.isOpen);
  const row = useRowActions(props.actions);
  const element = useCallback(
    (current: HTMLDivElement | null) => {
      card.current = current;
      row(current);
    },
    [card, row],
  );
  const described = useId();
  const hasStayed = useSettled(`${place.key} ${place.index} ${place.isOpen} ${waits}`);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    // The button that had the focus has gone: the focus must not go to another card, which digits answer.
    if (!waits && hasFocus.current && document.activeElement === document.body) card.current?.focus();
  }, [card, waits]);
  const pressed = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.nativeEvent.isComposing || event.altKey) return;
    if (event.ctrlKey || event.metaKey) return pressShortcut(event, card.current);
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (key === "Escape" && (isTyping || onEscape?.())) {
      event.preventDefault();
      card.current?.focus();
    }
    if (isTyping) return;
    const goes = target === card.current || (target instanceof HTMLElement && target.closest("[data-option]") !== null);
    if (key === "Enter" && goes) {
      event.preventDefault();
      if (event.shiftKey && props.readConversation !== undefined) props.readConversation();
      else enter?.run();
    }
    if (isAway || !hasStayed || event.repeat || onDigit === undefined || !/^\d$/.test(key)) return;
    // The button that has the focus may go with the answer: the focus must not go to another card, which digits answer.
    card.current?.focus();
    onDigit(key);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a request is no set of form fields
    <div
      {...still}
      ref={element}
      role="group"
      aria-label={name}
      aria-describedby={described}
      aria-disabled={(isAway && waits) || undefined}
      className="now-card"
      data-item
      data-question={place.key}
      data-enter={enter?.label}
      data-waits={waits}
      data-open={place.isOpen}
      tabIndex={place.isFirst ? 0 : -1}
      onKeyDown={pressed}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
      onSubmitCapture={(event) => {
        if (!isAway) return;
        // What was typed stays until it can be sent.
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div className="now-card-head">
        {mark}
        <div className="now-card-who">
          <p className={place.isOpen ? "now-card-sentence" : "now-card-sentence ellipsis"} title={name}>
            {sentence}
            {!place.isOpen && line !== undefined && line !== "" && <span className="panel-faint"> · {line}</span>}
          </p>
          <p id={described} className={place.isOpen ? "panel-faint ellipsis" : "visually-hidden"} title={where}>
            {where}
          </p>
        </div>
        <span className="now-card-age" data-waits={waits}>
          {aside ?? (since !== undefined && <Age since={since} />)}
        </span>
        {props.actions !== undefined && place.isOpen && <ActionsButton name={name} />}
      </div>
      {/* Here before the step is: what comes together with its text is not told. */}
      <p className="visually-hidden" aria-live="polite">
        {props.second}
      </p>
      {place.isOpen && children({ isReady: isTooEarly !== true && !isAway, keepFocus: () => card.current?.focus() })}
    </div>
  );
}

/** The letter of an agent on a square; people are round. */
export function AgentMark({ agentType }: { readonly agentType: string }) {
  return (
    <span className="agent-mark" aria-hidden="true">
      {agentType.charAt(0).toLowerCase() || "?"}
    </span>
  );
}

/** An icon in the place of an agent's letter. */
export function IconMark({ name }: { readonly name: PanelIconName }) {
  return (
    <span className="agent-mark" aria-hidden="true">
      <PanelIcon name={name} size={14} />
    </span>
  );
}

/** A button of a card. Until the card has stood still it says so to assistive technology and does nothing. */
export function CardButton(props: {
  readonly look: "primary" | "outlined" | "quiet";
  readonly digit?: string;
  /** A digit that presses it together with Ctrl, on a Mac ⌘. */
  readonly commandDigit?: string;
  readonly isReady: boolean;
  /** An answer: Enter does not press it. */
  readonly isAnswer?: boolean;
  readonly label?: string;
  press(): void;
  readonly children: ReactNode;
}) {
  const { look, digit = "", commandDigit = "", isReady, isAnswer = true, label, press, children } = props;
  const shortcut = commandDigit === "" ? digit : `Control+${commandDigit} Meta+${commandDigit}`;
  return (
    <button
      type="button"
      className={`button ${look}`}
      aria-label={label}
      aria-disabled={!isReady}
      {...(isAnswer ? { "data-option": true } : {})}
      {...(shortcut === "" ? {} : { "aria-keyshortcuts": shortcut })}
      onClick={() => isReady && press()}
    >
      {digit !== "" && (
        <span className="keys" aria-hidden="true">
          {digit}
        </span>
      )}
      <span>{children}</span>
    </button>
  );
}

function Age({ since }: { readonly since: string }) {
  const now = useNow(SECOND_MS);
  return (
    <span title={words.inbox.askedAt(formatTime(since))}>
      {formatDuration(now - Date.parse(since)) || words.inbox.now}
    </span>
  );
}

/** The time that is left until a request expires. */
export function TimeLeft({ until }: { readonly until: string }) {
  const now = useNow(SECOND_MS);
  const left = formatDuration(Date.parse(until) - now);
  return <>{left === "" ? words.inbox.expires : words.inbox.left(left)}</>;
}
