import "../ui/tokens.css";
import "../ui/base.css";
import "./door.css";
import { type ReactNode, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { Mark } from "../ui/mark.tsx";
import type { AskName, Invitation } from "./enter.ts";

const LONGEST_NAME = 60;

const rights = {
  admin: "You can type in its shells and manage it.",
  writer: "You can watch its shells, open your own and ask to type in others.",
  reader: "You can watch its shells.",
} as const;

/** What a browser without access to the session sees in place of it. */
export class Door {
  readonly #element: HTMLElement;
  #page: Root | undefined;
  #asked = 0;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Asks the user for a name. */
  readonly ask: AskName = (question) =>
    new Promise((settle) => {
      this.#asked += 1;
      this.#show(<NameForm key={this.#asked} {...question} settle={settle} />);
    });

  /** Replaces the page with the reason why the session is not accessible. */
  refuse(reason: string): void {
    this.#show(
      <>
        <h1>No access to this session</h1>
        <p className="door-text">{reason}</p>
      </>,
    );
  }

  /** Clears the page for the session. */
  close(): void {
    this.#page?.unmount();
    this.#page = undefined;
    this.#element.replaceChildren();
  }

  #show(content: ReactNode): void {
    if (this.#page === undefined) {
      const page = document.createElement("div");
      this.#element.replaceChildren(page);
      this.#page = createRoot(page);
    }
    this.#page.render(
      <main className="door">
        <p className="door-brand">
          <Mark size={28} />
          Patchbay
        </p>
        {content}
      </main>,
    );
  }
}

interface NameFormProps {
  readonly invitation: Invitation | undefined;
  readonly name: string;
  readonly refusal: string | undefined;
  settle(name: string): void;
}

function NameForm({ invitation, name: before, refusal, settle }: NameFormProps) {
  const [name, setName] = useState(before);
  const [sent, setSent] = useState(false);
  return (
    <>
      <h1>Join {invitation === undefined ? "the session" : `“${invitation.session}”`}</h1>
      {invitation !== undefined && (
        <p className="door-text">
          <strong>{invitation.owner}</strong> invites you to this terminal session. {rights[invitation.role]}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          settle(name.trim());
        }}
      >
        <label htmlFor="name">Your name (optional)</label>
        <input
          id="name"
          className="field"
          autoComplete="nickname"
          maxLength={LONGEST_NAME}
          // biome-ignore lint/a11y/noAutofocus: the only field of the page
          autoFocus
          value={name}
          aria-describedby="name-hint"
          aria-invalid={refusal !== undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <p id="name-hint" className="door-hint" data-refused={refusal !== undefined || undefined}>
          {refusal === undefined ? "Others see it, marked as a guest’s." : <span role="alert">{refusal}</span>}
        </p>
        <button type="submit" className="button primary" disabled={sent}>
          Join the session
        </button>
      </form>
    </>
  );
}
