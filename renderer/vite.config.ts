import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** All existing pages. */
const pages = ["window", "tray", "toast", "login", "web"]
  .map((page) => `${folder}${page}/index.html`)
  .filter(existsSync);

/** The placeholder for the nonce of a page's policy, which the server replaces (main/desktop/app/content-policy.ts). */
const NONCE = "PATCHBAY_NONCE";

/** Words of another language, for those who speak it. */
const TRANSLATION = /[.-](de|ja)-[\w-]{1,20}\.js$/;

/** Terminals, keys and words of the session view, of which the panel's settings use some, and what its parts share. */
const TERMINAL_PARTS = [
  ...["terminal/", "keys/", "words/", "view/", "shells/shell-actions", "actions/open-history"],
  ...["tiles/search-bar", "stage/swipe", "palette/entry"],
].map((part) => `/renderer/session/${part}`);

/** The modules of the drawer that pages import. */
const DRAWER = ["/tray/start/drawer-", "/tray/start/guest-"] as const;

/**
 * Lets a page load what it imports later at once with the rest, instead of after the scripts that import it; but not the
 * drawer, which few pages open.
 */
function preloadLater(): Plugin {
  return {
    name: "preload-later",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {}, chunk }) {
        const addTo = (files: Set<string>, file: string) => {
          const loaded = bundle[file];
          if (files.has(file) || loaded?.type !== "chunk") return;
          files.add(file);
          for (const other of loaded.imports) addTo(files, other);
        };
        const first = new Set<string>();
        if (chunk !== undefined) addTo(first, chunk.fileName);
        const all = new Set<string>();
        for (const file of chunk?.dynamicImports ?? []) {
          const loaded = bundle[file];
          const isDrawer =
            loaded?.type === "chunk" && DRAWER.some((name) => loaded.facadeModuleId?.includes(name) === true);
          if (!isDrawer && !TRANSLATION.test(file)) addTo(all, file);
        }
        return [...all]
          .filter((file) => !first.has(file))
          .map((file): HtmlTagDescriptor => {
            const attrs = { rel: "modulepreload", crossorigin: true, href: `../${file}`, nonce: NONCE };
            return { tag: "link", attrs, injectTo: "head" };
          });
      },
    },
  };
}

/** Leaves out of the pages what core/ says of codes, fields and the command line. */
function withoutDocumentation(): Plugin {
  const errors = /(: \[\s*[0-9]+,)\s*"[^"\n]*",?\s*\]/g;
  const fields = /\.describe\(\s*"(?:[^"\\\n]|\\.)*",?\s*\)/g;
  const details = /^ +(?:details|note):\s*"(?:[^"\\\n]|\\.)*",\n/gm;
  const launchNotes = /^ +note: launchNote,\n/gm;
  const oneLineForms = /^ {2}cli: \[.*\],\n/gm;
  const forms = /^ {2}cli: \[\n(?: {4}.*\n)+ {2}\],\n/gm;
  const examples = /^ +examples:\s*\[(?:\s*"(?:[^"\\\n]|\\.)*",?)*\s*\],\n/gm;
  const withoutForms = (code: string) =>
    [oneLineForms, forms].reduce((left, pattern) => left.replace(pattern, "  cli: [],\n"), code);
  return {
    name: "without-documentation",
    enforce: "pre",
    transform(code, id) {
      const isDeclared = ["protocol", "commands", "operations"].some((room) => id.includes(`/core/${room}/`));
      if (!isDeclared) return undefined;
      const isErrors = id.endsWith("/errors.ts");
      const documented = [fields, details, launchNotes, examples];
      const isCommand = id.includes("/core/commands/");
      const short = isErrors
        ? code.replace(errors, '$1 ""]')
        : documented.reduce((left, pattern) => left.replace(pattern, ""), isCommand ? withoutForms(code) : code);
      if (isErrors && short.length > code.length - 4000) this.error(id);
      return { code: short, map: null };
    },
  };
}

/**
 * Builds the pages for the app's scheme and the relay, under a strict policy: relative addresses, no inlined files, and a
 * placeholder for the nonce.
 */
export default defineConfig({
  root: folder,
  base: "./",
  plugins: [react(), preloadLater(), withoutDocumentation()],
  html: { cspNonce: NONCE },
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
        codeSplitting: {
          groups: [
            // One file for what most pages share, the core included: each file more costs a request and compresses worse.
            {
              name: "shared",
              minShareCount: 2,
              // What the panel alone uses in several of its parts stays with it.
              test: /[\\/](renderer[\\/]ui(?![\\/]import-theme\.ts)|react|react-dom|scheduler|zod|core(?![\\/](operations|procedures)[\\/]|[\\/]protocol[\\/](usage|csv|audit|desktop-settings|key-restrictions|shell-host|conversations|webhooks|agent-hooks|history|history-search|policies|acp-agents|shown-name|terminal-signals|fleet|prices|nearest|searchable|notification-record|pending-login|scopes|decimal|machines|waiting-elsewhere)\.ts))[\\/]|split-into-pieces/,
            },
            // The words of another language are one file for all pages.
            { name: "words-de", test: /words([\\/][\w-]+)?\.de\.ts$/ },
            { name: "words-ja", test: /words([\\/][\w-]+)?\.ja\.ts$/ },
            {
              name: "terminal",
              minShareCount: 2,
              test: (id) => TERMINAL_PARTS.some((part) => id.replaceAll("\\", "/").includes(part)),
            },
          ],
        },
        entryFileNames: ({ name }) => (name === "offline-worker" ? "web/[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
