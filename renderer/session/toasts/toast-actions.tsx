import type { ReactNode } from "react";
import { useStandsStill } from "../../ui/stands-still.ts";

/** The buttons of a message, which comes by itself: a press counts once they have stood still. */
export function ToastActions({ children }: { readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: answers are no set of form fields
    <div {...useStandsStill<HTMLDivElement>()} className="toast-actions" role="group">
      {children}
    </div>
  );
}
