import { setTimeout as sleep } from "node:timers/promises";
import { makeAgentClient, makeGrant, makeMerchant, makeMerchantClient, makePayer } from "#e2e/support/factories.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import type {
  AmountOperationRequest,
  Capabilities,
  CaptureOutcome,
  DisputeOutcome,
  LookupOutcome,
  LookupRequest,
  OperationRequest,
  PaymentOutcome,
  PaymentRequest,
  Processor,
  Processors,
  RefundLookupOutcome,
  RefundLookupRequest,
  RefundOutcome,
  RefundRequest,
  VoidOutcome,
} from "../../deps/processor-port.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { ownAccountAt } from "../../processors/own-account.ts";
import { requestCharge } from "./answers.fixture.ts";
import type { ChargeRequest } from "./charge.wire.ts";

const allCapabilities: Capabilities = {
  separateCapture: true,
  partialCapture: true,
  refund: true,
  lookupByKey: true,
  webhooks: true,
  lateRefundFailures: false,
  currencies: null,
  amountSteps: {},
};

/** A processor with scripted answers. It records payments by key, and sums the money that it moved. */
export const scriptedProcessor = () => {
  const moved = new Map<string, PaymentRequest>();
  const state = {
    moved,
    calls: 0,
    capabilities: allCapabilities,
    pay: (request: PaymentRequest): Promise<PaymentOutcome> => {
      moved.set(request.key, request);
      const kind = request.capture === "manual" ? "authorized" : "succeeded";
      return Promise.resolve({ kind, processorRef: `ref_${request.chargeId}` });
    },
    lookup: ({ key }: LookupRequest): Promise<LookupOutcome> => {
      const known = moved.get(key);
      return Promise.resolve(
        known
          ? { kind: known.capture === "manual" ? "authorized" : "succeeded", processorRef: `ref_${known.chargeId}` }
          : { kind: "not_found" },
      );
    },
    capture: async (_: AmountOperationRequest): Promise<CaptureOutcome> => ({ kind: "captured" }),
    void: async (_: OperationRequest): Promise<VoidOutcome> => ({ kind: "voided" }),
    refund: async ({ key }: RefundRequest): Promise<RefundOutcome> => ({
      kind: "succeeded",
      refundRef: `ref_${key}`,
    }),
    findRefund: async ({ refundRef, key }: RefundLookupRequest): Promise<RefundLookupOutcome> => ({
      kind: "succeeded",
      refundRef: refundRef ?? `ref_${key}`,
    }),
    findDispute: async (_: { account: string; disputeRef: string }): Promise<DisputeOutcome> => ({ kind: "not_found" }),
  };
  const processor: Processor = {
    name: "simulator",
    get capabilities() {
      return state.capabilities;
    },
    pay(request) {
      state.calls += 1;
      return state.pay(request);
    },
    lookup: (request) => state.lookup(request),
    capture: (request) => state.capture(request),
    void: (request) => state.void(request),
    refund: (request) => state.refund(request),
    findRefund: (request) => state.findRefund(request),
    findDispute: (request) => state.findDispute(request),
    readEvent: () => null,
    get ownAccount() {
      return ownAccountAt("acct_billing", processor);
    },
  };
  const processors: Processors = { get: () => processor };
  return { ...state, state, processors };
};

/** A separate tenant: a payer with an active mandate that names one merchant, and the client of this merchant. */
export const makeChargeableMandate = async (
  deps: TestDeps,
  limits: Partial<PaymentMandateDetails> = {},
  options: { budgetVisible?: boolean } = {},
) => {
  const [payer, merchant, agent] = await Promise.all([makePayer(deps), makeMerchant(deps), makeAgentClient(deps)]);
  const merchantClient = await makeMerchantClient(deps, merchant.id);
  const grant = await makeGrant(deps, { clientId: agent.id, payerId: payer.id });
  const mandateId = newId("mdt");
  const details: PaymentMandateDetails = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 5_000,
    payees: [{ id: merchant.id }],
    payer_presence: ["in_session", "off_session"],
    ...limits,
  };
  await deps.db.transaction((tx) =>
    activateMandates(deps, tx, {
      requestId: "req_test",
      grantId: grant.id,
      clientId: agent.id,
      payerId: payer.id,
      paymentMethodId: payer.paymentMethodId,
      details: [details],
      mandateIds: [mandateId],
      budgetVisible: options.budgetVisible ?? false,
      now: deps.clock.now(),
    }),
  );
  const charge = (request: Partial<ChargeRequest> = {}, idempotencyKey: string = newId("req")) =>
    requestCharge(deps, {
      merchantId: merchant.id,
      clientId: merchantClient.id,
      requestId: "req_test",
      idempotencyKey,
      request: { mandate_id: mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session", ...request },
    });
  const counters = async () => {
    const row = await deps.db.prisma.mandate.findUniqueOrThrow({
      where: { id: mandateId },
      include: { periods: true },
    });
    return {
      state: row.state,
      used: row.usedAmount,
      held: row.heldAmount,
      usedCount: row.usedCount,
      heldCount: row.heldCount,
      periods: row.periods,
    };
  };
  return { payer, merchant, agent, merchantClient, grant, mandateId, charge, counters };
};

/**
 * The code, kind, reasons and pointers of the error that `attempt` rejects with.
 * @throws Error with the value if `attempt` resolves.
 */
export const refusalOf = (
  attempt: Promise<unknown>,
): Promise<{ code: string; kind: string; reasons: string[]; pointers: string[] }> =>
  attempt.then(
    (value) => {
      throw new Error(`not refused: ${JSON.stringify(value)}`);
    },
    (error: {
      code?: string;
      kind?: string;
      members?: { reasons?: { code: string }[] };
      errors?: { pointer: string }[];
    }) => ({
      code: error.code ?? String(error),
      kind: error.kind ?? "",
      reasons: (error.members?.reasons ?? []).map((reason) => reason.code),
      pointers: (error.errors ?? []).map((each) => each.pointer),
    }),
  );

/**
 * Repeats a charge while it is refused with `processor_unavailable`: on a slow machine, the database can't serve many
 * concurrent charges in time. After four minutes, this refusal is thrown.
 */
export const untilSubmitted = async <Answer>(charge: () => Promise<Answer>): Promise<Answer> => {
  for (const deadline = performance.now() + 240_000; ; await sleep(500)) {
    try {
      return await charge();
    } catch (error) {
      const isBusy = isDomainError(error) && error.code === "processor_unavailable";
      if (!isBusy || performance.now() > deadline) throw error;
    }
  }
};
