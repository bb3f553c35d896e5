import { createHash } from "node:crypto";

/**
 * What a plugin's page loads as `patchbay.js`: its end of the bridge, whose other end is
 * renderer/session/tiles/plugin-bridge.ts. Runs in the page's sandbox, so nothing here guards anything.
 */
const bridgeScript = `{
  const { port1: port, port2 } = new MessageChannel();
  const waiting = new Map();
  const listeners = new Map();
  let next = 1;
  let welcomed;
  const ready = new Promise((resolve) => { welcomed = resolve; });

  const ask = (message) =>
    new Promise((resolve, reject) => {
      const id = next++;
      waiting.set(id, { resolve, reject });
      port.postMessage({ ...message, id });
    });
  const tell = (type, event) => {
    for (const listener of [...(listeners.get(type) ?? [])]) listener(event.data, event);
  };
  const wear = ({ scheme, tokens }) => {
    const { style, dataset } = document.documentElement;
    dataset.theme = scheme;
    style.colorScheme = scheme;
    for (const [name, value] of Object.entries(tokens)) style.setProperty("--" + name, value);
  };

  port.onmessage = ({ data }) => {
    if (data.type === "welcome") {
      wear(data.theme);
      welcomed(data.plugin);
    } else if (data.type === "theme") wear(data.theme);
    else if (data.type === "event") tell(data.event.type, data.event);
    else {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.type === "answer") resolve?.(data.value);
      else reject?.(Object.assign(new Error(data.message), { code: data.code }));
    }
  };
  window.patchbay = Object.freeze({
    ready,
    call: (method, params = {}) => ask({ do: "call", method, params }),
    emit: (type, data = null) => ask({ do: "call", method: "broadcastEvent", params: { type, data } }),
    on(type, listener) {
      const heard = listeners.get(type) ?? new Set();
      listeners.set(type, heard.add(listener));
      return () => heard.delete(listener);
    },
    state: Object.freeze({
      get: (key) => ask({ do: "get", key }),
      set: (key, value) => ask({ do: "set", key, value }),
    }),
  });
  window.parent.parent.postMessage({ patchbay: 1 }, "*", [port2]);
}
`;

/**
 * The one script that a plugin's page may start. WebRTC is the one way to the network that a Content-Security-Policy does
 * not close, so this removes it before any code of the plugin runs.
 *
 * Every realm in which a plugin could run code has to start with this script: the page's policy allows an inline script
 * by its hash alone, no script by its address and no `javascript:` address, and child frames inherit the policy
 * (`about:srcdoc`) or are refused. The opaque origin of the sandbox keeps a child frame's own realm out of reach. The
 * plugin's scripts are run by `eval`, which stays in the realm that it is called in.
 */
const starter = `"use strict";
(() => {
  for (const name of Object.getOwnPropertyNames(window)) if (/RTC/.test(name)) delete window[name];
  const left = ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection"].filter((name) => name in window);
  if (left.length > 0) throw new Error("WebRTC cannot be removed: the plugin is not run.");
  const evaluate = eval;
  const run = (code) => {
    try {
      evaluate(code);
    } catch (error) {
      reportError(error);
    }
  };
  const runScript = (script) => {
    const source = script.getAttribute("src");
    if (source !== null) {
      if (/^([.][/])?patchbay[.]js$/.test(source) && window.patchbay === undefined) startBridge();
      return;
    }
    const type = (script.getAttribute("type") ?? "").trim().toLowerCase();
    if (type === "module") run("(async () => {" + script.textContent + "\\n})()");
    else if (type === "" || /^(text|application)[/]javascript$/.test(type)) run(script.textContent);
  };
  const listenTo = (element) => {
    for (const { name, value } of [...element.attributes]) {
      if (!/^on/.test(name)) continue;
      const target = element === document.body && /^on(load|message|resize|error|hashchange)$/.test(name) ? window : element;
      target.addEventListener(name.slice(2), new Function("event", value));
    }
  };
  addEventListener("DOMContentLoaded", () => {
    const page = new DOMParser().parseFromString(JSON.parse(document.getElementById("page").textContent), "text/html");
    const scripts = [...page.querySelectorAll("script")].map((script) => [script, script.cloneNode(true)]);
    // What the policy refuses anyway would be reported once more.
    for (const [script] of scripts) script.type = "text/plain";
    const fonts = document.getElementById("fonts");
    document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
    document.head.prepend(fonts);
    for (const element of document.querySelectorAll("*")) listenTo(element);
    for (const [, script] of scripts) runScript(script);
    document.dispatchEvent(new Event("DOMContentLoaded", { bubbles: true }));
  }, { once: true });
  function startBridge() ${bridgeScript.trim()}
})();
`;

/** Source expression of `script-src` for a plugin's page. */
export const pageScriptSource = `'sha256-${createHash("sha256").update(starter).digest("base64")}'`;

/**
 * Returns the document that shows a plugin's page: the page as data, after the script that runs it.
 *
 * @param fonts style sheet with the fonts of the view, which the page may use
 */
export function pageDocument(page: Buffer, fonts: string): string {
  const data = JSON.stringify(page.toString("utf8").replace(/^\uFEFF/, "")).replaceAll("<", "\\u003c");
  return `<!doctype html>
<meta charset="utf-8">
<style id="fonts">${fonts}</style>
<script>${starter}</script>
<script type="application/json" id="page">${data}</script>
`;
}

const probe = `"use strict";
{
  const reaches = (path) => fetch(path, { mode: "no-cors", cache: "no-store" }).then(() => true, () => false);
  const refusesWebRtc = () => {
    try {
      new RTCPeerConnection().close();
      return false;
    } catch (error) {
      return error.name === "NotAllowedError";
    }
  };
  const failsWebRtc = async () => {
    const near = new RTCPeerConnection();
    const failed = new Promise((resolve) => {
      near.oniceconnectionstatechange = () => near.iceConnectionState === "failed" && resolve(true);
      setTimeout(resolve, 1000, false);
    });
    const far = new RTCPeerConnection();
    near.createDataChannel("");
    await near.setLocalDescription(await near.createOffer());
    await far.setRemoteDescription(near.localDescription);
    await far.setLocalDescription(await far.createAnswer());
    await near.setRemoteDescription(far.localDescription);
    await near.addIceCandidate({ candidate: "candidate:1 1 udp 1 127.0.0.1 9 typ host", sdpMid: "0" });
    const hasFailed = await failed;
    near.close();
    far.close();
    return hasFailed;
  };
  const isHeld = async () =>
    refusesWebRtc() || ((await reaches("probe")) && !(await reaches("page")) && (await failsWebRtc()));
  const tell = (held) => parent.postMessage({ patchbayHeld: held }, "*");
  isHeld().then(tell, () => tell(false));
}
`;

/**
 * A document that tells the view around it whether the browser enforces `Connection-Allowlist`, which also keeps a page
 * from connecting to the servers of addresses that it may not open. It closes WebRTC too: up to Chromium 155 no
 * connection can be made then, which is enough to know it by. Since 156 one can, and fails at once; besides, of two addresses
 * of the relay the browser reaches only the one that is listed.
 */
export const probeDocument = `<!doctype html><meta charset="utf-8"><title>Probe</title><script>${probe}</script>\n`;
export const probeScriptSource = `'sha256-${createHash("sha256").update(probe).digest("base64")}'`;
