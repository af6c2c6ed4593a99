import { z } from "zod";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { exportPayments } from "../../charges/lists/export-payments.ts";
import { paymentShows, paymentStates } from "../../charges/lists/payment-shows.ts";
import { toByteStream } from "../../contract/byte-stream.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { forReading } from "../../data/replica/for-reading.ts";
import { downloadHeaders, signInResponse } from "../wallet/payer-download.ts";
import { replyToMember } from "./member-download.ts";

const instant = z.iso.datetime({ offset: true }).optional();

/**
 * The filters of the payments page. An unknown or malformed filter is refused, because ignoring it would change the rows
 * of the file.
 */
const query = z.object({
  merchant: z
    .string()
    .regex(/^\w{1,64}$/)
    .describe("The merchant’s ID"),
  show: z.enum(paymentShows).optional(),
  q: z.string().max(100).optional().describe("A reference, or the id of a payment"),
  mandate: z.string().max(64).optional().describe("The id of a mandate"),
  from: instant.describe("Created at or after this time"),
  to: instant.describe("Created before this time"),
});

const csvExample = [
  "Payment ID,Created (UTC),Status,Currency,Amount,Captured,Refunded,Reference,Decline code,Agent,Agent client ID,Mandate ID,Processor reference",
  `${chargeExample.id},2026-11-26T12:00:00.000Z,succeeded,EUR,12.50,12.50,0.00,Order 77,,Grocer Bot,cl_live_1,mdt_1,pay_1`,
  "",
].join("\r\n");

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

export const exportPaymentsEndpoint = defineEndpoint({
  method: "GET",
  path: "/merchant/payments/export.csv",
  operationId: "exportPayments",
  summary: "A merchant’s payments as CSV, newest first, for its members",
  tag: "Merchants",
  standards: ["RFC 4180"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["400", "404"],
  request: { query, otherParameters: "refused" },
  responses: {
    200: {
      description: "Times are in UTC. Texts that a spreadsheet would interpret as a formula begin with an apostrophe",
      contentType: "text/csv",
      schema: z.string(),
      example: csvExample,
    },
    ...signInResponse,
  },
  handle({ deps, request }, { query: { merchant: merchantId, mandate: mandateId, show, q: search, from, to } }) {
    return replyToMember({ deps, request }, { action: "payment.list", merchantId }, () => {
      const states = show && paymentStates[show];
      const period = { since: toDate(from), until: toDate(to) };
      const rows = exportPayments(forReading(deps, request.headers.get("cookie")), {
        merchantId,
        mandateId,
        states,
        search,
        ...period,
      });
      return {
        status: 200,
        contentType: "text/csv; charset=utf-8; header=present",
        headers: downloadHeaders("payments.csv"),
        body: toByteStream(rows),
      };
    });
  },
});
