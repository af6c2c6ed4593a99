import { z } from "zod";
import { captureCharge, voidCharge } from "../../charges/acts/act-on-charge.ts";
import type { MerchantActor } from "../../charges/charge/settled-by.ts";
import type { KeyedResult } from "../../charges/idempotency/keyed-result.ts";
import { findChargeMerchant, findPayments, getPayment } from "../../charges/lists/find-payments.ts";
import { paymentShows, paymentStates } from "../../charges/lists/payment-shows.ts";
import { summarizePayments } from "../../charges/lists/summarize-payments.ts";
import { type RefundResult, refundCharge } from "../../charges/refunds/refund-charge.ts";
import { type RefundStatus, refundReasons, refundStatuses } from "../../charges/rules/refund.ts";
import { type ActResult, readCharge } from "../../charges/rules/results.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { maxAmountMinor } from "../../kernel/money/money.ts";
import { byMerchant, inputMerchant, memberProcedure, ofInput, pageFields, readsReplica, router } from "../init.ts";
import { toOverview, toPayment, toPaymentDetail } from "./payment-views.ts";

const id = z.string().max(64);
const byCharge = z.object({ chargeId: id });
const findMerchantOfCharge = ofInput(byCharge, findChargeMerchant);

/** The page creates a key per dialog and repeats it on a retry, so that a double click moves money once. */
const act = byCharge.extend({ idempotencyKey: z.string().regex(/^[\x21-\x7e]{16,100}$/) });
const amountMinor = z.int().min(1).max(Number(maxAmountMinor)).optional();

type MemberContext = { merchantId: string; by: { actor: { id: string }; requestId: string } };
const toRequest = ({ merchantId, by }: MemberContext, { chargeId, idempotencyKey }: z.infer<typeof act>) => ({
  merchantId,
  actor: { kind: "merchant", id: by.actor.id } satisfies MerchantActor,
  requestId: by.requestId,
  chargeId,
  // Keys from the API contain no space, so a key with a space can't be equal to one of them.
  idempotencyKey: `dashboard ${idempotencyKey}`,
});

const problem = z.object({ detail: z.string() });

/** An action that is still in progress isn't an error. @throws DomainError processor_refused with the reason. */
const assertNotRefused = (result: KeyedResult<ActResult<ChargeRow>>): void => {
  if (result.outcome === "refused") throw processorRefusal(result.decline.advice);
  if (result.outcome !== "stored") return;
  const { status, body } = result.answer;
  if (status === 402) throw processorRefusal(problem.parse(JSON.parse(body)).detail);
};

const processorRefusal = (detail: string) =>
  new DomainError("payment_failed", {
    code: "processor_refused",
    message: detail.replace(readCharge, "The page now shows the payment’s status."),
  });

/** Messages for members. The API's own messages name charges, status codes and idempotency keys. */
const messages: Readonly<Record<string, string>> = {
  charge_not_authorized: "This payment can no longer be captured or voided. The page now shows its status.",
  charge_in_use: "Another action on this payment is in progress. Try again in a moment.",
  charge_not_refundable: "This payment can’t be refunded: it is disputed, or its processor doesn’t support refunds.",
  exceeds_captured: "Refunds can’t exceed the captured amount.",
  idempotency_key_in_use: "Your request is still in progress. Try again in a moment.",
};

const explainRefusal = (error: unknown): never => {
  if (!isDomainError(error)) throw error;
  const { kind, code, errors, members, headers } = error;
  const message = messages[code];
  if (message === undefined) throw error;
  throw new DomainError(kind, { code, message, errors, members, headers, cause: error });
};

/** The payer sees the reason, and `other` alone explains nothing. */
const refuseWithoutNote = (): never => {
  throw new DomainError("invalid", {
    code: "note_required",
    message: "A refund with the reason “other” requires a note.",
    errors: [{ pointer: "/note", detail: "is required if the reason is “other”" }],
  });
};

const storedRefund = z.object({ status: z.enum(refundStatuses) });
const statusOf = (result: RefundResult): RefundStatus =>
  result.outcome === "stored" ? storedRefund.parse(JSON.parse(result.answer.body)).status : result.outcome;

export const paymentsRouter = router({
  overview: memberProcedure("merchant.read", inputMerchant)
    .use(readsReplica)
    .input(byMerchant.extend({ days: z.union([z.literal(7), z.literal(30), z.literal(90)]).default(30) }))
    .query(async ({ ctx, input: { days } }) => {
      const { merchantId, timeZone } = ctx;
      return toOverview(await summarizePayments(ctx.deps, { merchantId, days, timeZone }));
    }),

  list: memberProcedure("payment.list", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        show: z.enum(paymentShows).optional(),
        mandateId: id.optional(),
        search: z.string().max(100).optional(),
        from: z.iso.datetime().optional(),
        to: z.iso.datetime().optional(),
        ...pageFields(),
      }),
    )
    .query(async ({ ctx, input: { show, from, to, ...input } }) => {
      const states = show && paymentStates[show];
      const period = {
        since: from === undefined ? undefined : new Date(from),
        until: to === undefined ? undefined : new Date(to),
      };
      const { payments, ...found } = await findPayments(ctx.deps, { ...input, ...period, states });
      return { payments: payments.map(toPayment), ...found };
    }),

  payment: memberProcedure("payment.read", findMerchantOfCharge)
    .input(byCharge)
    .query(async ({ ctx, input }) =>
      toPaymentDetail(await getPayment(ctx.deps, { ...input, merchantId: ctx.merchantId })),
    ),

  capture: memberProcedure("payment.capture", findMerchantOfCharge)
    .input(act.extend({ amountMinor }))
    .mutation(async ({ ctx, input }) =>
      captureCharge(ctx.deps, { ...toRequest(ctx, input), request: { amount: input.amountMinor } })
        .then(assertNotRefused)
        .catch(explainRefusal),
    ),

  void: memberProcedure("payment.void", findMerchantOfCharge)
    .input(act)
    .mutation(async ({ ctx, input }) =>
      voidCharge(ctx.deps, toRequest(ctx, input)).then(assertNotRefused).catch(explainRefusal),
    ),

  refund: memberProcedure("payment.refund", findMerchantOfCharge)
    .input(
      act.extend({
        amountMinor,
        /** shown to the payer, with the note */
        reason: z.enum(refundReasons),
        note: z.string().trim().max(200).optional(),
      }),
    )
    .mutation(async ({ ctx, input: { reason, note, ...input } }) => {
      if (reason === "other" && !note) refuseWithoutNote();
      const request = { amount: input.amountMinor, reason, metadata: note ? { note } : undefined };
      const refund = refundCharge(ctx.deps, { ...toRequest(ctx, input), request });
      return { status: statusOf(await refund.catch(explainRefusal)) };
    }),
});
