import { z } from "zod";
import { planIdSchema } from "../../billing/rules/plans/plan.wire.ts";
import { changePlan } from "../../billing/subscriptions/change/change-plan.ts";
import { previewSchema, toPreviewObject } from "../../billing/subscriptions/change/preview.wire.ts";
import { previewChange } from "../../billing/subscriptions/change/preview-change.ts";
import { withdrawChange } from "../../billing/subscriptions/change/withdraw-change.ts";
import { getBillingSubscription } from "../../billing/subscriptions/get-billing-subscription.ts";
import {
  subscriptionChangeSchema,
  subscriptionSchema,
  toSubscriptionObject,
} from "../../billing/subscriptions/subscription.wire.ts";
import { readIfMatch } from "../../contract/cacheable.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { DomainError } from "../../kernel/errors.ts";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";
import { clientActor, merchantOf } from "../charges/merchant-of.ts";
import { previewExample, subscriptionExample } from "./subscription-example.ts";

const contract = { tag: "Billing", standards: ["RFC 9457"], errors: "problem" } as const;
const reads = { kind: "access_token", resource: "billing", scope: "billing.read" } as const;
const writes = { kind: "access_token", resource: "billing", scope: "billing.write" } as const;
const planErrors = ["plan_not_found", "plan_version_retired", "currency_not_priced", "invoice_too_large"] as const;

export const getBillingSubscriptionEndpoint = defineEndpoint({
  ...contract,
  method: "GET",
  path: "/billing/subscription",
  operationId: "getSubscription",
  summary: "Get the merchant's subscription",
  auth: reads,
  errorCodes: ["subscription_not_found"],
  request: {},
  responses: {
    200: {
      description: "The current subscription, or the last one if it ended",
      schema: subscriptionSchema,
      example: subscriptionExample,
    },
  },
  async handle({ deps, caller }) {
    const view = await getBillingSubscription(deps, { merchantId: merchantOf(caller) });
    return { status: 200, headers: noStore, body: toSubscriptionObject(view) };
  },
});

const version = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1")
  .optional();

const previewQuery = z.object({
  plan: planIdSchema.describe("Id of a plan of GET /billing/plans, or of your current plan"),
  version: version.describe("Default: the newest version in effect"),
  effective: z.enum(["now", "period_end"]).optional().describe("Default: now"),
  currency: z
    .string()
    .refine(isCurrency, { error: currencyProblem })
    .optional()
    .describe("Currency of the invoices. Default: the currency of your fees"),
});

export const previewPlanEndpoint = defineEndpoint({
  ...contract,
  method: "GET",
  path: "/billing/preview",
  operationId: "previewSubscription",
  summary: "Preview what a change of plan costs",
  auth: reads,
  errorCodes: ["invalid_request", "subscription_not_found", ...planErrors],
  request: { query: previewQuery },
  responses: {
    200: {
      description:
        "The invoices with the usage so far. `due_now` is the invoice for the old plan's part of the period; `next` is the first invoice with the chosen plan. Send the hash in If-Match to make the change",
      schema: previewSchema,
      example: previewExample,
    },
  },
  async handle({ deps, caller }, { query }) {
    const preview = await previewChange(deps, {
      merchantId: merchantOf(caller),
      planId: query.plan,
      version: query.version === undefined ? null : Number(query.version),
      effective: query.effective ?? "now",
      currency: query.currency ?? null,
    });
    return { status: 200, headers: noStore, body: toPreviewObject(preview) };
  },
});

export const changePlanEndpoint = defineEndpoint({
  ...contract,
  method: "PUT",
  path: "/billing/subscription",
  operationId: "changeSubscription",
  summary: "Change the plan or the end of the merchant's subscription",
  standards: ["RFC 9457", "RFC 9110", "RFC 6585"],
  auth: writes,
  errorCodes: [
    "invalid_request",
    "precondition_required",
    "precondition_failed",
    "change_pending",
    "subscription_not_found",
    ...planErrors,
  ],
  request: {
    content: "json",
    body: subscriptionChangeSchema,
    headers: {
      "If-Match": { description: "The hash of the preview, as a quoted entity tag (RFC 9110 §13.1.1)", required: true },
    },
    example: { plan: "scale", effective: "period_end" },
  },
  responses: {
    200: { description: "The changed subscription", schema: subscriptionSchema, example: subscriptionExample },
  },
  async handle({ deps, caller, info, request }, { body }) {
    const matches = readIfMatch(request);
    if (!matches) {
      const message = "The If-Match header is missing. Send the hash of GET /billing/preview as a quoted entity tag.";
      throw new DomainError("invalid", { code: "precondition_required", message });
    }
    const { cancel_at: cancelAt } = body;
    const view = await changePlan(deps, {
      merchantId: merchantOf(caller),
      planId: body.plan,
      version: body.version ?? null,
      effective: body.effective,
      cancelAt: typeof cancelAt === "string" ? new Date(cancelAt) : cancelAt,
      // `*` would match any preview, but the caller must have seen this preview.
      hasSeen: (hash) => matches(`"${hash}"`) && !matches("any"),
      actor: clientActor(caller),
      requestId: info.requestId,
    });
    return { status: 200, headers: noStore, body: toSubscriptionObject(view) };
  },
});

export const withdrawChangeEndpoint = defineEndpoint({
  ...contract,
  method: "DELETE",
  path: "/billing/subscription/pending-change",
  operationId: "withdrawSubscriptionChange",
  summary: "Withdraw the pending change of plan",
  auth: writes,
  errorCodes: ["subscription_not_found"],
  request: {},
  responses: {
    200: {
      description: "The subscription without a pending change. If no change was pending, it is unchanged",
      schema: subscriptionSchema,
      example: { ...subscriptionExample, pending_change: null },
    },
  },
  async handle({ deps, caller, info }) {
    const by = { actor: clientActor(caller), requestId: info.requestId };
    const view = await withdrawChange(deps, { merchantId: merchantOf(caller), ...by });
    return { status: 200, headers: noStore, body: toSubscriptionObject(view) };
  },
});
