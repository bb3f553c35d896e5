import dbus, { type MessageBus } from "dbus-next";

const NAME = "org.freedesktop.Notifications";
const OBJECT = "/org/freedesktop/Notifications";

/** How a notification server is to answer; what is left out is answered as a good one would. Undefined: no answer. */
export interface Script {
  readonly capabilities?: readonly string[];
  readonly notify?: (id: number) => number | undefined | Promise<number>;
  readonly information?: () => undefined;
  /** The user clicks every notification the moment that it is accepted. */
  readonly clickAtOnce?: true;
}

/** A notification server that can be slow, mute or wrong, on the bus at an address. */
export class ScriptedNotifications {
  readonly received: { readonly title: string; readonly body: string; readonly actions: readonly string[] }[] = [];
  readonly closed: number[] = [];
  readonly #bus: MessageBus;
  #stopped = false;

  private constructor(bus: MessageBus, script: Script) {
    this.#bus = bus;
    bus.on("error", () => undefined);
    bus.addMethodHandler((message: dbus.Message) => {
      if (message.interface !== NAME) return false;
      void this.#answer(message, script);
      return true;
    });
  }

  static async start(busAddress: string, script: Script = {}): Promise<ScriptedNotifications> {
    const bus = dbus.sessionBus({ busAddress });
    const server = new ScriptedNotifications(bus, script);
    await bus.requestName(NAME, 0);
    return server;
  }

  /** The user clicks a notification, or one of its buttons. */
  activate(id: number, action = "default"): void {
    const signal = (member: string, signature: string, body: unknown[]) =>
      this.#bus.send(dbus.Message.newSignal(OBJECT, NAME, member, signature, body));
    signal("ActionInvoked", "us", [id, action]);
    signal("NotificationClosed", "uu", [id, 2]);
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    // A call that is still on its way would be answered on the closed connection, which throws where nothing catches.
    this.#bus.send = () => undefined;
    this.#bus.disconnect();
  }

  async #answer(message: dbus.Message, script: Script): Promise<void> {
    const reply = (signature: string, ...body: unknown[]) => {
      if (!this.#stopped) this.#bus.send(dbus.Message.newMethodReturn(message, signature, body));
    };
    if (message.member === "GetCapabilities") reply("as", [...(script.capabilities ?? ["actions", "body"])]);
    if (message.member === "GetServerInformation" && script.information === undefined)
      reply("ssss", "s", "p", "1", "1.2");
    if (message.member === "CloseNotification") this.closed.push(Number(message.body[0]));
    if (message.member !== "Notify") return;
    const [, , , title, body, actions] = message.body;
    this.received.push({ title: String(title), body: String(body), actions: Array.isArray(actions) ? actions : [] });
    const id = await (script.notify ?? ((next) => next))(this.received.length);
    if (id === undefined) return;
    reply("u", id);
    if (script.clickAtOnce) this.activate(id);
  }
}
