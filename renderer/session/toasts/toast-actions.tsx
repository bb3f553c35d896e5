import type { ReactNode } from "react";
import { useStandsStill } from "../../ui/stands-still.ts";

interface Props {
  /** An answer is on its way. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** The buttons of a message, which comes by itself: a press counts once they have stood still. */
export function ToastActions({ isBusy, children }: Props) {
  const { "aria-disabled": isTooEarly, ...still } = useStandsStill<HTMLDivElement>();
  return (
    // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
    <div {...still} className="toast-actions" role="group" aria-disabled={isBusy || isTooEarly}>
      {children}
    </div>
  );
}
