import { expect, test } from "vitest";
import { eventTypes } from "./events.ts";

/** Copied by hand from docs/spec/payments.md, Webhooks; `invoice.*` is added together with invoices. */
const documented = [
  "mandate.activated|updated|suspended|resumed|revoked|expired|consumed|limit_approaching",
  "charge.authorized|succeeded|declined|requires_action|unknown|reconciled|captured|voided|expired",
  "refund.succeeded|failed",
  "dispute.opened|closed",
  "subscription.updated",
];

test("the event types are exactly the documented ones for mandates, charges, refunds, disputes and subscriptions (docs/spec/payments.md, Webhooks)", () => {
  const listed = documented.flatMap((line) => {
    const [noun = "", verbs = ""] = line.split(".");
    return verbs.split("|").map((verb) => `${noun}.${verb}`);
  });
  expect([...eventTypes].sort()).toEqual(listed.sort());
});
