import { useId } from "react";
import type { PendingLogin } from "../../core/protocol/pending-login.ts";
import { Mark } from "../ui/mark.tsx";
import { useStandsStill } from "../ui/stands-still.ts";
import { words } from "./words.ts";

interface Props {
  readonly login: PendingLogin;
  readonly answer: (allow: boolean) => void;
}

/** One program's login. Prevents accidental approval: Enter does nothing, and no press counts before the buttons have stood still. */
export function LoginQuestion({ login, answer }: Props) {
  const still = useStandsStill<HTMLDivElement>();
  const title = useId();
  return (
    <section className="login" aria-labelledby={title}>
      <div className="login-head">
        <Mark />
        <h1 id={title}>{words.question}</h1>
      </div>
      <p>{words.asks({ program: <strong>{login.name}</strong>, address: login.address })}</p>
      <output className="login-code" aria-label={words.code}>
        {login.code}
      </output>
      <p className="login-hint">{words.check}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields */}
      <div {...still} className="login-buttons" role="group">
        <button
          type="button"
          className="button primary"
          onClick={() => answer(true)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        >
          {words.allow}
        </button>
        <button type="button" className="button outlined" onClick={() => answer(false)}>
          {words.deny}
        </button>
      </div>
    </section>
  );
}
