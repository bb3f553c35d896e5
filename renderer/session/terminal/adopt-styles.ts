/**
 * xterm.js writes `<style>` elements, which our Content-Security-Policy (`style-src 'self'`) rightly ignores. A style
 * sheet that script constructs is no inline style, so this mirrors their text into constructed ones. Answers how to stop.
 */
export function adoptStyles(within: HTMLElement): () => void {
  const document = within.ownerDocument;
  const sheets = new Map<HTMLStyleElement, CSSStyleSheet>();
  const mirror = () => {
    const present = new Set(within.querySelectorAll("style"));
    for (const element of present) {
      const sheet = sheets.get(element) ?? new CSSStyleSheet();
      sheet.replaceSync(element.textContent ?? "");
      sheets.set(element, sheet);
    }
    for (const element of sheets.keys()) if (!present.has(element)) sheets.delete(element);
    show();
  };
  const others = () => document.adoptedStyleSheets.filter((sheet) => !mine.has(sheet));
  const mine = new WeakSet<CSSStyleSheet>();
  const show = () => {
    for (const sheet of sheets.values()) mine.add(sheet);
    document.adoptedStyleSheets = [...others(), ...sheets.values()];
  };
  // Only style elements change their own text; rows and cells are not looked at.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ target, addedNodes }) => isStyle(target) || [...addedNodes].some(isStyle))) mirror();
  });
  observer.observe(within, { childList: true, subtree: true });
  mirror();
  return () => {
    observer.disconnect();
    sheets.clear();
    document.adoptedStyleSheets = others();
  };
}

function isStyle(node: Node): boolean {
  return node.nodeName === "STYLE";
}
