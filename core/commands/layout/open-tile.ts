import { z } from "zod";
import { RemoteError, unreachable } from "../../protocol/errors.ts";
import { ShellId, TileKey } from "../../protocol/ids.ts";
import { TileResult, TileType } from "../../protocol/records.ts";
import type { TileContent } from "../../state/client-state.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { focusNew } from "../fields.ts";
import { placeTile, type TilePlacement } from "../place-tile.ts";

/** The parameter that names the content of each tile type; undefined where none is required. */
const contentParams = {
  shell: "shell",
  peek: "shell",
  tunnel: "port",
  browser: undefined,
  plugin: "plugin",
  history: "shell",
} as const;

const params = z
  .object({
    type: TileType.describe("what the tile shows"),
    shell: ShellId.optional().describe("the shell, for `shell`, `peek` and `history`, for which it may be closed"),
    port: z.int().min(1).max(65_535).optional().describe("the port, for `tunnel`"),
    url: z
      .url({ protocol: /^https?$/ })
      .max(4096)
      .optional()
      .describe("the address, for `browser`"),
    plugin: z.string().max(64).optional().describe("id of an installed plugin, for `plugin`"),
    offset: z
      .int()
      .nonnegative()
      .optional()
      .describe("for `history`: the place in the output of the shell, in bytes; default: its end"),
    length: z.int().min(1).max(10_000).optional().describe("for `history`: how many characters are selected there"),
    tile: TileKey.optional().describe("tile to split, to stack on or to replace; default: the largest tile is split"),
    place: z
      .enum(["right", "down", "tab", "instead"])
      .default("right")
      .describe("where it goes, seen from `tile`; `instead`: in its place, with its key and name"),
    focus: focusNew,
  })
  .meta({
    oneOf: Object.entries(contentParams).map(([type, name]) => ({
      required: name === undefined ? ["type"] : ["type", name],
      properties: { type: { const: type }, ...(name === undefined ? {} : { [name]: {} }) },
    })),
  });

export const openTile = command({
  area: "layout",
  summary:
    "Open a tile for an existing shell, another client's shell (peek), what a shell has printed (history), a tunnel, a web page or a plugin",
  params,
  result: TileResult,
  role: "writer",
  scope: "client",
  touches: { tiles: ["tile"] },
  palette: [
    {
      title: "Open a web page…",
      submit: "Open",
      preset: { type: "browser" },
      fields: { url: { label: "Address", help: "For example https://example.com", needed: true } },
    },
    {
      title: "Open a port as a tile…",
      submit: "Open",
      preset: { type: "tunnel" },
      fields: { port: { label: "Port", help: "Of a program on the machine of the shells", needed: true } },
    },
    {
      title: "Open the history of a shell…",
      submit: "Open",
      preset: { type: "history" },
      fields: { shell: { label: "Shell", pick: "shell", needed: true } },
    },
    {
      title: "Open a plugin…",
      submit: "Open",
      preset: { type: "plugin" },
      fields: { plugin: { label: "Plugin", pick: "plugin", needed: true } },
    },
  ],
  cli: [
    {
      name: "open-tile",
      args: ["type"],
      examples: [
        "open-tile tunnel --port 3000",
        "open-tile plugin --plugin agent-cost",
        "open-tile history --shell 2 --offset 10240",
        "open-tile shell --shell 2 --place tab --tile 1",
      ],
    },
  ],
  run(context, wanted) {
    if (wanted.place === "instead" && wanted.tile === undefined) {
      throw new RemoteError("invalid_params", "params.tile: a tile in the place of another one needs it, got nothing.");
    }
    const place: TilePlacement =
      wanted.tile === undefined
        ? { kind: "largest" }
        : wanted.place === "tab" || wanted.place === "instead"
          ? { kind: wanted.place, target: context.tile(wanted.tile).key }
          : {
              kind: "split",
              target: context.tile(wanted.tile).key,
              direction: wanted.place === "right" ? "horizontal" : "vertical",
            };
    const content = contentOf(context, wanted);
    const key = placeTile(context, { placement: place, focus: wanted.focus, content });
    context.hit.tile = key;
    return { key };
  },
});

function contentOf(
  context: CommandContext,
  wanted: z.output<typeof params>,
): Omit<TileContent, "key" | "id"> & { id?: number } {
  switch (wanted.type) {
    case "shell":
    case "peek":
      return { type: wanted.type, id: context.shell(requireParam(wanted.shell, wanted.type)).id };
    // A closed shell has a history, too; one that has none is said in the tile.
    case "history": {
      const { offset, length } = wanted;
      const place = { ...(offset !== undefined && { offset }), ...(length !== undefined && { length }) };
      return { type: "history", id: requireParam(wanted.shell, "history"), ...place };
    }
    case "tunnel":
      return { type: "tunnel", id: requireParam(wanted.port, "tunnel") };
    case "browser":
      return wanted.url === undefined ? { type: "browser" } : { type: "browser", url: wanted.url };
    case "plugin":
      return { type: "plugin", plugin: context.plugin(requireParam(wanted.plugin, "plugin")).id };
    default:
      return unreachable(wanted.type);
  }
}

function requireParam<T>(value: T | undefined, type: TileType): T {
  if (value !== undefined) return value;
  throw new RemoteError("invalid_params", `params.${contentParams[type]}: a ${type} tile needs it, got nothing.`);
}
