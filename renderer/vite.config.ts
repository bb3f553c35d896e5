import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** All existing pages. */
const pages = ["window", "tray", "toast", "login", "web"]
  .map((page) => `${folder}${page}/index.html`)
  .filter(existsSync);

/**
 * Builds the pages for the app's scheme and the relay, under a strict policy: relative addresses, no inlined files, and a
 * placeholder for the nonce, which the server replaces (main/desktop/app/content-policy.ts).
 */
export default defineConfig({
  root: folder,
  base: "./",
  plugins: [react()],
  html: { cspNonce: "PATCHBAY_NONCE" },
  build: {
    outDir: fileURLToPath(new URL("../dist/renderer", import.meta.url)),
    emptyOutDir: true,
    target: "chrome130",
    sourcemap: true,
    assetsInlineLimit: 0,
    // The terminal is one large chunk; pages are served locally.
    chunkSizeWarningLimit: 1500,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [...pages, `${folder}web/offline-worker.ts`],
      // The relay serves the worker under a name of its own: a browser looks for a new version at the same address.
      output: {
        // One file for what most pages share: each file more costs a request and compresses worse.
        codeSplitting: { groups: [{ name: "shared", minShareCount: 3, test: /[\\/](core|renderer)[\\/]/ }] },
        entryFileNames: ({ name }) => (name === "offline-worker" ? "web/[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
