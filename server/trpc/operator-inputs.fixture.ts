import type { TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../kernel/ids.ts";
import { draft, open } from "../status/incidents.fixture.ts";

export type OperatorThings = { mailId: string; stuckId: string } & StatusThings;

/** One of each that a procedure may change, so that they don't meet. */
type StatusThings = { draftId: string; strayId: string; incidentId: string; endingId: string };

export const makeStatusThings = async (deps: TestDeps): Promise<StatusThings> => ({
  ...{ draftId: await draft(deps), strayId: await draft(deps) },
  ...{ incidentId: await open(deps), endingId: await open(deps) },
});

export const noStatusThings: StatusThings = {
  ...{ draftId: "inc_nowhere", strayId: "inc_nowhere", incidentId: "inc_nowhere", endingId: "inc_nowhere" },
};

const told = () => ({ updateId: newId("upd"), text: "Told by a test" });
const incident = { title: "Charges are slow", impact: "major", state: "investigating", components: [] };

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
  "operatorStatus.incidents": () => undefined,
  "operatorStatus.components": () => undefined,
  "operatorStatus.incident": ({ incidentId }) => ({ incidentId }),
  "operatorStatus.openIncident": () => ({ ...incident, ...told(), incidentId: newId("inc"), startedAt: null }),
  "operatorStatus.confirmIncident": ({ draftId }) => ({ ...incident, ...told(), incidentId: draftId }),
  "operatorStatus.dismissIncident": ({ strayId }) => ({ ...told(), incidentId: strayId }),
  "operatorStatus.updateIncident": ({ incidentId }) => ({ ...incident, ...told(), incidentId }),
  "operatorStatus.resolveIncident": ({ endingId }) => ({ ...told(), incidentId: endingId }),
};

/** Those that name one thing by its id. */
export const operatorsById: ReadonlySet<string> = new Set([
  "operator.charge",
  "operator.searchCharge",
  "operator.settleCharge",
  "operator.mail",
  "operatorStatus.incident",
  "operatorStatus.confirmIncident",
  "operatorStatus.dismissIncident",
  "operatorStatus.updateIncident",
  "operatorStatus.resolveIncident",
]);
