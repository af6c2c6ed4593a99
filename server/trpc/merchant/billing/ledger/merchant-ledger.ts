import { z } from "zod";
import { listCreditsWithUses } from "../../../../billing/credits/list-credits-with-uses.ts";
import { readLedgerStatement } from "../../../../billing/ledger/read-statement.ts";
import { ledgerAccounts } from "../../../../billing/rules/ledger/accounts.ts";
import { currencyProblem, isCurrency } from "../../../../kernel/money/money.ts";
import { byMerchant, inputMerchant, memberProcedure, pageFields, readsReplica, router } from "../../../init.ts";
import { toCredit, toLedgerBalance, toLedgerEntry } from "./ledger-views.ts";

const instant = z.iso.datetime({ offset: true }).optional();
const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

/** The merchant's credits and ledger (docs/spec/billing.md, Merchant pages). */
export const merchantLedgerRouter = router({
  credits: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input: { startingAfter = null, limit } }) => {
      const page = { limit, startingAfter, endingBefore: null };
      const { credits, hasMore } = await listCreditsWithUses(ctx.deps, { merchantId: ctx.merchantId, ...page });
      return { credits: credits.map(toCredit), hasMore };
    }),

  statement: memberProcedure("billing.read", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        account: z.enum(ledgerAccounts).optional(),
        currency: z.string().refine(isCurrency, currencyProblem).optional(),
        from: instant,
        to: instant,
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input: { account = null, currency = null, from, to, startingAfter = null, limit } }) => {
      const filter = { account, currency, from: toDate(from), to: toDate(to) };
      const query = { merchantId: ctx.merchantId, limit, startingAfter, ...filter };
      const { entries, balances, hasMore } = await readLedgerStatement(ctx.deps, query);
      return { entries: entries.map(toLedgerEntry), balances: balances.map(toLedgerBalance), hasMore };
    }),
});
