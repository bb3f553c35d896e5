import { useState } from "react";
import type { Recording } from "../../../core/protocol/recording.ts";
import { search as words } from "../../search/words.ts";
import { Icon } from "../../ui/icon.tsx";

/** What turns recording on, where the owner can. */
const commands: Readonly<Partial<Record<Recording, string>>> = {
  unasked: "service history on",
  off: "service history on",
  excepted: "service history session on",
};

/** Says what a search cannot find because it is not recorded, and how to change that. */
export function RecordingNotice({ recording }: { recording: Recording | undefined }) {
  const [copied, setCopied] = useState(false);
  if (recording === undefined || recording === "on") return null;
  const command = commands[recording];
  const { title, body } = words.recording[recording];
  const copy = () =>
    void navigator.clipboard.writeText(command ?? "").then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <div className="search-notice">
      <Icon name="info" />
      <div>
        <strong>{title}</strong>
        <p>
          {body} {command !== undefined && words.byHand({ command: <code>{command}</code> })}
        </p>
      </div>
      {command !== undefined && (
        <button type="button" className="button outlined small" aria-live="polite" onClick={copy}>
          {copied ? words.copied : words.copy}
        </button>
      )}
    </div>
  );
}
