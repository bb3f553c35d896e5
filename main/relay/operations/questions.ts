import type { questionOperations } from "../../../core/operations/questions.ts";
import { acpAgentTypes } from "../../../core/protocol/acp-agents.ts";
import type { ReadHook } from "../../../core/protocol/agent-hooks.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { ASKING_PROGRAM } from "../../../core/protocol/questions.ts";
import type { HookSigns } from "../../system/hook-signs.ts";
import type { Caller } from "../access/permits/caller.ts";
import type { Handlers } from "../calls/calls.ts";
import { askPerson } from "../questions/ask-person.ts";
import type { AgentsPort } from "../session/ports.ts";

interface QuestionHandlersOptions {
  readonly readHook: ReadHook;
  readonly agents: Pick<AgentsPort, "reportLimits" | "reportIdle" | "reportTelemetry">;
  /** Absent for a relay without a data folder. */
  readonly hookSigns?: HookSigns | undefined;
}

export function questionHandlers({
  readHook,
  agents,
  hookSigns,
}: QuestionHandlersOptions): Handlers<keyof typeof questionOperations> {
  return {
    getQuestions: ({ closed, all, shell }, { session }) =>
      session.questions.list({ all: closed || all }).filter(({ shellId }) => shell === undefined || shellId === shell),
    async answerQuestion({ id, wait, session: _, ...given }, { session, caller }) {
      const by = { kind: "user", name: caller.name, client: null } as const;
      const hidesSecrets = caller.permit?.hidesSecrets === true;
      await session.questions.answer(id, given, by, { forRelay: !caller.isAutomated, hidesSecrets });
      return session.questions.settled(id, wait * 1000);
    },
    askPerson({ question, options, wait }, { session, caller, signal }) {
      const shell = shellOf(caller);
      const agent = session.state.now.agents.find(({ shellId }) => shellId === shell);
      const asked = { shell, agentType: agent?.agentType ?? ASKING_PROGRAM, question, options, waitMs: wait * 1000 };
      return askPerson(session.questions, asked, signal);
    },
    reportAgentTelemetry({ resourceLogs }, { session, caller }) {
      agents.reportTelemetry(session.id, shellOf(caller), resourceLogs);
      return { partialSuccess: {} };
    },
    async reportAgentHook({ agent, key, event }, { session, caller, signal }) {
      const shell = shellOf(caller);
      const report = readHook(agent, event);
      if (report?.kind === "limits") {
        agents.reportLimits(session.id, shell, agent, report);
        return {};
      }
      hookSigns?.note(agent, "fired");
      if (report?.kind === "turn" && report.isIdle) agents.reportIdle(session.id, shell, agent, report.agentSessionId);
      const source = acpAgentTypes.some((type) => type === agent) ? "protocol" : "hook";
      return report === undefined
        ? {}
        : session.questions.hook({ shell, agentType: agent, source, key, report }, signal);
    },
  };
}

function shellOf({ principal: { shell } }: Caller): ShellId {
  if (shell === undefined)
    throw new RemoteError("scope_forbids", "Only a program in a shell can do this, with the token of the shell.");
  return shell;
}
