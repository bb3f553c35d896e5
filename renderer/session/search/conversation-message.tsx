import { useEffect, useRef } from "react";
import type { ConversationMessage, MessageTool } from "../../../core/protocol/conversations.ts";
import { leadingInput } from "../../../core/protocol/leading-input.ts";
import { search } from "../../search/words.ts";
import { formatMilliseconds } from "../../ui/format-duration.ts";
import { formatTime } from "../../ui/format-time.ts";
import { AgentText } from "./agent-text.ts";

const words = search.conversation;
/** Characters of a text that are shown. */
const LONGEST_TEXT = 20_000;

interface Props {
  readonly message: ConversationMessage;
  /** It was searched for: it is scrolled to, and whole. */
  readonly isMeant: boolean;
}

/** A message of a conversation. What a tool printed is folded away. */
export function Message({ message, isMeant }: Props) {
  const element = useRef<HTMLLIElement>(null);
  const { role, kind, at, text, tool, subagent, images = [], longer, incomplete } = message;
  useEffect(() => {
    if (isMeant) element.current?.scrollIntoView({ block: "center" });
  }, [isMeant]);
  const from = kind === "prompt" || kind === "text" || kind === "tool" ? words.roles[role] : words.kinds[kind];
  const notes = [
    ...images.map(({ place, mediaType }) => words.image(place ?? mediaType)),
    ...(longer === undefined && text.length <= LONGEST_TEXT ? [] : [words.cut]),
    ...(incomplete === undefined ? [] : [incomplete]),
  ];
  return (
    <li ref={element} data-role={role} data-kind={kind} data-meant={isMeant || undefined}>
      <p className="conversation-head">
        <strong>{tool?.name ?? from}</strong>
        {subagent !== undefined && <span>{words.roles.subagent}</span>}
        {tool !== undefined && <ToolState tool={tool} />}
        <time dateTime={at}>{formatTime(at)}</time>
      </p>
      {tool !== undefined && <Tool tool={tool} isOpen={isMeant} />}
      {text !== "" && role !== "user" && <AgentText text={text.slice(0, LONGEST_TEXT)} />}
      {text !== "" && role === "user" && <p className="conversation-text">{text.slice(0, LONGEST_TEXT)}</p>}
      {notes.map((note) => (
        <p key={note} className="conversation-note">
          {note}
        </p>
      ))}
    </li>
  );
}

function ToolState({ tool: { result, isError, exitCode, refused, durationMs } }: { readonly tool: MessageTool }) {
  const states = [
    ...(result === undefined ? [words.tool.running] : []),
    ...(refused === true
      ? [words.tool.refused]
      : isError === true && exitCode === undefined
        ? [words.tool.failed]
        : []),
    ...(exitCode === undefined || exitCode === 0 ? [] : [words.tool.exitCode(exitCode)]),
    ...(durationMs === undefined ? [] : [formatMilliseconds(durationMs)]),
  ];
  const isBad = refused === true || isError === true || (exitCode ?? 0) !== 0;
  return <span data-bad={isBad || undefined}>{states.join(" · ")}</span>;
}

function Tool({ tool: { input, result = "" }, isOpen }: { readonly tool: MessageTool; readonly isOpen: boolean }) {
  const lines = result.trimEnd().split("\n").length;
  return (
    <>
      <pre className="conversation-call">{leadingInput(input).slice(0, LONGEST_TEXT)}</pre>
      {result !== "" && (
        <details open={isOpen}>
          <summary>{words.tool.result(lines)}</summary>
          <pre>{result.slice(0, LONGEST_TEXT)}</pre>
        </details>
      )}
    </>
  );
}
