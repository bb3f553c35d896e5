import { useEffect, useState } from "react";
import type { Tunnel } from "../../../core/protocol/records.ts";
import type { TunnelAddress } from "../view/session-host.ts";
import { useView } from "../view/view.ts";

/** Returns a tunnel's address once this client is admitted, or the reason why it was refused. */
export function useTunnelAddress(tunnel: Tunnel | undefined): {
  readonly address: TunnelAddress | undefined;
  readonly refused: string | undefined;
} {
  const { host } = useView();
  const [answer, setAnswer] = useState<{ key: string; address?: TunnelAddress; refused?: string }>();
  const port = tunnel?.port;
  // A restarted program is a new tunnel.
  const key = tunnel === undefined ? "" : `${tunnel.port} ${tunnel.since}`;
  useEffect(() => {
    if (port === undefined) return;
    let wanted = true;
    host.tunnelAddress(port).then(
      (address) => wanted && setAnswer({ key, address }),
      (error: Error) => wanted && setAnswer({ key, refused: error.message }),
    );
    return () => {
      wanted = false;
    };
  }, [host, port, key]);
  const current = answer?.key === key ? answer : undefined;
  return { address: current?.address, refused: current?.refused };
}
