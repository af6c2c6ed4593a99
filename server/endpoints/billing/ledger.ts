import { z } from "zod";
import { listCredits } from "../../billing/credits/list-credits.ts";
import { listLedger } from "../../billing/ledger/list-ledger.ts";
import { ledgerAccounts, ledgerStates } from "../../billing/rules/ledger/accounts.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { pageQuerySchema, toPage } from "../../contract/pagination.ts";
import { merchantOf } from "../charges/merchant-of.ts";
import { currencyQuery, instantQuery, toRange } from "./billing-query.ts";

const contract = {
  method: "GET",
  tag: "Billing",
  standards: ["RFC 9457"],
  auth: { kind: "access_token", resource: "billing", scope: "billing.read" },
  errors: "problem",
  errorCodes: ["invalid_request"],
} as const;

const account = z.enum(ledgerAccounts);
const amount = z.int().describe("In the currency's minor unit");
const newestFirst =
  "Newest first. has_more says whether more items follow. In a request with ending_before, it says whether more items come before this page";

const entrySchema = z.object({
  id: z.string(),
  transaction_id: z.string().describe("The entries of a transaction sum to zero in each currency"),
  account,
  direction: z.enum(["debit", "credit"]),
  amount,
  currency: z.string(),
  state: z.enum(ledgerStates).describe("A payment is pending until its outcome is known"),
  effective_at: z.string(),
  source: z.object({ type: z.string(), id: z.string() }),
});
const balanceSchema = z.object({
  account,
  currency: z.string(),
  posted: z.int().describe("Debits less credits of posted transactions"),
  pending: z.int().describe("Debits less credits of pending transactions"),
});

export const listLedgerEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/ledger",
  operationId: "listLedger",
  summary: "List the merchant's ledger entries and balances",
  request: {
    query: z.object({
      account: account.optional(),
      currency: currencyQuery,
      from: instantQuery.describe("Effective at or after this time"),
      to: instantQuery.describe("Effective before this time"),
      ...pageQuerySchema.shape,
    }),
  },
  responses: {
    200: {
      description: `${newestFirst}. The balances cover all time: \`from\`, \`to\` and paging don't change them`,
      schema: z.object({ data: z.array(entrySchema), balances: z.array(balanceSchema), has_more: z.boolean() }),
      example: {
        data: [
          {
            id: "lent_5Kq2mX9vB4nR8tW3yZ6pL1dF",
            transaction_id: "ltx_3Fh8kP2wQ6sV9xC4bN7mJ1tD",
            account: "receivable",
            direction: "debit",
            amount: 13454,
            currency: "EUR",
            state: "posted",
            effective_at: "2027-02-02T00:00:00.000Z",
            source: { type: "invoice", id: "inv_5Kq2mX9vB4nR8tW3yZ6pL1dF" },
          },
        ],
        balances: [{ account: "receivable", currency: "EUR", posted: 13454, pending: 0 }],
        has_more: false,
      },
    },
  },
  async handle({ deps, caller }, { query }) {
    const filter = { account: query.account ?? null, currency: query.currency ?? null, ...toRange(query) };
    const { entries, balances, hasMore } = await listLedger(deps, {
      merchantId: merchantOf(caller),
      ...filter,
      ...toPage(query),
    });
    const data = entries.map((entry) => ({
      id: entry.id,
      transaction_id: entry.transactionId,
      account: entry.account,
      direction: entry.amount > 0n ? ("debit" as const) : ("credit" as const),
      amount: Math.abs(Number(entry.amount)),
      currency: entry.currency,
      state: entry.state,
      effective_at: entry.effectiveAt.toISOString(),
      source: { type: entry.sourceType, id: entry.sourceId },
    }));
    const sums = balances.map(({ posted, pending, ...of }) => ({
      ...of,
      posted: Number(posted),
      pending: Number(pending),
    }));
    return { status: 200, headers: noStore, body: { data, balances: sums, has_more: hasMore } };
  },
});

const creditSchema = z.object({
  id: z.string(),
  kind: z.enum(["prepaid", "promotional", "credit_note"]).describe("`credit_note`: part of the credit balance"),
  currency: z.string(),
  granted: amount,
  remaining: amount,
  priority: z.int().describe("Credits with a lower number are used first"),
  expires_at: z.string().nullable(),
});

export const listCreditsEndpoint = defineEndpoint({
  ...contract,
  path: "/billing/credits",
  operationId: "listCredits",
  summary: "List the merchant's credits",
  request: { query: pageQuerySchema },
  responses: {
    200: {
      description: newestFirst,
      schema: z.object({ data: z.array(creditSchema), has_more: z.boolean() }),
      example: {
        data: [
          {
            id: "crg_8Wd2kR5tQ9xB3nV7mC1zJ6pH",
            kind: "prepaid",
            currency: "EUR",
            granted: 50000,
            remaining: 36546,
            priority: 0,
            expires_at: null,
          },
        ],
        has_more: false,
      },
    },
  },
  async handle({ deps, caller }, { query }) {
    const { credits, hasMore } = await listCredits(deps, { merchantId: merchantOf(caller), ...toPage(query) });
    const data = credits.map(({ id, kind, currency, granted, remaining, priority, expiresAt }) => ({
      id,
      kind,
      currency,
      granted: Number(granted),
      remaining: Number(remaining),
      priority,
      expires_at: expiresAt?.toISOString() ?? null,
    }));
    return { status: 200, headers: noStore, body: { data, has_more: hasMore } };
  },
});
