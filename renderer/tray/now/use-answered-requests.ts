import { useEffect, useState } from "react";
import { SETTLED_SHOWN_MS } from "../../../core/protocol/questions.ts";
import type { RequestItem } from "./wait-items.ts";

/** A request that the user has answered here. It keeps its place, so that what follows does not move under a press. */
export interface AnsweredRequest {
  readonly request: RequestItem;
  /** Its position among the requests when it was answered. */
  readonly at: number;
  /** The label of the answer. */
  readonly answer: string;
  /** The answer is on its way. */
  readonly isSending: boolean;
}

export interface AnsweredRequests {
  readonly list: readonly AnsweredRequest[];
  /** @param result undefined where the answer was refused: the request is as it was */
  answer(given: Omit<AnsweredRequest, "isSending">, result: Promise<unknown>): Promise<void>;
  dismiss(key: string): void;
  /** The request that has the keyboard's focus; it stays until it loses it. */
  setFocused(key: string | undefined): void;
}

/** Keeps the requests that the user answers, each for a moment after its answer was taken or until the panel is hidden. */
export function useAnsweredRequests(): AnsweredRequests {
  const [list, setList] = useState<readonly AnsweredRequest[]>([]);
  const [focused, setFocused] = useState<string>();
  const dismiss = (key: string) => setList((now) => now.filter(({ request }) => request.key !== key));
  useEffect(() => {
    const forget = () => document.hidden && setList([]);
    document.addEventListener("visibilitychange", forget);
    return () => document.removeEventListener("visibilitychange", forget);
  }, []);
  useEffect(() => {
    const settled = list.filter(({ request, isSending }) => !isSending && request.key !== focused);
    if (settled.length === 0) return;
    const timer = setTimeout(() => setList((now) => now.filter((one) => !settled.includes(one))), SETTLED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [list, focused]);
  return {
    list,
    dismiss,
    setFocused,
    async answer(given, result) {
      const { key } = given.request;
      const sent = { ...given, isSending: true };
      setList((now) => [...now.filter(({ request }) => request.key !== key), sent]);
      if ((await result) === undefined) dismiss(key);
      else setList((now) => now.map((one) => (one === sent ? { ...one, isSending: false } : one)));
    },
  };
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
    answered: kept.find((one) => one.request.key === request.key),
  }));
  for (const answered of kept.toSorted((one, other) => one.at - other.at)) {
    const { request, at } = answered;
    if (!listed.some((one) => one.request.key === request.key)) listed.splice(at, 0, { request, answered });
  }
  return listed;
}
