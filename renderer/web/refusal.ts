import "../ui/tokens.css";
import "./refusal.css";

/** A page that says why there is no session to see, and what to do. */
export function showRefusal(root: HTMLElement, reason: string): void {
  const main = document.createElement("main");
  main.className = "refusal";
  const title = document.createElement("h1");
  title.textContent = "This session is closed to you";
  const text = document.createElement("p");
  text.textContent = reason;
  main.append(title, text);
  root.replaceChildren(main);
}
