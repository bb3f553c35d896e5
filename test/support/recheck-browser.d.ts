/** The checker's own JavaScript, without the native programs that its main module prefers. */
declare module "recheck/lib/browser.js" {
  export { checkSync } from "recheck";
}
