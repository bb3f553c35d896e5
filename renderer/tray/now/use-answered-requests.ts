import { useEffect, useState } from "react";
import { SETTLED_SHOWN_MS } from "../../../core/protocol/questions.ts";
import type { RequestItem } from "./wait-items.ts";

/**
 * A request that the user has answered here, or that closed while it had the focus. It keeps its place, so that what
 * follows does not move under a press.
 */
export interface AnsweredRequest {
  readonly request: RequestItem;
  /** Its position among the requests when it was answered or went. */
  readonly at: number;
  /** The label of the answer that was given here; "" where none was. */
  readonly answer: string;
  /** The answer is on its way, or the relay has taken it; otherwise the request closed without it. */
  readonly state: "sending" | "taken" | "overtaken" | "expired";
}

export interface AnsweredRequests {
  /** The requests that wait, and those that are kept. */
  readonly listed: readonly ListedRequest[];
  /** @param result undefined where the answer was refused: a request that still waits is as it was */
  answer(given: Omit<AnsweredRequest, "state">, result: Promise<unknown>): Promise<void>;
  dismiss(key: string): void;
  /** The request that has the keyboard's focus; it stays until it loses it. */
  setFocused(key: string | undefined): void;
}

/**
 * Keeps the requests that the user answers, and the one that closes while it has the focus, each for a moment after that
 * or until the panel is hidden.
 *
 * @param requests those that wait; the same array until they change
 */
export function useAnsweredRequests(requests: readonly RequestItem[]): AnsweredRequests {
  const [list, setList] = useState<readonly AnsweredRequest[]>([]);
  const [focused, setFocused] = useState<string>();
  const [before, setBefore] = useState(requests);
  if (before !== requests) {
    // Before the page is drawn without it, and the focus goes to another card.
    setBefore(requests);
    const gone = before.find(({ key }) => key === focused && !requests.some((one) => one.key === key));
    if (gone !== undefined && !document.hidden && !list.some(({ request }) => request.key === gone.key)) {
      const at = withAnswered(before, list).findIndex(({ request }) => request === gone);
      setList([...list, { request: gone, at, answer: "", state: closedState(gone) }]);
    }
  }
  const dismiss = (key: string) => setList((now) => now.filter(({ request }) => request.key !== key));
  useEffect(() => {
    // A request whose answer is on its way must not be answered again.
    const forget = () => document.hidden && setList((now) => now.filter(({ state }) => state === "sending"));
    document.addEventListener("visibilitychange", forget);
    return () => document.removeEventListener("visibilitychange", forget);
  }, []);
  useEffect(() => {
    const settled = list.filter(({ request, state }) => state !== "sending" && request.key !== focused);
    if (settled.length === 0) return;
    const timer = setTimeout(() => setList((now) => now.filter((one) => !settled.includes(one))), SETTLED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [list, focused]);
  return {
    listed: withAnswered(requests, list),
    dismiss,
    setFocused,
    async answer(given, result) {
      const { key } = given.request;
      const sent: AnsweredRequest = { ...given, state: "sending" };
      setList((now) => [...now.filter(({ request }) => request.key !== key), sent]);
      const state = (await result) === undefined ? closedState(given.request) : "taken";
      setList((now) => now.map((one) => (one === sent ? { ...one, state } : one)));
    },
  };
}

/** Says why a request closed without an answer of this panel: its time was over, or something else closed it. */
function closedState(item: RequestItem): "overtaken" | "expired" {
  const isTimed = item.kind === "adopt" || item.kind === "role";
  const until = item.kind === "login" ? item.login.expiresAt : isTimed ? item.request.expiresAt : undefined;
  return until !== undefined && Date.parse(until) <= Date.now() ? "expired" : "overtaken";
}

/** A request as it is listed, with the answer that was just given. */
export interface ListedRequest {
  readonly request: RequestItem;
  readonly answered: AnsweredRequest | undefined;
}

/** Lists the requests that wait, and in their places those that were answered and are kept. */
export function withAnswered(
  requests: readonly RequestItem[],
  kept: readonly AnsweredRequest[],
): readonly ListedRequest[] {
  const listed: ListedRequest[] = requests.map((request) => ({
    request,
    // One that closed and is asked again waits.
    answered: kept.find((one) => one.request.key === request.key && ["sending", "taken"].includes(one.state)),
  }));
  for (const answered of kept.toSorted((one, other) => one.at - other.at)) {
    const { request, at } = answered;
    if (!listed.some((one) => one.request.key === request.key)) listed.splice(at, 0, { request, answered });
  }
  return listed;
}
