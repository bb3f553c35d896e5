/**
 * Lets xterm.js 6 style itself under a policy without `unsafe-inline`. It makes style elements (theme, sizes, scroll
 * bar), which get the page's nonce here; and its DOM renderer sets `style` attributes (true colour, contrast), which are
 * handed to the CSSOM instead, where the policy allows them. Call it before the first terminal is made.
 */
export function allowTerminalStyles(page: Document): void {
  const nonce = page.querySelector<HTMLElement>("meta[property=csp-nonce]")?.nonce;
  const createElement = page.createElement.bind(page);
  page.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = createElement(name, options);
    if (nonce !== undefined && element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  const setAttribute = HTMLElement.prototype.setAttribute;
  HTMLElement.prototype.setAttribute = function (name: string, value: string): void {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}
