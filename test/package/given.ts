/** What tools/package/test-package.mjs made for the tests. Throws where they are run without it. */
export function given(
  name: "PATCHBAY_DEB" | "PATCHBAY_HIGHER_DEB" | "PATCHBAY_UNPACKED" | "PATCHBAY_AGAIN" | "PATCHBAY_DEBIAN",
): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run \`npm run test:package\``);
  return value;
}
