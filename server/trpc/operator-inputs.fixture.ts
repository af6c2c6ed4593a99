export type OperatorThings = { mailId: string; stuckId: string };

/** What each procedure of operators is called with. */
export const operatorInputs: Readonly<Record<string, (things: OperatorThings) => unknown>> = {
  "operator.attention": () => undefined,
  "operator.outbox": () => ({ search: "example.test", state: "pending" }),
  "operator.handedOverCharges": () => ({ search: "market" }),
  "operator.charge": ({ stuckId }) => ({ chargeId: stuckId }),
  "operator.searchCharge": ({ stuckId }) => ({ chargeId: stuckId, reason: "Asked by the merchant" }),
  "operator.settleCharge": ({ stuckId }) => ({
    ...{ chargeId: stuckId, reason: "Seen in the books", finding: { kind: "nothing" } },
  }),
  "operator.mail": ({ mailId }) => ({ mailId }),
  "operator.searchAudit": () => ({}),
  "operator.exportAudit": () => ({}),
  "operator.verifyAudit": () => ({ shard: 0 }),
};

/** Those that name one thing by its id. */
export const operatorsById: ReadonlySet<string> = new Set([
  "operator.charge",
  "operator.searchCharge",
  "operator.settleCharge",
  "operator.mail",
]);
