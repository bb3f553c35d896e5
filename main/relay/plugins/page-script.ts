/**
 * What a plugin's page loads as `patchbay.js`: its end of the bridge, whose other end is
 * renderer/session/tiles/plugin-bridge.ts. Runs in the page's sandbox, so nothing here guards anything.
 */
export const pageScript = `"use strict";
{
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
