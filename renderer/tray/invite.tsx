import { SessionId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { formatTime } from "../ui/format-time.ts";
import { Popover } from "../ui/popover.tsx";
import { usePanel } from "./use-panel.ts";
import { words } from "./words/index.ts";

/** Copies a link that lets one browser into a session. */
export function InviteButton({ session }: { readonly session: PanelSession }) {
  const { run, showStatus } = usePanel();
  const invite = async (role: "writer" | "reader") => {
    const made = await run("panel.invite", { id: SessionId.parse(session.id), role });
    if (made !== undefined) showStatus(words.sessions.invited(formatTime(made.expiresAt)));
  };
  return (
    <Popover
      button={words.sessions.invite}
      label={words.sessions.inviteTo(session.name)}
      className="button outlined small"
    >
      {(close) => (
        <div className="panel-menu">
          {(["writer", "reader"] as const).map((role) => (
            <button
              key={role}
              type="button"
              className="button quiet"
              onClick={() => {
                close();
                void invite(role);
              }}
            >
              {role === "writer" ? words.sessions.inviteWriter : words.sessions.inviteReader}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}
