import { z } from "zod";
import { exportLedger } from "../../billing/ledger/export-ledger.ts";
import { ledgerAccounts } from "../../billing/rules/ledger/accounts.ts";
import { toByteStream } from "../../contract/byte-stream.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { forReading } from "../../data/replica/for-reading.ts";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";
import { downloadHeaders, signInResponse } from "../wallet/payer-download.ts";
import { replyToMember } from "./member-download.ts";

const instant = z.iso.datetime({ offset: true }).optional();

/**
 * The filters of the ledger page. An unknown or malformed filter is refused, because ignoring it would change the rows
 * of the file.
 */
const query = z.object({
  merchant: z
    .string()
    .regex(/^\w{1,64}$/)
    .describe("The merchant’s ID"),
  account: z.enum(ledgerAccounts).optional(),
  currency: z.string().refine(isCurrency, currencyProblem).optional().describe("ISO 4217, for example EUR"),
  from: instant.describe("Effective at or after this time"),
  to: instant.describe("Effective before this time"),
});

const csvExample = [
  "Entry ID,Transaction ID,Effective (UTC),Account,Direction,Currency,Amount,Balance,State,Source type,Source ID,Invoice number",
  "lent_5Kq2mX9vB4nR8tW3yZ6pL1dF,ltx_3Fh8kP2wQ6sV9xC4bN7mJ1tD,2027-02-02T00:00:00.000Z,receivable,debit,EUR,134.54,134.54,posted,invoice,inv_5Kq2mX9vB4nR8tW3yZ6pL1dF,INV-2027-000001",
  "",
].join("\r\n");

const toDate = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export const exportLedgerEndpoint = defineEndpoint({
  method: "GET",
  path: "/merchant/billing/ledger/export.csv",
  operationId: "exportLedger",
  summary: "A merchant’s ledger entries as CSV, newest first, for its members",
  tag: "Merchants",
  standards: ["RFC 4180"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["400", "404"],
  request: { query, otherParameters: "refused" },
  responses: {
    200: {
      description: "Times are in UTC. Each row has the balance of its account and currency after the entry",
      contentType: "text/csv",
      schema: z.string(),
      example: csvExample,
    },
    ...signInResponse,
  },
  handle({ deps, request }, { query: { merchant: merchantId, account = null, currency = null, from, to } }) {
    return replyToMember({ deps, request }, { action: "billing.read", merchantId }, () => {
      const rows = exportLedger(forReading(deps, request.headers.get("cookie")), {
        merchantId,
        account,
        currency,
        from: toDate(from),
        to: toDate(to),
      });
      return {
        status: 200,
        contentType: "text/csv; charset=utf-8; header=present",
        headers: downloadHeaders("ledger.csv"),
        body: toByteStream(rows),
      };
    });
  },
});
