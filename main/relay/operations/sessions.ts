import type { sessionOperations } from "../../../core/operations/sessions.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { SessionRecord } from "../../../core/protocol/records.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Handlers } from "./operations.ts";

export function sessionHandlers(sessions: Sessions): Handlers<keyof typeof sessionOperations> {
  return {
    listSessions: (_params, { caller: { principal } }) =>
      sessions
        .all()
        .filter(({ id, owner }) => owner === principal.user && (principal.session ?? id) === id)
        .map((session) => session.record()),
    createSession: ({ name }, { caller: { principal } }) => sessions.create(principal.user, name).record(),
    renameSession: ({ name }, { session }) => sessions.rename(session.id, name).record(),
    async closeSession({ force }, { session }) {
      const record = session.record();
      if (!force && record.shellCount > 0) throw shellsRunning(record);
      await sessions.remove(session.id);
      return record;
    },
  };
}

function shellsRunning({ name, shellCount }: SessionRecord): RemoteError {
  const running = shellCount === 1 ? "a shell runs" : `${shellCount} shells run`;
  return new RemoteError("shells_running", `In the session ${name} ${running}: close what runs first, or force it.`);
}
