import { SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";

/**
 * A search of what is on show now. The addon keeps the text of lines for 15 s, until a line feed, a movement of the cursor
 * or a resize. A program may switch to its own screen, or draw and put the cursor back, without any of these; the addon
 * would go on to find what was there before.
 */
export class CurrentSearch extends SearchAddon {
  override activate(terminal: Terminal): void {
    super.activate(
      Object.create(terminal, {
        onLineFeed: {
          value(changed: () => void) {
            const changes = [terminal.onWriteParsed(changed), terminal.buffer.onBufferChange(changed)];
            return {
              dispose() {
                for (const change of changes) change.dispose();
              },
            };
          },
        },
      }),
    );
  }
}
