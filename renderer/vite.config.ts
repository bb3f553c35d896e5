import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** Every page; one whose folder is not there yet is left out. */
const pages = ["window", "tray", "toast", "login", "web"]
  .map((page) => `${folder}${page}/index.html`)
  .filter(existsSync);

/**
 * The pages, for a scheme or server of our own with a strict policy: relative addresses, no inlined files, and a nonce's
 * placeholder that whoever serves a page replaces (main/desktop/app/content-policy.ts).
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
    // The terminal is one large part; the pages are served from this machine.
    chunkSizeWarningLimit: 1500,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: pages },
  },
});
