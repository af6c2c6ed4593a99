import { z } from "zod";
import { maxAmountMinor } from "../../kernel/money/money.ts";
import { findMandateOwner } from "../../mandates/find-mandate-owner.ts";
import {
  getPayerMandate,
  listOthersOfClient,
  listPayerMandateNames,
  listPayerMandates,
  summarizePayerMandates,
} from "../../mandates/find-mandates.ts";
import { changePaymentMethod } from "../../mandates/lifecycle/change-payment-method.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { resumeMandate } from "../../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate, revokeMandatesOfClient } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import type { TrpcContext } from "../context.ts";
import { accountProcedure, ofInput, ownedProcedure, pageFields, router } from "../init.ts";
import { activityProcedures } from "./activity.ts";
import { approvalProcedures } from "./approvals.ts";
import { toNarrowing } from "./narrowing.ts";
import { noticeProcedures } from "./notices.ts";
import { paymentMethodProcedures } from "./payment-methods.ts";
import { toMandate } from "./views.ts";

const byMandate = z.object({ mandateId: z.string().max(64) });

const mandateOwner = ofInput(byMandate, findMandateOwner);

const actOf = (ctx: TrpcContext & { account: { id: string } }, mandateId: string) => ({
  mandateId,
  actor: { kind: "payer" as const, id: ctx.account.id },
  requestId: ctx.info.requestId,
});

/** The part of an audit entry's data that payers see. The reasons of operators are internal. */
const timelineData = z
  .object({
    version: z.int().optional(),
    grant_id: z.string().optional(),
    from: z.string().nullable().optional(),
    to: z.string().optional(),
    amount: z.int().optional(),
    currency: z.string().optional(),
    codes: z.array(z.string()).optional(),
  })
  .catch({});

export const walletRouter = router({
  mandates: accountProcedure("mandate.list")
    .input(
      z
        .object({
          show: z.enum(["live", "ended"]).default("live"),
          search: z.string().max(100).optional(),
          ...pageFields(20),
        })
        .prefault({}),
    )
    .query(async ({ ctx, input: { search, startingAfter, ...input } }) => {
      const { mandates, hasMore } = await listPayerMandates(ctx.deps, {
        ...input,
        payerId: ctx.account.id,
        ...(search === undefined ? {} : { search }),
        ...(startingAfter === undefined ? {} : { startingAfter }),
      });
      return { mandates: mandates.map(toMandate), hasMore };
    }),

  /** The mandates of the wallet's home page. */
  overview: accountProcedure("mandate.list").query(async ({ ctx }) => {
    const { active, suspended, newest, near, ending } = await summarizePayerMandates(ctx.deps, {
      payerId: ctx.account.id,
      limit: 6,
    });
    const toViews = ({ mandates, hasMore }: typeof newest) => ({ mandates: mandates.map(toMandate), hasMore });
    return { active, suspended, newest: toViews(newest), near: toViews(near), ending: toViews(ending) };
  }),

  /** The options of a mandate filter: the newest mandates and the selected one. */
  mandateNames: accountProcedure("mandate.list")
    .input(z.object({ including: z.string().max(64).optional() }).prefault({}))
    .query(({ ctx, input }) => listPayerMandateNames(ctx.deps, { ...input, payerId: ctx.account.id })),

  mandate: ownedProcedure("mandate.read", mandateOwner)
    .input(byMandate)
    .query(async ({ ctx, input }) => {
      const mandate = await getPayerMandate(ctx.deps, { payerId: ctx.account.id, mandateId: input.mandateId });
      const timeline = mandate.timeline.map(({ at, actorKind, action, merchantName, data, changes }) => ({
        at: at.toISOString(),
        actorKind,
        action,
        merchantName,
        data: timelineData.parse(data),
        changes,
      }));
      return { ...toMandate(mandate), timeline };
    }),

  /** Some of the other mandates that `revokeAll` would end. */
  othersOfClient: ownedProcedure("mandate.read", mandateOwner)
    .input(byMandate)
    .query(async ({ ctx, input }) =>
      (await listOthersOfClient(ctx.deps, { ...input, payerId: ctx.account.id, limit: 3 })).map(toMandate),
    ),

  pause: ownedProcedure("mandate.pause", mandateOwner)
    .input(byMandate)
    .mutation(async ({ ctx, input }) => ({ state: await suspendMandate(ctx.deps, actOf(ctx, input.mandateId)) })),

  resume: ownedProcedure("mandate.resume", mandateOwner)
    .input(byMandate)
    .mutation(async ({ ctx, input }) => ({ state: await resumeMandate(ctx.deps, actOf(ctx, input.mandateId)) })),

  revoke: ownedProcedure("mandate.revoke", mandateOwner)
    .input(byMandate)
    .mutation(async ({ ctx, input }) => ({ state: await revokeMandate(ctx.deps, actOf(ctx, input.mandateId)) })),

  /** Ends every live mandate of the payer with the same client. */
  revokeAll: ownedProcedure("mandate.revoke", mandateOwner)
    .input(byMandate)
    .mutation(async ({ ctx, input }) => ({
      revoked: await revokeMandatesOfClient(ctx.deps, {
        mandateId: input.mandateId,
        payerId: ctx.account.id,
        requestId: ctx.info.requestId,
      }),
    })),

  /** Lowers one limit. Raising it again needs a new request of the client and the payer's approval. */
  narrow: ownedProcedure("mandate.narrow", mandateOwner)
    .input(byMandate.extend({ limitKey: z.string().max(32), capMinor: z.int().min(1).max(Number(maxAmountMinor)) }))
    .mutation(async ({ ctx, input }) =>
      narrowMandate(ctx.deps, {
        ...actOf(ctx, input.mandateId),
        narrowing: toNarrowing(input.limitKey, input.capMinor),
      }),
    ),

  /** Future payments of the mandate use another payment method. */
  changePaymentMethod: ownedProcedure("mandate.change_payment_method", mandateOwner)
    .input(byMandate.extend({ paymentMethodId: z.string().max(64) }))
    .mutation(({ ctx, input }) =>
      changePaymentMethod(ctx.deps, { ...actOf(ctx, input.mandateId), paymentMethodId: input.paymentMethodId }),
    ),

  ...activityProcedures,
  ...noticeProcedures,
  ...approvalProcedures,
  ...paymentMethodProcedures,
});
