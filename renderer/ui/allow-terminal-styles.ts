/**
 * Lets xterm.js 6 style itself under a policy without `unsafe-inline`. Its style elements (theme, sizes, scroll bar) get
 * the page's nonce; `style` attributes of its DOM renderer (true colour, contrast) are set through the CSSOM, which the
 * policy allows. Call it before the first terminal is created.
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
