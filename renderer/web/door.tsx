import "../ui/tokens.css";
import "../ui/base.css";
import { type ReactNode, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { firstCharacters } from "../../core/protocol/first-characters.ts";
import { DoorFrame } from "../ui/door-frame.tsx";
import { KeyForm } from "../ui/key-form.tsx";
import type { AskKey, AskName, Invitation } from "./enter.ts";
import { words } from "./words.ts";

const LONGEST_NAME = 60;

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

  /** Says why the user has no access, and asks for an API key. */
  readonly askKey: AskKey = (reason) =>
    new Promise((settle) => {
      this.#asked += 1;
      this.#show(<KeyEntrance key={this.#asked} reason={reason} settle={settle} />);
    });

  /** Says why the session is not there yet. */
  wait(reason: string): void {
    this.#show(
      <div role="status">
        <h1>{words.door.wait}</h1>
        <p className="door-text">{words.door.waitReason(reason)}</p>
      </div>,
    );
  }

  /** Replaces the page with the reason why the session is not accessible. */
  refuse(reason: string): void {
    this.#show(
      <>
        <h1>{words.door.noAccess}</h1>
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
    this.#page.render(<DoorFrame>{content}</DoorFrame>);
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
      <h1>{invitation === undefined ? words.door.join : words.door.joinNamed(invitation.session)}</h1>
      {invitation !== undefined && (
        <p className="door-text">
          {words.door.invited({
            owner: <strong>{invitation.owner}</strong>,
            rights: words.door.rights[invitation.role],
          })}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          settle(name.trim());
        }}
      >
        <label htmlFor="name">{words.door.name}</label>
        <input
          id="name"
          className="field"
          autoComplete="nickname"
          // biome-ignore lint/a11y/noAutofocus: the only field of the page
          autoFocus
          value={name}
          aria-describedby="name-hint"
          aria-invalid={refusal !== undefined}
          onChange={(event) => setName(firstCharacters(event.target.value, LONGEST_NAME))}
        />
        <p id="name-hint" className="door-hint" data-refused={refusal !== undefined || undefined}>
          {refusal === undefined ? words.door.nameHint : <span role="alert">{refusal}</span>}
        </p>
        <button type="submit" className="button primary" disabled={sent}>
          {words.door.join}
        </button>
      </form>
    </>
  );
}

function KeyEntrance({ reason, settle }: { readonly reason: string; settle(key: string): void }) {
  const [sent, setSent] = useState(false);
  const { key, keyHint: hint, open } = words.door;
  const enter = (apiKey: string) => {
    setSent(true);
    settle(apiKey);
  };
  return (
    <>
      <h1>{words.door.noAccess}</h1>
      <p className="door-text" role="alert">
        {reason}
      </p>
      <KeyForm words={{ key, hint, open }} isSent={sent} enter={enter} />
    </>
  );
}
