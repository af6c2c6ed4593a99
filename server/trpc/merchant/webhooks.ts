import { z } from "zod";
import { eventContracts } from "../../billing/events/event-contracts.ts";
import { eventTypes } from "../../data/webhooks/events.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { findDeliveries, getDelivery } from "../../webhooks/deliveries/find-deliveries.ts";
import { replayDelivery } from "../../webhooks/deliveries/replay-delivery.ts";
import { sendTestEvent } from "../../webhooks/deliveries/send-test-event.ts";
import { changeEndpoint } from "../../webhooks/endpoints/change-endpoint.ts";
import { createMerchantEndpoint } from "../../webhooks/endpoints/create-endpoint.ts";
import { getEndpointWithKeys, listEndpoints } from "../../webhooks/endpoints/find-endpoint.ts";
import { findDeliveryMerchant, findEndpointMerchant } from "../../webhooks/endpoints/find-merchant.ts";
import { rotateSecret } from "../../webhooks/endpoints/rotate-secret.ts";
import { updateEndpoint } from "../../webhooks/endpoints/update-endpoint.ts";
import { byMerchant, inputMerchant, memberProcedure, ofInput, pageFields, readsReplica, router } from "../init.ts";
import { toDelivery, toDeliveryDetail, toEndpoint, toEndpointDetail } from "./webhook-views.ts";

const id = z.string().max(64);
const byEndpoint = z.object({ endpointId: id });
const byDelivery = z.object({ deliveryId: id });

const endpointMerchant = ofInput(byEndpoint, findEndpointMerchant);
const deliveryMerchant = ofInput(byDelivery, findDeliveryMerchant);

/** The fields of the form. The function that saves them checks the URL; its message names the field. */
const target = z.object({ url: z.string().max(4_000), eventTypes: z.array(z.string().max(64)).max(100) });

export const webhooksRouter = router({
  endpoints: memberProcedure("webhook.list", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx }) => (await listEndpoints(ctx.deps, ctx.merchantId)).map(toEndpoint)),

  endpoint: memberProcedure("webhook.read", endpointMerchant)
    .input(byEndpoint)
    .query(async ({ ctx, input }) =>
      toEndpointDetail(await getEndpointWithKeys(ctx.deps, { ...input, ownerId: ctx.merchantId })),
    ),

  /** Only this answer contains the secret. */
  create: memberProcedure("webhook.create", inputMerchant)
    .input(byMerchant.extend(target.shape))
    .mutation(({ ctx, input }) => createMerchantEndpoint(ctx.deps, { ...input, ...ctx.by })),

  update: memberProcedure("webhook.update", endpointMerchant)
    .input(byEndpoint.extend(target.shape))
    .mutation(async ({ ctx, input }) => {
      await updateEndpoint(ctx.deps, { ...input, ownerId: ctx.merchantId, ...ctx.by });
      return { ok: true };
    }),

  switch: memberProcedure("webhook.switch", endpointMerchant)
    .input(byEndpoint.extend({ isOn: z.boolean() }))
    .mutation(async ({ ctx, input: { endpointId, isOn } }) => {
      const change = { kind: isOn ? ("on" as const) : ("off" as const) };
      await changeEndpoint(ctx.deps, { endpointId, ownerId: ctx.merchantId, change, ...ctx.by });
      return { ok: true };
    }),

  delete: memberProcedure("webhook.delete", endpointMerchant)
    .input(byEndpoint)
    .mutation(async ({ ctx, input }) => {
      await changeEndpoint(ctx.deps, { ...input, ownerId: ctx.merchantId, change: { kind: "delete" }, ...ctx.by });
      return { ok: true };
    }),

  /** Only this answer contains the new secret. The previous secret also signs for 24 hours. */
  rotateSecret: memberProcedure("webhook.rotate", endpointMerchant)
    .input(byEndpoint)
    .mutation(({ ctx, input }) => rotateSecret(ctx.deps, { ...input, ownerId: ctx.merchantId, ...ctx.by })),

  deliveries: memberProcedure("delivery.list", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        endpointId: id.optional(),
        objectId: id.optional(),
        eventType: id.optional(),
        state: z.enum(["pending", "delivered", "failed", "stopped"]).optional(),
        ...pageFields(),
      }),
    )
    .query(async ({ ctx, input: { merchantId: ownerId, ...input } }) => {
      const { deliveries, hasMore } = await findDeliveries(ctx.deps, { ownerId, ...input });
      return { deliveries: deliveries.map(toDelivery), hasMore };
    }),

  delivery: memberProcedure("delivery.read", deliveryMerchant)
    .input(byDelivery)
    .query(async ({ ctx, input }) =>
      toDeliveryDetail(await getDelivery(ctx.deps, { ...input, ownerId: ctx.merchantId })),
    ),

  /** Sends the example of an event's contract. */
  sendTest: memberProcedure("delivery.test", endpointMerchant)
    .input(byEndpoint.extend({ eventType: z.enum(eventTypes) }))
    .mutation(async ({ ctx, input }) => {
      const { data } = eventContracts.find(({ type }) => type === input.eventType)?.example ?? {};
      const event = { ...input, ownerId: ctx.merchantId, data: data as JsonObject };
      return { deliveryId: await sendTestEvent(ctx.deps, { ...event, ...ctx.by }) };
    }),

  replay: memberProcedure("delivery.replay", deliveryMerchant)
    .input(byDelivery)
    .mutation(async ({ ctx, input }) => ({
      deliveryId: await replayDelivery(ctx.deps, { ...input, ownerId: ctx.merchantId, ...ctx.by }),
    })),
});
