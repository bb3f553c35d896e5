import "../ui/tokens.css";
import "../ui/base.css";
import "./refusal.css";
import { createRoot } from "react-dom/client";
import { Mark } from "../ui/mark.tsx";

/** Replaces the page with the reason why the session is not accessible. */
export function showRefusal(root: HTMLElement, reason: string): void {
  const page = document.createElement("div");
  root.replaceChildren(page);
  createRoot(page).render(
    <main className="refusal">
      <p className="refusal-brand">
        <Mark size={28} />
        Patchbay
      </p>
      <h1>No access to this session</h1>
      <p>{reason}</p>
    </main>,
  );
}
