import * as ToggleGroup from "@radix-ui/react-toggle-group";
import { type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";
import { SessionId } from "../../core/protocol/ids.ts";
import type { PanelSession } from "../../preload/channels.ts";
import { formatDuration } from "../ui/format-duration.ts";
import { formatTime } from "../ui/format-time.ts";
import { lazyPart } from "../ui/load-guard.tsx";
import { Popover } from "../ui/popover.tsx";
import { createStore, useStore } from "../ui/store.ts";
import { addressReach, hostOf } from "./address-reach.ts";
import { PanelIcon } from "./icons.tsx";
import { LoadedPart } from "./loaded-part.tsx";
import { OpenInvites } from "./open-invites.tsx";
import { usePanel } from "./use-panel.ts";
import { targets, useTarget } from "./use-target.ts";
import { words } from "./words/index.ts";

// Drawing a code takes a library, which is loaded on demand.
const QrCode = lazyPart(
  () => import("./qr-code.tsx"),
  ({ QrCode }) => QrCode,
);

const HOUR_S = 3600;
const lifetimes = [HOUR_S, 24 * HOUR_S, 7 * 24 * HOUR_S, 30 * 24 * HOUR_S] as const;
const uses = [1, 5, 20] as const;
/** The value of the choice of this machine, which is no address of another one. */
const HERE = "here";

/** Whom a link lets in: a guest with a role, or its owner in another browser. */
const entrants = ["reader", "writer", "owner"] as const;
type Entrant = (typeof entrants)[number];

/** The choices that a link is made with. */
interface LinkChoice {
  readonly role: Entrant;
  /** Seconds until the link expires. */
  readonly ttl: number;
  /** Number of browsers that the link lets in. */
  readonly uses: number;
  /** Address of the relay for other machines; undefined: for this machine. */
  readonly address: string | undefined;
}

interface MadeLink {
  /** Id of the session that it lets into. */
  readonly session: string;
  readonly url: string;
  readonly expiresAt: string;
  /** `uncopied`: it was to be copied, and the browser refused. */
  readonly given: "copied" | "uncopied" | "code";
  readonly choice: LinkChoice;
  readonly address: string | undefined;
}

/** Says how a link was given, and when it ends. */
const endWords = {
  copied: (time: string) => words.invite.copied(time),
  uncopied: (time: string) => words.invite.notCopied(time),
  code: (time: string) => words.invite.shown(time),
} as const;

/**
 * A button that opens the ways to invite somebody to a session, where links can be made. Where there are several
 * sessions, the one of the button is preselected.
 */
export function InviteButton({ session: own }: { readonly session: PanelSession }) {
  const { content, can } = usePanel();
  const [control] = useState(() => createStore(false));
  const isOpen = useStore(control);
  const [chosen, choose] = useState<string>();
  useTarget(targets.invite(own.id), () => control.set(true));
  useEffect(() => {
    if (!isOpen) choose(undefined);
  }, [isOpen]);
  if (!can("panel.invite")) return null;
  const session = content.sessions.find(({ id }) => id === chosen) ?? own;
  return (
    <Popover
      button={words.invite.button}
      label={words.invite.title(session.name)}
      className="button outlined small"
      control={control}
    >
      {(close) => <Invite session={session} chooseSession={choose} close={close} />}
    </Popover>
  );
}

interface InviteProps {
  readonly session: PanelSession;
  chooseSession(id: string): void;
  close(): void;
}

/** Session, role, reach, lifetime and number of browsers of a new link, the link itself, and the open links. */
function Invite({ session, chooseSession, close }: InviteProps) {
  const { content, run, goTo } = usePanel();
  const { externalAddresses } = content;
  const [choice, setChoice] = useState<LinkChoice>({
    role: "reader",
    ttl: HOUR_S,
    uses: 1,
    address: externalAddresses[0],
  });
  const { role } = choice;
  // The machine may have left the network of the address that was chosen.
  const isGone = choice.address !== undefined && !externalAddresses.includes(choice.address);
  const address = isGone ? externalAddresses[0] : choice.address;
  const [last, setLast] = useState<MadeLink>();
  // Another choice needs another link: a link of the owner must not be shown as one for a guest.
  const isSame = last?.choice === choice && last.address === address && last.session === session.id;
  const made = isSame ? last : undefined;
  // Nothing is chosen meanwhile: what is copied would be the link of the choice before.
  const [isMaking, setMaking] = useState(false);
  const id = SessionId.parse(session.id);
  const copyLink = useRef<HTMLButtonElement>(null);
  const linkField = useRef<HTMLInputElement>(null);
  // What is preselected is what most invites are: Enter makes one.
  useLayoutEffect(() => copyLink.current?.focus(), []);
  const choose = (part: Partial<LinkChoice>) => setChoice({ ...choice, ...part });
  const make = async (copy: boolean) => {
    if (isMaking) return;
    if (made?.given === "uncopied") return await giveAgain(made, copy);
    setMaking(true);
    const link = await run("panel.invite", { id, ...choice, outside: address !== undefined, address, copy });
    setMaking(false);
    if (link === undefined) return;
    const { copied, ...rest } = link;
    setLast({ ...rest, session: id, given: copy ? (copied ? "copied" : "uncopied") : "code", choice, address });
  };
  /** Copies a link that could not be copied, or shows its code. Another link would stay open beside it. */
  const giveAgain = async (link: MadeLink, copy: boolean) => {
    try {
      // At once: browsers allow it for a short time after the press only.
      if (copy) await navigator.clipboard.writeText(link.url);
      setLast({ ...link, given: copy ? "copied" : "code" });
    } catch {
      // What is selected can be copied with the keys.
      linkField.current?.select();
    }
  };
  return (
    <div className="invite">
      <h2>{words.invite.title(session.name)}</h2>
      <SessionChoice session={session} isMaking={isMaking} choose={chooseSession} />
      <ToggleGroup.Root
        type="single"
        className="segments invite-roles"
        aria-label={words.invite.role}
        disabled={isMaking}
        value={role}
        onValueChange={(value) => {
          const chosen = entrants.find((one) => one === value);
          if (chosen !== undefined) choose({ role: chosen });
        }}
      >
        {entrants.map((one) => (
          <ToggleGroup.Item key={one} value={one} className="segment">
            {words.invite.roles[one]}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <p className="panel-faint">{words.invite.about[role]}</p>
      {externalAddresses.length === 0 ? (
        <div className="panel-note invite-reach">
          <p>{words.invite.notReachable}</p>
          <p className="panel-faint">{words.invite.localOnly}</p>
          {content.desktop === undefined ? (
            <p className="panel-faint">{words.invite.way({ command: <code>patchbay serve --listen 0.0.0.0</code> })}</p>
          ) : (
            <button
              type="button"
              className="button outlined small"
              onClick={() => {
                close();
                goTo("settings", { section: "general", setting: "reach" });
              }}
            >
              {words.invite.letIn}
            </button>
          )}
        </div>
      ) : (
        <label>
          {words.invite.reach}
          <select
            className="field"
            disabled={isMaking}
            title={address ?? content.address}
            value={address ?? HERE}
            onChange={({ target: { value } }) => choose({ address: value === HERE ? undefined : value })}
          >
            {externalAddresses.map((one) => (
              <option key={one} value={one}>
                {words.invite.reaches[addressReach(one)](hostOf(one))}
              </option>
            ))}
            <option value={HERE}>{words.invite.reaches.here(hostOf(content.address))}</option>
          </select>
        </label>
      )}
      {role !== "owner" && (
        <div className="invite-limits">
          <label>
            {words.invite.browsers}
            <select
              className="field"
              disabled={isMaking}
              value={choice.uses}
              onChange={(event) => choose({ uses: Number(event.target.value) })}
            >
              {uses.map((number) => (
                <option key={number} value={number}>
                  {words.invite.uses(number)}
                </option>
              ))}
            </select>
          </label>
          <label>
            {words.invite.lifetime}
            <select
              className="field"
              disabled={isMaking}
              value={choice.ttl}
              onChange={(event) => choose({ ttl: Number(event.target.value) })}
            >
              {lifetimes.map((seconds) => (
                <option key={seconds} value={seconds}>
                  {formatDuration(seconds * 1000)}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {made?.given === "code" && (
        <LoadedPart>
          <QrCode text={made.url} label={words.invite.code(session.name)} />
        </LoadedPart>
      )}
      {made !== undefined && (
        <p className="panel-faint" role="status">
          {endWords[made.given](formatTime(made.expiresAt))}
        </p>
      )}
      {made !== undefined && made.given !== "copied" && (
        <LinkField url={made.url} field={linkField} canShare={content.desktop === undefined && "share" in navigator} />
      )}
      <div className="invite-actions">
        <button
          ref={copyLink}
          type="button"
          className="button primary"
          aria-disabled={isMaking}
          onClick={() => void make(true)}
        >
          {made?.given === "copied" && <PanelIcon name="check" size={14} />}
          {made?.given === "copied"
            ? words.invite.again
            : address === undefined
              ? words.invite.copyLocal
              : words.invite.copy}
        </button>
        <button type="button" className="button outlined" aria-disabled={isMaking} onClick={() => void make(false)}>
          {words.invite.show}
        </button>
      </div>
      {/* The link that is shown may be the one that was revoked. */}
      <OpenInvites key={id} session={id} onRevoked={() => setLast(undefined)} />
    </div>
  );
}

/** A link as text, to be copied by hand or handed to another app of the device. */
function LinkField(props: {
  readonly url: string;
  readonly field: Ref<HTMLInputElement>;
  /** The device hands links to other apps. */
  readonly canShare: boolean;
}) {
  const { url, field, canShare } = props;
  // A person who closes the choice of apps shares nothing.
  const share = () => void navigator.share({ url }).catch(() => undefined);
  return (
    <div className="invite-link">
      <input
        ref={field}
        className="field"
        readOnly
        aria-label={words.invite.link}
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {canShare && (
        <button type="button" className="button outlined" onClick={share}>
          {words.invite.share}
        </button>
      )}
    </div>
  );
}

interface SessionChoiceProps {
  readonly session: PanelSession;
  readonly isMaking: boolean;
  choose(id: string): void;
}

/** The choice of the session that a link lets into; nothing where there is one only. */
function SessionChoice({ session, isMaking, choose }: SessionChoiceProps) {
  const { sessions } = usePanel().content;
  if (sessions.length < 2) return null;
  return (
    <label>
      {words.invite.session}
      <select
        className="field"
        disabled={isMaking}
        title={session.name}
        value={session.id}
        onChange={({ target }) => choose(target.value)}
      >
        {sessions.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
