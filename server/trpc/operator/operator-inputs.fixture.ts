import { PgBoss } from "pg-boss";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import {
  insertDraftIncident,
  openResolvedIncident,
  openTestIncident,
  publishedPostmortem,
  scheduleTestMaintenance,
} from "../../status/incidents/incidents.fixture.ts";

export type OperatorThings = {
  mailId: string;
  stuckId: string;
  contradictionId: string;
  agentTokenId: string;
  merchantId: string;
  tokenId: string;
  grantedId: string;
} & StatusThings;

/** Of each kind enough that the procedures which end one don't meet. */
type StatusThings = Record<
  | "draftId"
  | "strayId"
  | "incidentId"
  | "endingId"
  | "windowId"
  | "spareWindowId"
  | "laterWindowId"
  | "overId"
  | "toldId"
  | "actionId"
  | "kid"
  | "runId",
  string
>;

export const makeStatusThings = async (deps: TestDeps): Promise<StatusThings> => ({
  draftId: await insertDraftIncident(deps),
  strayId: await insertDraftIncident(deps),
  incidentId: await openTestIncident(deps),
  endingId: await openTestIncident(deps),
  windowId: await scheduleTestMaintenance(deps),
  spareWindowId: await scheduleTestMaintenance(deps),
  laterWindowId: await scheduleTestMaintenance(deps),
  overId: await openResolvedIncident(deps),
  ...(await publishedPostmortem(deps)),
  kid: deps.keys.signingKey("directory").kid,
  runId: await failedRun(deps),
});

export const noStatusThings: StatusThings = {
  draftId: "inc_nowhere",
  strayId: "inc_nowhere",
  incidentId: "inc_nowhere",
  endingId: "inc_nowhere",
  windowId: "mtn_nowhere",
  spareWindowId: "mtn_nowhere",
  laterWindowId: "mtn_nowhere",
  overId: "inc_nowhere",
  toldId: "inc_nowhere",
  actionId: "act_nowhere",
  kid: "nowhere",
  runId: "00000000-0000-4000-8000-000000000000",
};

/** As pg-boss leaves it. */
const failedRun = async (deps: TestDeps): Promise<string> => {
  const name = "test-job";
  const boss = new PgBoss({ connectionString: deps.config.databaseUrl, schedule: false, supervise: false });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue(name);
  const id = (await boss.send(name, {}, { retryLimit: 0 })) ?? "";
  await boss.fetch(name);
  await boss.fail(name, id);
  await boss.stop({ graceful: false, close: true });
  return id;
};

const told = () => ({ updateId: newId("upd"), text: "Told by a test" });
const incident = { title: "Charges are slow", impact: "major", state: "investigating", components: [] };

/** What each procedure of operators is called with. */
export const operatorInputs: Readonly<Record<string, (things: OperatorThings) => unknown>> = {
  "operator.attention": () => undefined,
  "operator.outbox": () => ({ search: "example.test", state: "pending" }),
  "operator.chargesUnderReview": () => ({ search: "market" }),
  "operator.charge": ({ stuckId }) => ({ chargeId: stuckId }),
  "operator.searchCharge": ({ stuckId }) => ({ chargeId: stuckId, reason: "Asked by the merchant" }),
  "operator.settleCharge": ({ stuckId }) => ({
    chargeId: stuckId,
    reason: "Seen in the books",
    finding: { kind: "nothing" },
  }),
  "operator.contradictions": () => undefined,
  "operator.closeContradiction": ({ contradictionId }) => ({ contradictionId, reason: "Given back in their books" }),
  "operator.mail": ({ mailId }) => ({ mailId }),
  "operator.retryMail": ({ mailId }) => ({ mailId, reason: "The mailbox exists now" }),
  "operator.searchAudit": () => ({}),
  "operator.exportAudit": () => ({}),
  "operator.verifyAudit": () => ({ shard: 0 }),
  "operatorAgents.tokens": () => ({}),
  "operatorAgents.createToken": () => ({
    label: "Basket Ltd",
    uses: 1,
    ttlSeconds: 3600,
    scopes: ["grant_management_query"],
    reason: "Asked by Basket",
  }),
  "operatorAgents.revokeToken": ({ agentTokenId }) => ({ tokenId: agentTokenId, reason: "Sent to the wrong people" }),
  "operatorMandates.list": ({ grantedId }) => ({ search: grantedId }),
  "operatorMandates.get": ({ grantedId }) => ({ mandateId: grantedId }),
  "operatorMandates.suspend": ({ grantedId }) => ({ mandateId: grantedId, reason: "The payer rang us" }),
  "operatorMandates.resume": ({ grantedId }) => ({ mandateId: grantedId, reason: "It was them after all" }),
  "operatorMandates.revoke": ({ grantedId }) => ({ mandateId: grantedId, reason: "The payer asked by letter" }),
  "operatorMerchants.list": () => ({ search: "market", isSuspended: false }),
  "operatorMerchants.get": ({ merchantId }) => ({ merchantId }),
  "operatorMerchants.suspend": ({ merchantId }) => ({ merchantId, reason: "Nobody answers payers" }),
  "operatorMerchants.resume": ({ merchantId }) => ({ merchantId, reason: "They answer again" }),
  "operatorMerchants.categorize": ({ merchantId }) => ({ merchantId, category: "5812", reason: "They cook now" }),
  "operatorMerchants.tokens": ({ merchantId }) => ({ merchantId }),
  "operatorMerchants.revokeToken": ({ merchantId, tokenId }) => ({ merchantId, tokenId, reason: "It was published" }),
  "operatorMaintenance.list": () => undefined,
  "operatorMaintenance.get": ({ windowId }) => ({ maintenanceId: windowId }),
  "operatorMaintenance.schedule": () => ({
    ...told(),
    maintenanceId: newId("mtn"),
    title: "A new database",
    components: ["billing_engine"],
    from: "2099-01-01T00:00:00Z",
    to: "2099-01-01T01:00:00Z",
  }),
  "operatorMaintenance.start": ({ windowId }) => ({ ...told(), maintenanceId: windowId }),
  "operatorMaintenance.complete": ({ windowId }) => ({ ...told(), maintenanceId: windowId }),
  "operatorMaintenance.cancel": ({ spareWindowId }) => ({ ...told(), maintenanceId: spareWindowId }),
  "operatorMaintenance.update": ({ laterWindowId }) => ({ ...told(), maintenanceId: laterWindowId }),
  "operatorService.jobs": () => undefined,
  "operatorService.retryJob": ({ runId }) => ({ runId, reason: "Mended it" }),
  "operatorService.signingKeys": () => undefined,
  "operatorService.rotateSigningKey": () => ({ purpose: "directory", reason: "A drill" }),
  "operatorService.revokeSigningKey": ({ kid }) => ({ kid, reason: "A drill" }),
  "operatorStatus.budgets": () => undefined,
  "operatorStatus.incidents": () => undefined,
  "operatorStatus.components": () => undefined,
  "operatorStatus.incident": ({ incidentId }) => ({ incidentId }),
  "operatorStatus.openIncident": () => ({ ...incident, ...told(), incidentId: newId("inc"), startedAt: null }),
  "operatorStatus.confirmIncident": ({ draftId }) => ({ ...incident, ...told(), incidentId: draftId }),
  "operatorStatus.dismissIncident": ({ strayId }) => ({ ...told(), incidentId: strayId }),
  "operatorStatus.updateIncident": ({ incidentId }) => ({ ...incident, ...told(), incidentId }),
  "operatorStatus.writePostmortem": ({ overId }) => ({
    incidentId: overId,
    summary: "It was slow.",
    timeline: "",
    causes: "",
    actions: [],
    seen: null,
    isPublished: false,
  }),
  "operatorStatus.completeAction": ({ toldId, actionId }) => ({ incidentId: toldId, actionId }),
  "operatorStatus.resolveIncident": ({ endingId }) => ({ ...told(), incidentId: endingId }),
};

/** Those that name one thing by its id. */
export const operatorsById: ReadonlySet<string> = new Set([
  "operator.charge",
  "operator.searchCharge",
  "operator.settleCharge",
  "operator.closeContradiction",
  "operator.mail",
  "operatorAgents.revokeToken",
  "operator.retryMail",
  "operatorMandates.get",
  "operatorMandates.suspend",
  "operatorMandates.resume",
  "operatorMandates.revoke",
  "operatorMerchants.get",
  "operatorMerchants.suspend",
  "operatorMerchants.resume",
  "operatorMerchants.categorize",
  "operatorMerchants.revokeToken",
  "operatorMaintenance.get",
  "operatorMaintenance.start",
  "operatorMaintenance.complete",
  "operatorMaintenance.cancel",
  "operatorMaintenance.update",
  "operatorService.retryJob",
  "operatorService.revokeSigningKey",
  "operatorStatus.incident",
  "operatorStatus.confirmIncident",
  "operatorStatus.dismissIncident",
  "operatorStatus.updateIncident",
  "operatorStatus.resolveIncident",
  "operatorStatus.writePostmortem",
  "operatorStatus.completeAction",
]);
