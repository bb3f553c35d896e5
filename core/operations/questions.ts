import { z } from "zod";
import { hookAgents } from "../protocol/agent-hooks.ts";
import { ShellId } from "../protocol/ids.ts";
import { JsonValue } from "../protocol/json-value.ts";
import { GivenAnswer, Question, questionLimits } from "../protocol/questions.ts";
import { asSeen } from "../protocol/shown-name.ts";
import { operation } from "./operation.ts";
import { SessionParam } from "./sessions.ts";

/** Text of which a reader sees something. One that is too long is not looked at: that takes a second for a megabyte. */
function seenText(longest: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(longest, { abort: true })
    .refine((text) => asSeen(text) !== "", "expected text that can be seen");
}

export const questionOperations = {
  getQuestions: operation({
    summary: "List the questions of the agents in a session's shells",
    details: "Those that need a person: open ones, and answers that the agent's own record has not confirmed.",
    params: z.object({
      session: SessionParam,
      closed: z.boolean().default(false).describe("list the closed questions too, as far as they are kept"),
      all: z.boolean().default(false).describe("earlier name of `closed`"),
      shell: ShellId.optional().describe("only those of this shell"),
    }),
    result: z.array(Question),
    access: "read",
    effect: "read",
    http: { method: "GET", path: "sessions/:session/questions" },
    cli: {
      word: "questions",
      // There `--all` asks every machine.
      absent: ["all"],
      allMachines: true,
      columns: ["id", "shellId", "agentType", "title", "state", "risk", "askedAt"],
      examples: ["questions", "questions --all", "questions --shell 3", "questions --closed"],
    },
    panel: true,
  }),
  answerQuestion: operation({
    summary: "Answer a question of an agent",
    details:
      "Give one of `option` (its id, key or label, or its place in the list), `text`, and for a question with `choices` `answers`; for a permission a text is a refusal that tells the agent why. The first answer wins, and one in the agent's terminal counts: a later one is refused with `question_closed`, which says who answered and what. Returns the question with its `receipt` after at most `wait` seconds. Closed to agents, to restricted shells and to read-only keys.",
    params: z.object({
      session: SessionParam,
      id: z.int().positive().describe("id of the question"),
      ...GivenAnswer.shape,
      wait: z.number().min(0).max(60).default(5).describe("seconds to wait for proof that the agent took the answer"),
    }),
    result: Question,
    access: "change",
    closedToAgents: true,
    effect: "change",
    sensitive: ["text", "answers"],
    http: { method: "POST", path: "sessions/:session/questions/:id/answer" },
    cli: {
      word: "answer",
      args: ["id", "option"],
      examples: [
        "answer 12 yes",
        "answer 12 --text 'use the other folder'",
        "answer 14 --answers 2,1+3",
        "answer 13 1 --confirm-screen",
        "answer 12 yes --on build-box",
      ],
    },
    panel: true,
  }),
  askPerson: operation({
    summary: "Ask the people who watch a session, and wait for the answer",
    details:
      "For programs and agents in shells, with the shell's token. The question stands with those of agents: in the tile, the panel, notifications, the command line and on phones. The first answer counts. With `options` people choose one or answer in words, without them they answer in words. Refused with `wait_timeout` when nobody has answered within `wait` seconds; the question is withdrawn then, and when the caller is gone.",
    params: z.object({
      session: SessionParam,
      question: seenText(4000),
      options: z
        .array(seenText(questionLimits.label))
        .max(9, { abort: true })
        .refine((labels) => new Set(labels.map(asSeen)).size === labels.length, "expected labels that look different")
        .default([])
        .describe("what people choose from"),
      wait: z.number().min(1).max(3600).default(290).describe("seconds to wait for an answer"),
    }),
    result: z.object({
      question: z.int().describe("id of the question"),
      answer: z.string().describe("label of the chosen option, or the answer in words"),
      answeredBy: z.string(),
    }),
    access: "shell",
    effect: "change",
    sensitive: ["question", "options"],
    http: { method: "POST", path: "sessions/:session/questions" },
    cli: {
      word: "ask",
      args: ["question"],
      shows: "answer",
      examples: ["ask 'Deploy to production?' --options yes,no", "ask 'Which port?' --wait 600"],
    },
  }),
  reportAgentHook: operation({
    summary: "Report an event of an agent's hook",
    details:
      "For the hooks that `agents connect` installs, and for `patchbay acp`, with the token of the shell that the agent runs in. For a question the response is the hook's output once it is answered, and `{}` when it is settled elsewhere.",
    params: z.object({
      session: SessionParam,
      agent: z.enum(hookAgents).describe("kind of the agent"),
      key: z.string().min(1).max(100).describe("names this run of the hook; the same in a repetition"),
      event: z.record(z.string(), JsonValue).describe("the hook's input, as the agent gives it"),
    }),
    result: z.record(z.string(), JsonValue),
    access: "shell",
    effect: "change",
    frequent: true,
    sensitive: ["event"],
    http: { method: "POST", path: "sessions/:session/agent-hooks/:agent", bare: true },
  }),
  reportAgentTelemetry: operation({
    summary: "Report what an agent tells of itself by OTLP",
    details:
      "For the OpenTelemetry exporters of Claude Code and Codex (OTLP logs over HTTP, as JSON), with the token of the shell that the agent runs in. The event's session names the conversation in the shell; calls of the model are summed as a witness of the cost (`get-agent-cost --explain`), and prompts, calls and errors stand in `agents explain`. Texts are not kept.",
    params: z.object({
      session: SessionParam,
      resourceLogs: z.array(z.record(z.string(), JsonValue)).max(1000).describe("as the protocol has them"),
    }),
    result: z.object({ partialSuccess: z.object({}) }),
    access: "shell",
    effect: "change",
    frequent: true,
    sensitive: ["resourceLogs"],
    http: { method: "POST", path: "sessions/:session/agent-telemetry/v1/logs", bare: true },
  }),
} as const;
