import type { ReactNode } from "react";
import { words as sharedWords } from "../../ui/words.ts";
import { PanelIcon } from "../icons.tsx";
import { words } from "../words/index.ts";
import { CardButton, type CardState } from "./card.tsx";

/** The row of an answer that holds for longer than what is asked: apart from the others, and with a second step behind it. */
export function PersistentRow(props: {
  readonly digit: string;
  readonly isReady: boolean;
  press(): void;
  readonly children: ReactNode;
}) {
  const { digit, isReady, press, children } = props;
  return (
    <button
      type="button"
      className="now-persistent"
      aria-disabled={!isReady}
      data-option
      {...(digit === "" ? {} : { "aria-keyshortcuts": digit })}
      onClick={() => isReady && press()}
    >
      <PanelIcon name="persistent" />
      <span>{children}</span>
      {digit !== "" && (
        <span className="keys" aria-hidden="true">
          {digit}
        </span>
      )}
      <span aria-hidden="true">›</span>
    </button>
  );
}

/** Asks once more for an answer that lasts. */
export function SecondStep(props: {
  readonly label: ReactNode;
  /** For how long it holds, and how it is taken back. */
  readonly about: string;
  readonly state: CardState;
  back(): void;
  confirm(): void;
}) {
  const { label, about, state, back, confirm } = props;
  return (
    <>
      <p className="now-second">
        <PanelIcon name="persistent" />
        <span>{label}</span>
      </p>
      <p className="panel-faint">{about}</p>
      <div className="now-card-actions">
        <CardButton look="primary" isReady={state.isReady} press={confirm}>
          {sharedWords.question.allowPersistent}
        </CardButton>
        <CardButton look="outlined" isReady isAnswer={false} press={back}>
          {words.inbox.back}
        </CardButton>
      </div>
    </>
  );
}
