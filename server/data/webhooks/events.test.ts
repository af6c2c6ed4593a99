import { expect, test } from "vitest";
import { eventTypes } from "./events.ts";

/** Copied by hand from docs/spec/payments.md, Webhooks. */
const documented = [
  "mandate.activated|updated|suspended|resumed|revoked|expired|consumed|limit_approaching",
  "charge.authorized|succeeded|declined|requires_action|unknown|reconciled|captured|voided|expired",
  "refund.succeeded|failed",
  "dispute.opened|closed",
  "subscription.updated",
  "invoice.finalized|paid|payment_failed|overdue|voided",
  "credit_note.created",
  "budget_alert.triggered",
];

test("the event types are exactly the documented ones (docs/spec/payments.md, Webhooks)", () => {
  const listed = documented.flatMap((line) => {
    const [noun = "", verbs = ""] = line.split(".");
    return verbs.split("|").map((verb) => `${noun}.${verb}`);
  });
  expect([...eventTypes].sort()).toEqual(listed.sort());
});
