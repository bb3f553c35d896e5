import type { IBufferLine, IBufferRange, ILink, Terminal } from "@xterm/xterm";
import { findPaths, type PathCandidate } from "./find-paths.ts";

/** What a terminal does with paths in its output. */
export interface PathPorts {
  /** Returns, for each text, whether it is a path that the user can open. */
  areThere(paths: readonly string[]): Promise<readonly boolean[]>;
  open(path: string): void;
  /** What a click does, for example `opens it`. */
  readonly effect: string;
}

interface LinkEvents {
  activate(event: MouseEvent, path: string): void;
  hover(event: MouseEvent, path: string): void;
  leave(): void;
}

/** Rows that a line of output may be wrapped over, in both directions, to be searched. */
const MOST_ROWS = 10;
/** Of one line of output; the main process takes as many (preload/channels.ts). */
const MOST_PATHS = 50;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Makes paths in a terminal links. Returns a function that ends it. */
export function linkPaths(terminal: Terminal, ports: PathPorts, events: LinkEvents): () => void {
  const provider = terminal.registerLinkProvider({
    provideLinks(row, callback) {
      const { text, places } = readLine(terminal, row - 1);
      const found = findPaths(text).slice(0, MOST_PATHS);
      if (found.length === 0) return callback(undefined);
      const answer = (there: readonly boolean[]) => {
        const links = found.filter((_, index) => there[index] === true);
        callback(links.map((one) => linkOf(one, places, events)));
      };
      ports.areThere(found.map(({ path }) => path)).then(answer, () => callback(undefined));
    },
  });
  return () => provider.dispose();
}

function linkOf({ path, start, end }: PathCandidate, places: readonly Place[], events: LinkEvents): ILink {
  return {
    text: path,
    range: rangeOf(places[start], places[end - 1]),
    activate: (event) => events.activate(event, path),
    hover: (event) => events.hover(event, path),
    leave: () => events.leave(),
  };
}

/** xterm.js counts from 1, and the end belongs to a range. */
function rangeOf(first: Place | undefined, last: Place | undefined): IBufferRange {
  const end = { x: (last?.x ?? 0) + (last?.width ?? 1), y: (last?.y ?? 0) + 1 };
  return { start: { x: (first?.x ?? 0) + 1, y: (first?.y ?? 0) + 1 }, end };
}

/** The line of output that a row belongs to, with the cell of each UTF-16 code unit. */
function readLine(terminal: Terminal, row: number): { text: string; places: readonly Place[] } {
  const { active } = terminal.buffer;
  let first = row;
  while (active.getLine(first)?.isWrapped === true && row - first < MOST_ROWS) first--;
  let text = "";
  const places: Place[] = [];
  for (let y = first; y <= row + MOST_ROWS; y++) {
    const line = active.getLine(y);
    if (line === undefined || (y > first && !line.isWrapped)) break;
    text += readRow(line, y, places);
  }
  return { text, places };
}

function readRow(line: IBufferLine, y: number, places: Place[]): string {
  let text = "";
  for (let x = 0; x < line.length; x++) {
    const cell = line.getCell(x);
    const width = cell?.getWidth() ?? 1;
    // The second half of a wide character.
    if (width === 0) continue;
    const characters = cell?.getChars() || " ";
    for (let unit = 0; unit < characters.length; unit++) places.push({ x, y, width });
    text += characters;
  }
  return text;
}
