import { useState } from "react";

interface Props {
  readonly words: { readonly key: string; readonly hint: string; readonly open: string };
  /** A key is being tried. */
  readonly isSent: boolean;
  /** Called with what was entered, without white space around it. */
  readonly enter: (apiKey: string) => void;
}

/** Asks for an API key. */
export function KeyForm({ words, isSent, enter }: Props) {
  const [key, setKey] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        enter(key.trim());
      }}
    >
      <label htmlFor="key">{words.key}</label>
      <input
        id="key"
        className="field"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        // An address and a header carry no others.
        pattern="[\w\-]+"
        value={key}
        aria-describedby="key-hint"
        onChange={(event) => setKey(event.target.value)}
      />
      <p id="key-hint" className="door-hint">
        {words.hint}
      </p>
      <button type="submit" className="button primary" disabled={isSent}>
        {words.open}
      </button>
    </form>
  );
}
