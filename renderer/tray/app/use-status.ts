import { useCallback, useEffect, useState } from "react";

const SHOWN_MS = 6_000;

/** A sentence that is shown for some seconds. */
export interface StatusMessage {
  readonly sentence: string;
  readonly kind: "info" | "bad";
}

/** The sentence that is shown now, and a function that shows one. */
export function useStatus(): readonly [
  StatusMessage | undefined,
  (sentence: string, kind?: StatusMessage["kind"]) => void,
] {
  const [status, setStatus] = useState<StatusMessage>();
  useEffect(() => {
    if (status === undefined) return;
    const timer = setTimeout(() => setStatus(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const show = useCallback(
    (sentence: string, kind: StatusMessage["kind"] = "info") => setStatus({ sentence, kind }),
    [],
  );
  return [status, show];
}
