import { z } from "zod";
import { mediaType } from "../../contract/body/form.ts";
import type { RawReply } from "../../contract/endpoint.ts";
import { plainPage } from "../../contract/error-page.ts";
import { noStore } from "../../contract/headers.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isEmailAddress } from "../../kernel/text/email-address.ts";
import { deployedComponents } from "../../status/rules/deployed.ts";
import type { StatusDeps } from "../../status/runtime.ts";
import {
  changeSubscription,
  confirmSubscription,
  endSubscription,
} from "../../status/subscriptions/manage-subscription.ts";
import { subscribeByMail } from "../../status/subscriptions/subscribe-by-mail.ts";
import { subscribeWebhook } from "../../status/subscriptions/subscribe-webhook.ts";
import {
  selectedComponents,
  subscriptionChange,
  subscriptionConfirmation,
  subscriptionRequest,
} from "../../status/subscriptions/subscription.wire.ts";
import { subscribePage } from "../../status/subscriptions/subscription-draft.ts";
import { manageUrl } from "../../status/subscriptions/subscription-token.ts";
import { defineStatusEndpoint } from "./status-endpoint.ts";
import { admitSubscription } from "./subscription-limit.ts";

const isForm = (request: Request): boolean => mediaType(request) === "application/x-www-form-urlencoded";

/** Keeps the token out of caches and referrers. */
const redirectTo = (location: string): RawReply => ({
  status: 303,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
});

const offeredComponents = ({ board, clock }: StatusDeps) => deployedComponents(board(), clock.now().getTime());

const pageOfToken = (path: string, body: unknown): string => {
  const sent = z.object({ token: z.string().max(200) }).safeParse(body).data;
  return sent ? `${path}?${new URLSearchParams(sent)}` : path;
};

const statusResponse = z.object({ status: z.string() });
const subscribedResponse = z.object({
  status: z.string(),
  id: z.string().optional(),
  secret: z.string().optional(),
  public_key: z.string().optional(),
  manage_url: z.string().optional(),
});

export const subscribeEndpoint = defineStatusEndpoint({
  method: "POST",
  path: "/status/subscriptions",
  operationId: "subscribeToStatus",
  summary: "Subscribe to incident and maintenance updates by e-mail or webhook. Accepts JSON or the page’s form",
  tag: "Status",
  standards: ["Standard Webhooks"],
  errorCodes: ["invalid_request", "cross_origin", "already_subscribed", "webhook_not_reached", "too_many_requests"],
  request: {
    content: "json",
    body: subscriptionRequest,
    example: { kind: "email", address: "ada@example.com", components: ["authorization_server"] },
  },
  responses: {
    201: {
      description: "The webhook accepted a signed test event and is subscribed. The secret is returned only once",
      schema: subscribedResponse,
      example: {
        status: "subscribed",
        id: "sub_3f",
        secret: "whsec_C2FVsBQIhrscChlQIMV",
        public_key: "whpk_MCowBQ",
        manage_url: "https://status.example.com/status/manage?token=sub_3f.x",
      },
    },
    202: {
      description: "A confirmation e-mail is sent. The response is the same if the address is already subscribed",
      schema: subscribedResponse,
      example: { status: "confirmation_sent" },
    },
    303: { description: "Response to the page’s form" },
  },
  formPage: subscribePage,
  async answer({ deps, info, request }, { body }) {
    admitSubscription(deps, info, "subscribe");
    const components = selectedComponents(body, offeredComponents(deps));
    if (body.kind === "email") {
      if (!isEmailAddress(body.address)) {
        throw new DomainError("invalid", {
          code: "invalid_request",
          message: "This is not an e-mail address. Enter one address, like ada@example.com.",
          errors: [{ pointer: "/address", detail: "must be an e-mail address" }],
        });
      }
      await subscribeByMail(deps, { address: body.address, components, info });
      if (isForm(request)) return redirectTo("/status/subscribe?sent=1");
      return { status: 202, headers: noStore, body: { status: "confirmation_sent" } };
    }
    const webhook = await subscribeWebhook(deps, { url: body.address, components, info });
    const { id, secret, publicKey } = webhook;
    if (isForm(request)) {
      return plainPage({
        status: 201,
        title: "Updates are sent to your webhook",
        text: `Secret: ${secret}\nPublic key: ${publicKey}\nCopy the secret now. It isn’t shown again.`,
        note: id,
        link: { href: webhook.manageUrl, label: "Choose components, or unsubscribe" },
      });
    }
    return {
      status: 201,
      headers: noStore,
      body: { status: "subscribed", id, secret, public_key: publicKey, manage_url: webhook.manageUrl },
    };
  },
});

export const confirmSubscriptionEndpoint = defineStatusEndpoint({
  method: "POST",
  path: "/status/subscriptions/confirm",
  operationId: "confirmStatusSubscription",
  summary: "Confirm a subscription with the token from the confirmation e-mail",
  tag: "Status",
  standards: [],
  errorCodes: ["cross_origin", "confirmation_expired", "too_many_requests"],
  request: { content: "json", body: subscriptionConfirmation, example: { token: "dGhlIHRva2VuIG9mIHRoZSBtYWls" } },
  responses: {
    200: {
      description: "Confirmed. Updates are now sent to this address",
      schema: statusResponse,
      example: { status: "confirmed" },
    },
    303: { description: "Response to the page’s form" },
  },
  formPage: (_deps, body) => pageOfToken("/status/confirm", body),
  async answer({ deps, info, request }, { body: { token } }) {
    admitSubscription(deps, info, "manage");
    const id = await confirmSubscription(deps, { token, info });
    if (isForm(request)) return redirectTo(`${manageUrl(deps, id)}&done=confirmed`);
    return { status: 200, headers: noStore, body: { status: "confirmed" } };
  },
});

export const changeSubscriptionEndpoint = defineStatusEndpoint({
  method: "POST",
  path: "/status/subscriptions/change",
  operationId: "changeStatusSubscription",
  summary: "Choose the components of a subscription. An empty list means all components",
  tag: "Status",
  standards: [],
  errorCodes: ["cross_origin", "subscription_not_found", "too_many_requests"],
  request: {
    content: "json",
    body: subscriptionChange,
    example: { token: "sub_3f.x", components: ["sandbox", "billing_engine"] },
  },
  responses: {
    200: {
      description: "Saved. The choice applies to all future updates",
      schema: statusResponse,
      example: { status: "changed" },
    },
    303: { description: "Response to the page’s form" },
  },
  formPage: (_deps, body) => pageOfToken("/status/manage", body),
  async answer({ deps, info, request }, { body }) {
    admitSubscription(deps, info, "manage");
    await changeSubscription(deps, {
      token: body.token,
      components: selectedComponents(body, offeredComponents(deps)),
      info,
    });
    if (isForm(request))
      return redirectTo(`/status/manage?${new URLSearchParams({ token: body.token, done: "changed" })}`);
    return { status: 200, headers: noStore, body: { status: "changed" } };
  },
});

// Mail services add parameters to links; unsubscribing must still work.
const unsubscribeQuery = z.object({ token: z.string().min(1).max(200) });

/** RFC 8058 §3.2: mail programs post here. No redirect, cookie or confirmation. */
export const unsubscribeEndpoint = defineStatusEndpoint({
  method: "POST",
  path: "/status/subscriptions/unsubscribe",
  operationId: "endStatusSubscription",
  summary: "Unsubscribe with one click. Any body is accepted, such as `List-Unsubscribe=One-Click`",
  tag: "Status",
  standards: ["RFC 8058"],
  errorCodes: ["subscription_not_found"],
  request: { query: unsubscribeQuery, otherParameters: "ignored" },
  responses: {
    200: {
      description: "Unsubscribed. A subscription that had already ended gets the same response",
      contentType: "text/html",
      schema: z.string(),
    },
  },
  async answer({ deps, info }, { query: { token } }) {
    await endSubscription(deps, { token, info });
    return plainPage({
      status: 200,
      title: "You’re unsubscribed",
      text: "No more status updates are sent to this address.",
      note: "",
      link: { href: "/status", label: "Current status" },
    });
  },
});

/** The mail header's link, opened in a browser. A GET changes nothing, and the page asks for confirmation. */
export const unsubscribePageEndpoint = defineStatusEndpoint({
  method: "GET",
  path: "/status/subscriptions/unsubscribe",
  operationId: "askToEndStatusSubscription",
  summary: "Go to the page that asks to confirm unsubscribing",
  tag: "Status",
  standards: ["RFC 8058"],
  errorCodes: [],
  request: { query: unsubscribeQuery, otherParameters: "ignored" },
  responses: { 303: { description: "Redirects to the page" } },
  answer: async (_context, { query: { token } }) => redirectTo(`/status/manage?${new URLSearchParams({ token })}`),
});
