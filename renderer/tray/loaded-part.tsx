import { type ReactNode, Suspense } from "react";
import { LoadGuard } from "../ui/load-guard.tsx";
import { words } from "../ui/words.ts";

/** Shows parts whose code is loaded on demand; where it does not come, a sentence in their place and the rest of the panel. */
export function LoadedPart(props: { readonly loading?: ReactNode; readonly children: ReactNode }) {
  const { loading = null, children } = props;
  return (
    <LoadGuard fallback={<p className="panel-empty">{words.notLoaded}</p>}>
      <Suspense fallback={loading}>{children}</Suspense>
    </LoadGuard>
  );
}
