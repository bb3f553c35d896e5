import "../ui/tokens.css";
import "./refusal.css";

/** Replaces the page with the reason why the session is not accessible. */
export function showRefusal(root: HTMLElement, reason: string): void {
  const main = document.createElement("main");
  main.className = "refusal";
  const title = document.createElement("h1");
  title.textContent = "No access to this session";
  const text = document.createElement("p");
  text.textContent = reason;
  main.append(title, text);
  root.replaceChildren(main);
}
