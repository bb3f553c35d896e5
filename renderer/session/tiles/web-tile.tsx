import "./web-tile.css";
import { useEffect, useState } from "react";
import { TUNNEL_ENTRY } from "../../../core/protocol/page-credentials.ts";
import type { Tunnel } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { Icon } from "../../ui/icon.tsx";
import type { PageCheck, TunnelAddress } from "../view/session-host.ts";
import { useSnapshot, useView } from "../view/view.ts";
import { words } from "../words/index.ts";
import { useTunnelAddress } from "./use-tunnel-address.ts";
import { webAddress } from "./web-address.ts";

/**
 * A web page or a tunnel in a sandboxed frame. The frame keeps the rights of its origin but cannot navigate the page around
 * it. Sites that refuse to be framed can be opened in the browser.
 */
export function WebTile({ tile }: { tile: TileContent }) {
  const { host } = useView();
  const { mirror } = useSnapshot();
  const tunnel = tile.type === "tunnel" ? mirror?.tunnels.find(({ port }) => port === tile.id) : undefined;
  const { address, refused } = useTunnelAddress(tunnel);
  const start = tile.type === "tunnel" ? (address?.url ?? "") : (tile.url ?? "");
  const [went, setWent] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const [loads, setLoads] = useState(0);
  const url = webAddress(went ?? start);
  const entry = url === undefined ? undefined : entryTo(url, address);
  const viaTunnel = (tile.type === "tunnel" && went === undefined) || entry !== url;
  const check = useFailedCheck(url, loads, viaTunnel);
  const [anyway, setAnyway] = useState<string>();
  const wrong = typed !== undefined && webAddress(typed) === undefined && typed !== "";
  return (
    <div className="web-tile">
      <form
        className="address-bar"
        onSubmit={(event) => {
          event.preventDefault();
          const next = webAddress(typed ?? "");
          if (next === undefined) return;
          setWent(next);
          setTyped(undefined);
          setLoads(loads + 1);
        }}
      >
        <button
          type="button"
          className="icon-button"
          aria-label={words.tiles.web.reload}
          title={words.tiles.web.reload}
          disabled={url === undefined}
          onClick={() => setLoads(loads + 1)}
        >
          <Icon name="reload" />
        </button>
        <input
          className="field"
          aria-label={words.tiles.web.address}
          aria-invalid={wrong}
          placeholder={words.tiles.web.addressHint}
          spellCheck={false}
          value={typed ?? url ?? ""}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={words.tiles.web.openOutsideHint}
          title={words.tiles.web.openOutsideHint}
          disabled={entry === undefined}
          onClick={() => entry !== undefined && host.openInBrowser(entry)}
        >
          <Icon name="outside" />
        </button>
      </form>
      {url === undefined ? (
        <p className="web-note">
          {tile.type === "tunnel" ? (refused ?? describeTunnel(tile.id, tunnel)) : words.tiles.web.typeAddress}
        </p>
      ) : check !== undefined && anyway !== url ? (
        <Unshown url={url} check={check} retry={() => setLoads(loads + 1)} show={() => setAnyway(url)} />
      ) : (
        <iframe key={loads} title={url} src={entry} sandbox={sandboxOf(url)} referrerPolicy="no-referrer" allow="" />
      )}
    </div>
  );
}

/** Returns the address to load for a page: at a tunnel with a host of its own, the one that admits this browser first. */
function entryTo(page: string, tunnel: TunnelAddress | undefined): string {
  const { origin, pathname, search } = new URL(page);
  if (tunnel?.pass === undefined || new URL(tunnel.url).origin !== origin) return page;
  return `${origin}${TUNNEL_ENTRY}#${tunnel.pass}${pathname}${search}`;
}

/** Returns why the page cannot be shown; undefined while that is not known. A tunnel's page comes from the relay itself. */
function useFailedCheck(url: string | undefined, loads: number, tunnel: boolean): PageCheck | undefined {
  const { host } = useView();
  const [failed, setFailed] = useState<{ readonly of: string; readonly check: PageCheck }>();
  const of = `${loads} ${url}`;
  useEffect(() => {
    if (url === undefined || tunnel) return;
    let wanted = true;
    host.checkPage(url).then(
      (check) => wanted && check.page !== "shown" && setFailed({ of, check }),
      // Unknown: the frame shows what the browser makes of the page.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [host, url, of, tunnel]);
  return failed?.of === of ? failed.check : undefined;
}

/** Stands for a page that the frame would leave blank. */
function Unshown({
  url,
  check: { page, detail },
  retry,
  show,
}: {
  url: string;
  check: PageCheck;
  retry: () => void;
  show: () => void;
}) {
  const { host } = useView();
  const { host: name } = new URL(url);
  return (
    <div className="web-note" role="status">
      <Icon name="warning" size={24} />
      <h2>{page === "unreachable" ? unreachableTitle(name, detail) : words.tiles.web.refuses(name)}</h2>
      <p>{page === "unreachable" ? words.tiles.web.checkAddress : words.tiles.web.noFrames}</p>
      <div className="web-note-actions">
        <button type="button" className="button primary" onClick={() => host.openInBrowser(url)}>
          {words.tiles.web.openOutside}
        </button>
        <button type="button" className="button outlined" onClick={retry}>
          {words.tiles.web.again}
        </button>
        <button type="button" className="button quiet" onClick={show}>
          {words.tiles.web.anyway}
        </button>
      </div>
    </div>
  );
}

function unreachableTitle(name: string, reason: string | null): string {
  return reason === null ? words.tiles.web.unreachable(name) : words.tiles.web.unreachableBecause(name, reason);
}

function describeTunnel(port: number, tunnel: Tunnel | undefined): string {
  return tunnel === undefined ? words.tiles.web.nothingListens(port) : words.tiles.web.opening(port);
}

/**
 * Pages of the view's own origin lose their origin: they could otherwise access the view and its session. None has modals:
 * a page could print without end, or keep the window open by `beforeunload`.
 */
function sandboxOf(url: string): string {
  const own = new URL(url).origin === window.location.origin;
  return `allow-scripts allow-forms allow-popups allow-downloads${own ? "" : " allow-same-origin"}`;
}
