import { act } from "@testing-library/react";

interface PendingAnswer {
  readonly result: Promise<object>;
  give(answer: object): Promise<void>;
}

/** Creates the answer of a call that is on its way until the test gives it. */
export function pendingAnswer(): PendingAnswer {
  let resolveWith: (answer: object) => void = () => undefined;
  const result = new Promise<object>((resolve) => {
    resolveWith = resolve;
  });
  return { result, give: (answer) => act(async () => resolveWith(answer)) };
}
