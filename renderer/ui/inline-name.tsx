import { useRef, useState } from "react";
import { firstCharacters } from "../../core/protocol/first-characters.ts";

interface Props {
  /** Accessible name of the field. */
  readonly label: string;
  readonly name: string;
  readonly className: string;
  /** An empty name may be saved: it removes the name. */
  readonly mayBeEmpty?: boolean;
  save(name: string): void;
  done(): void;
}

/** A field in the place of a name. Enter and leaving it save what is typed; Escape changes nothing. */
export function InlineName({ label, name, className, mayBeEmpty = false, save, done }: Props) {
  const [text, setText] = useState(name);
  const settled = useRef(false);
  const settle = (keep: boolean) => {
    if (settled.current) return;
    settled.current = true;
    const next = text.trim();
    if (keep && next !== name && (next !== "" || mayBeEmpty)) save(next);
    done();
  };
  return (
    <input
      className={className}
      aria-label={label}
      spellCheck={false}
      size={Math.min(40, Math.max(12, text.length + 2))}
      // biome-ignore lint/a11y/noAutofocus: the user has just asked to type here
      autoFocus
      value={text}
      onChange={(event) => setText(firstCharacters(event.target.value, 200))}
      onBlur={() => settle(true)}
      onFocus={(event) => event.target.select()}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") settle(true);
        else if (event.key === "Escape") settle(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
