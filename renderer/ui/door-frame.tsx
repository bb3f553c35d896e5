import "./door.css";
import type { ReactNode } from "react";
import { Mark } from "./mark.tsx";

/** What a page shows in place of a session that it does not have, or not yet. */
export function DoorFrame({ children }: { readonly children: ReactNode }) {
  return (
    <main className="door">
      <p className="door-brand">
        <Mark size={28} />
        Patchbay
      </p>
      {children}
    </main>
  );
}
