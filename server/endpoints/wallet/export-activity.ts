import { z } from "zod";
import { chargeExample } from "../../charges/events/charge-example.ts";
import { exportActivity } from "../../charges/payers/activity-csv.ts";
import { activityKinds, activityShows } from "../../charges/payers/rules/activity-states.ts";
import { toByteStream } from "../../contract/byte-stream.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { forReading } from "../../data/replica/for-reading.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { downloadHeaders, replyToPayer, signInResponse } from "./payer-download.ts";

const id = z
  .string()
  .regex(/^\w{1,64}$/)
  .optional();
const instant = z.iso.datetime({ offset: true }).optional();

/**
 * The filters of the activity page. An unknown or malformed filter is refused, because ignoring it would change the
 * rows of the file.
 */
const query = z.object({
  agent: id.describe("The agent’s client ID"),
  merchant: id.describe("The merchant’s ID"),
  mandate: id.describe("The mandate’s ID"),
  kind: z.enum(activityKinds).optional(),
  show: z.enum(activityShows).optional(),
  from: instant.describe("Created at or after this time"),
  to: instant.describe("Created before this time"),
});

const csvExample = [
  "Payment ID,Date (UTC),Merchant,Agent,Purpose,Reference,Status,Currency,Amount,Paid,Refunded,Kind",
  `${chargeExample.id},2026-11-27T09:30:00.000Z,Fresh Market,Grocer Bot,Weekly groceries,Order 77,Refunded,EUR,2.50,,,Refund`,
  `${chargeExample.id},2026-11-26T12:00:00.000Z,Fresh Market,Grocer Bot,Weekly groceries,Order 77,Partially refunded,EUR,12.50,12.50,2.50,Payment`,
  "",
].join("\r\n");

export const exportActivityEndpoint = defineEndpoint({
  method: "GET",
  path: "/wallet/activity/export.csv",
  operationId: "exportActivity",
  summary: "The payer’s charges and refunds as CSV, newest first",
  tag: "Wallet",
  standards: ["RFC 4180"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "page",
  errorCodes: ["400"],
  request: { query, otherParameters: "refused" },
  responses: {
    200: {
      description: "Times are in UTC. Texts that a spreadsheet would run as a formula begin with an apostrophe",
      contentType: "text/csv",
      schema: z.string(),
      example: csvExample,
    },
    ...signInResponse,
  },
  handle({ deps, request }, { query: sent }) {
    return replyToPayer({ deps, request }, { action: "charge.list" }, ({ account: { id: payerId, locale } }) => {
      const rows = exportActivity(forReading(deps, request.headers.get("cookie")), {
        payerId,
        locale,
        mandateId: sent.mandate,
        clientId: sent.agent,
        merchantId: sent.merchant,
        kind: sent.kind,
        show: sent.show,
        createdFrom: sent.from === undefined ? null : new Date(sent.from),
        createdTo: sent.to === undefined ? null : new Date(sent.to),
      });
      return {
        status: 200,
        contentType: "text/csv; charset=utf-8; header=present",
        headers: downloadHeaders(`${translator(locale, "activity")("csv.fileName")}.csv`),
        body: toByteStream(rows),
      };
    });
  },
});
