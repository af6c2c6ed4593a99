import { z } from "zod";
import { listPayerCharges } from "../../charges/lists/list-charges.ts";
import { maxAmountMinor } from "../../kernel/money/money.ts";
import { findMandateOwner } from "../../mandates/find-mandate-owner.ts";
import {
  getPayerMandate,
  listOthersOfClient,
  listPayerMandateNames,
  listPayerMandates,
  summarizePayerMandates,
} from "../../mandates/find-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { resumeMandate } from "../../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate, revokeMandatesOfClient } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import type { TrpcContext } from "../context.ts";
import { accountProcedure, ownedProcedure, router } from "../init.ts";
import { approvalProcedures } from "./approvals.ts";
import { toNarrowing } from "./narrowing.ts";
import { paymentMethodProcedures } from "./payment-methods.ts";
import { toCharge, toMandate } from "./views.ts";

const byMandate = z.object({ mandateId: z.string().max(64) });

const mandateOwner: Parameters<typeof ownedProcedure>[1] = async (deps, input) => {
  const parsed = byMandate.safeParse(input);
  return parsed.success ? findMandateOwner(deps, parsed.data) : null;
};

/** Groups of charge states as the activity page names them. */
const activityStates = {
  under_way: ["reserved", "requires_action", "submitted", "processing", "unknown", "authorized"],
  paid: ["succeeded", "captured", "partially_captured", "partially_refunded"],
  failed: ["declined", "voided", "expired"],
  refunded: ["refunded", "partially_refunded", "disputed"],
} as const;

const actOf = (ctx: TrpcContext & { account: { id: string } }, mandateId: string) => ({
  mandateId,
  actor: { kind: "payer" as const, id: ctx.account.id },
  requestId: ctx.info.requestId,
});

/** Of an audit entry's data; why operators did something is what they write for each other. */
const toldOfAct = z.object({ version: z.int().optional(), grant_id: z.string().optional() }).catch({});

export const walletRouter = router({
  mandates: accountProcedure("mandate.list")
    .input(
      z
        .object({
          show: z.enum(["live", "ended"]).default("live"),
          search: z.string().max(100).optional(),
          startingAfter: z.string().max(64).optional(),
          limit: z.int().min(1).max(100).default(20),
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

  /** What the wallet's home says of mandates. */
  overview: accountProcedure("mandate.list").query(async ({ ctx }) => {
    const { active, suspended, newest, near, ending } = await summarizePayerMandates(ctx.deps, {
      payerId: ctx.account.id,
      limit: 6,
    });
    const some = ({ mandates, hasMore }: typeof newest) => ({ mandates: mandates.map(toMandate), hasMore });
    return { active, suspended, newest: some(newest), near: some(near), ending: some(ending) };
  }),

  /** To choose from in a filter: the newest ones, and the one that is chosen. */
  mandateNames: accountProcedure("mandate.list")
    .input(z.object({ including: z.string().max(64).optional() }).prefault({}))
    .query(({ ctx, input }) => listPayerMandateNames(ctx.deps, { ...input, payerId: ctx.account.id })),

  mandate: ownedProcedure("mandate.read", mandateOwner)
    .input(byMandate)
    .query(async ({ ctx, input }) => {
      const mandate = await getPayerMandate(ctx.deps, { payerId: ctx.account.id, mandateId: input.mandateId });
      const timeline = mandate.timeline.map(({ at, actorKind, action, data }) => ({
        at: at.toISOString(),
        actorKind,
        action,
        data: toldOfAct.parse(data),
      }));
      return { ...toMandate(mandate), timeline };
    }),

  /** A few of the mandates that `revokeAll` would end beside this one. */
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

  /** Ends every live mandate that the payer gave to the client of this one. */
  revokeAll: ownedProcedure("mandate.revoke", mandateOwner)
    .input(byMandate)
    .mutation(async ({ ctx, input }) => ({
      revoked: await revokeMandatesOfClient(ctx.deps, {
        mandateId: input.mandateId,
        payerId: ctx.account.id,
        requestId: ctx.info.requestId,
      }),
    })),

  /** Lowers one limit at once; raising it again needs the client to ask anew. */
  narrow: ownedProcedure("mandate.narrow", mandateOwner)
    .input(byMandate.extend({ limitKey: z.string().max(32), capMinor: z.int().min(1).max(Number(maxAmountMinor)) }))
    .mutation(async ({ ctx, input }) =>
      narrowMandate(ctx.deps, {
        ...actOf(ctx, input.mandateId),
        narrowing: toNarrowing(input.limitKey, input.capMinor),
      }),
    ),

  activity: accountProcedure("charge.list")
    .input(
      z.object({
        mandateId: z.string().max(64).optional(),
        show: z.enum(["under_way", "paid", "failed", "refunded"]).optional(),
        startingAfter: z.string().max(64).optional(),
        limit: z.int().min(1).max(100).default(25),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { data, hasMore } = await listPayerCharges(ctx.deps, {
        payerId: ctx.account.id,
        limit: input.limit,
        ...(input.mandateId === undefined ? {} : { mandateId: input.mandateId }),
        ...(input.show === undefined ? {} : { states: activityStates[input.show] }),
        ...(input.startingAfter === undefined ? {} : { startingAfter: input.startingAfter }),
      });
      return { charges: data.map(toCharge), hasMore };
    }),

  ...approvalProcedures,
  ...paymentMethodProcedures,
});
