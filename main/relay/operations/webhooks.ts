import type { webhookOperations } from "../../../core/operations/webhooks.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

export function webhookHandlers(webhooks: Webhooks): Handlers<keyof typeof webhookOperations> {
  return {
    listWebhooks: () => webhooks.list(),
    addWebhook: ({ url, session, ...settings }) => webhooks.add({ url, session, settings }),
    async removeWebhook({ webhook }) {
      await webhooks.remove(webhook);
      return { id: webhook };
    },
    testWebhook: ({ webhook }) => webhooks.test(webhook),
    listWebhookDeliveries: ({ webhook, state, limit }) => webhooks.deliveries(webhook, { state, limit }),
    replayWebhook: ({ webhook, delivery }) => ({ replayed: webhooks.replay(webhook, delivery) }),
  };
}
