import Stripe from "stripe";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate } from "../../charges/charge/charge-setup.fixture.ts";
import type { Processor } from "../../deps/processor-port.ts";
import { stripeWebhookEndpoint } from "../../endpoints/charges/processor-webhook.ts";
import { provideDeps } from "../../http/runtime.ts";
import { serve } from "../../http/serve.ts";
import { newId } from "../../kernel/ids.ts";
import { startStripeStandIn } from "../../processors/stripe/stand-in.fixture.ts";
import { createStripeProcessor } from "../../processors/stripe/stripe-processor.ts";
import { makeMember } from "../../trpc/merchant/merchant-tenant.fixture.ts";
import { openOnboarding } from "./open-onboarding.ts";

const secretKey = "sk_test_standin";
const webhookSecret = "whsec_standin";
const { webhooks } = new Stripe(secretKey, { telemetry: false });

/** Production with a stand-in for Stripe. `state.wrap` can replace or watch the processor in later calls. */
export const startConnectSetup = async () => {
  const state = { totalMs: 20_000, isReachable: true, wrap: (processor: Processor): Processor => processor };
  let deps: TestDeps;
  const standIn = await startStripeStandIn(secretKey, () => deps.clock.now().getTime());
  const processor = (): Processor =>
    createStripeProcessor({
      secretKey,
      webhookSecret,
      returnUrl: "https://wallet.test/wallet",
      apiUrl: state.isReachable ? standIn.url : "http://127.0.0.1:9",
      connectMs: 10_000,
      totalMs: state.totalMs,
    });
  deps = await createTestDeps({
    processors: { get: () => state.wrap(processor()) },
    config: { environment: "production", stripe: { secretKey, webhookSecret } },
  });
  provideDeps(deps);

  const send = async (payload: string, secret = webhookSecret): Promise<number> => {
    const timestamp = Math.floor(deps.clock.now().getTime() / 1000);
    const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp });
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    const address = `${deps.config.baseUrl}/processors/stripe/webhook`;
    return (await serve(stripeWebhookEndpoint)(new Request(address, { method: "POST", headers, body: payload })))
      .status;
  };

  /** An approved merchant without an account, its owner, and a mandate whose payer has a card at Stripe. */
  const makeUnconnected = async (country = "DE") => {
    const mandate = await makeChargeableMandate(deps);
    const merchantId = mandate.merchant.id;
    await deps.db.prisma.merchant.update({
      where: { id: merchantId },
      data: {
        processor: "stripe",
        processorAccount: "",
        chargesEnabled: false,
        country,
        websiteUri: "https://shop.example/",
        statementDescriptor: "FRESH MARKET",
      },
    });
    await deps.db.prisma.paymentMethod.update({
      where: { id: mandate.payer.paymentMethodId },
      data: { processor: "stripe", processorRef: standIn.keep("pm_card_visa") },
    });
    const ownerId = await makeMember(deps, merchantId, "owner");
    const actor = { kind: "merchant", id: ownerId } as const;
    const rowOf = () => deps.db.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
    const accountOf = async () => (await rowOf()).processorAccount;
    return {
      ...mandate,
      merchantId,
      actor,
      rowOf,
      accountOf,
      open: () => openOnboarding(deps, { merchantId, actor, requestId: "req_test" }),
      accounts: () =>
        [...standIn.connected.accounts.values()].filter(({ metadata }) => metadata["merchant_id"] === merchantId),
      audit: () =>
        deps.db.prisma.$queryRaw<{ action: string; data: Record<string, unknown> }[]>`
          SELECT action, data FROM audit_entry WHERE subject_id = ${merchantId} AND action LIKE 'merchant.processor%' ORDER BY seq`,
      /** Sends a signed event of the account. */
      sendEvent: async (object: object = { object: "account" }, type = "account.updated", secret?: string) =>
        send(
          JSON.stringify({ id: newId("evt"), object: "event", type, account: await accountOf(), data: { object } }),
          secret,
        ),
    };
  };

  return {
    deps,
    standIn,
    state,
    send,
    makeUnconnected,
    async close() {
      await deps.close();
      await standIn.close();
    },
  };
};
