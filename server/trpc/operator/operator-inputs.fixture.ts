import { randomBytes } from "node:crypto";
import { PgBoss } from "pg-boss";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { applyCatalogue } from "../../billing/catalogue/apply-catalogue.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";
import { recordVersion } from "../../directory/participants/record-version.ts";
import { listServer } from "../../directory/servers/list-server.ts";
import { listableIssuer } from "../../directory/servers/metadata-host.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import { blockClientKey } from "../../oauth/blocklist/block-client-key.ts";
import {
  insertDraftIncident,
  openResolvedIncident,
  openTestIncident,
  publishedPostmortem,
  scheduleTestMaintenance,
} from "../../status/incidents/incidents.fixture.ts";
import { type BillingObjects, billingById, billingInputs } from "./operator-billing.fixture.ts";

export type OperatorObjects = BillingObjects & {
  mailId: string;
  stuckId: string;
  contradictionId: string;
  agentTokenId: string;
  merchantId: string;
  /** a merchant that is waiting for approval */
  pendingMerchantId: string;
  pendingVersion: string;
  tokenId: string;
  grantedId: string;
  endingClientId: string;
  colleagueId: string;
  colleagueEmail: string;
} & StatusObjects;

/** One object for each procedure that ends an object, so that the procedures don't affect each other. */
type StatusObjects = Record<
  | "draftId"
  | "strayId"
  | "incidentId"
  | "endingId"
  | "windowId"
  | "spareWindowId"
  | "laterWindowId"
  | "resolvedId"
  | "postmortemIncidentId"
  | "actionId"
  | "kid"
  | "runId"
  | "thumbprint"
  | "planId"
  | "entryId"
  | "listedServerId"
  | "listableIssuer",
  string
>;

export const makeStatusObjects = async (deps: TestDeps): Promise<StatusObjects> => {
  const { incidentId: postmortemIncidentId, actionId } = await publishedPostmortem(deps);
  return {
    draftId: await insertDraftIncident(deps),
    strayId: await insertDraftIncident(deps),
    incidentId: await openTestIncident(deps),
    endingId: await openTestIncident(deps),
    windowId: await scheduleTestMaintenance(deps),
    spareWindowId: await scheduleTestMaintenance(deps),
    laterWindowId: await scheduleTestMaintenance(deps),
    resolvedId: await openResolvedIncident(deps),
    postmortemIncidentId,
    actionId,
    kid: deps.keys.signingKey("directory").kid,
    runId: await failedRun(deps),
    thumbprint: await blockedThumbprint(deps),
    planId: await appliedPlan(deps),
    entryId: await directoryEntry(deps),
    listedServerId: await listedServer(deps),
    listableIssuer: await listableIssuer(),
  };
};

export const noStatusObjects: StatusObjects = {
  draftId: "inc_nowhere",
  strayId: "inc_nowhere",
  incidentId: "inc_nowhere",
  endingId: "inc_nowhere",
  windowId: "mtn_nowhere",
  spareWindowId: "mtn_nowhere",
  laterWindowId: "mtn_nowhere",
  resolvedId: "inc_nowhere",
  postmortemIncidentId: "inc_nowhere",
  actionId: "act_nowhere",
  kid: "nowhere",
  runId: "00000000-0000-4000-8000-000000000000",
  thumbprint: "A".repeat(43),
  planId: "nowhere",
  entryId: "ptc_nowhere",
  listedServerId: "ptc_nowhere",
  listableIssuer: "http://127.0.0.1:1/nowhere",
};

const blockedThumbprint = async (deps: TestDeps): Promise<string> => {
  const actor = { kind: "operator", id: "acc_operator" } as const;
  const key = randomBytes(32).toString("base64url");
  return (await blockClientKey(deps, { key, reason: "A test", actor, requestId: "req_test" })).thumbprint;
};

const directoryEntry = async (deps: TestDeps): Promise<string> => {
  const [id, now] = [newId("ptc"), deps.clock.now()];
  await deps.db.sqlTransaction(async (sql) => {
    await insertParticipant(sql, {
      id,
      role: "client",
      merchantId: null,
      displayName: "Bakery",
      legalName: null,
      at: now,
    });
    const { environment } = deps.config;
    await recordVersion(sql, { id, change: "registered", changedBy: "client", at: now, environment });
  });
  return id;
};

const listedServer = async (deps: TestDeps): Promise<string> => {
  const { participantId } = await listServer(deps, {
    issuer: await listableIssuer(),
    displayName: "Ace Bank",
    legalName: "Ace Bank plc",
    environment: "production",
    reason: "A test",
    actor: { kind: "operator", id: "acc_operator" },
    requestId: "req_test",
  });
  return participantId;
};

const appliedPlan = async (deps: TestDeps): Promise<string> => {
  const plan = `{name: Basic, effective_from: ${dayIn("UTC", deps.clock.now())}, interval: month, currencies: {EUR: {flat: 1, prices: {"own:sms": {model: per_unit, unit: "1"}}}}}`;
  const actor = { kind: "operator", id: "acc_operator" } as const;
  const text = `catalogue: 1\nplans: {basic: ${plan}}\ncoupons: {TENTH: {percent: "10"}}`;
  await applyCatalogue(deps, { text, isDryRun: false, actor, requestId: "req_test" });
  return "basic";
};

/** A run that pg-boss marks as failed. */
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

/** RFC 7638 §3.1 */
const exampleThumbprint = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";

const update = () => ({ updateId: newId("upd"), text: "Posted by a test" });
const incident = { title: "Charges are slow", impact: "major", state: "investigating", components: [] };

/** The input of each operator procedure. */
export const operatorInputs: Readonly<Record<string, (objects: OperatorObjects) => unknown>> = {
  ...billingInputs,
  "operator.attention": () => undefined,
  "operator.outbox": () => ({ search: "example.test", state: "pending" }),
  "operator.chargesUnderReview": () => ({ search: "market" }),
  "operator.searchCharge": ({ stuckId }) => ({ chargeId: stuckId, reason: "Asked by the merchant" }),
  "operator.settleCharge": ({ stuckId }) => ({
    chargeId: stuckId,
    reason: "Found at the processor",
    finding: { kind: "nothing" },
  }),
  "operator.contradictions": () => undefined,
  "operator.closeContradiction": ({ contradictionId }) => ({ contradictionId, reason: "Refunded at the processor" }),
  "operator.mail": ({ mailId }) => ({ mailId }),
  "operator.mailTexts": ({ mailId }) => ({ mailId }),
  "operator.retryMail": ({ mailId }) => ({ mailId, reason: "The mailbox exists now" }),
  "operator.searchAudit": () => ({}),
  "operator.exportAudit": () => ({}),
  "operator.verifyAudit": () => ({ shard: 0 }),
  "operatorCharges.list": ({ merchantId }) => ({ search: merchantId, states: ["unknown"] }),
  "operatorCharges.get": ({ stuckId }) => ({ chargeId: stuckId }),
  "operatorDisputes.list": ({ merchantId }) => ({ search: merchantId, status: "open", reason: "fraudulent" }),
  "operatorDirectory.list": () => ({ search: "bakery", status: "active" }),
  "operatorDirectory.get": ({ entryId }) => ({ participantId: entryId }),
  "operatorDirectory.suspend": ({ entryId }) => ({ participantId: entryId, reason: "It copies a bank’s name" }),
  "operatorDirectory.resume": ({ entryId }) => ({ participantId: entryId, reason: "The name was changed" }),
  "operatorDirectory.listServer": ({ listableIssuer: issuer }) => ({
    issuer,
    displayName: "Ace Bank",
    legalName: "Ace Bank plc",
    environment: "sandbox",
    reason: "A partner",
  }),
  "operatorDirectory.withdrawServer": ({ listedServerId }) => ({ participantId: listedServerId, reason: "It closes" }),
  "operatorClients.list": ({ merchantId }) => ({ search: merchantId, kind: "merchant", state: "active" }),
  "operatorClients.get": ({ endingClientId }) => ({ clientId: endingClientId }),
  "operatorClients.delete": ({ endingClientId }) => ({ clientId: endingClientId, reason: "It spends for strangers" }),
  "operatorPayers.list": () => ({ search: "payer", state: "active" }),
  "operatorPayers.get": ({ colleagueId }) => ({ accountId: colleagueId }),
  "operatorPayers.signOut": ({ colleagueId }) => ({ accountId: colleagueId, reason: "A laptop was stolen" }),
  "operatorPlans.list": () => undefined,
  "operatorPlans.compare": ({ planId }) => ({ planId }),
  "operatorAgents.tokens": () => ({}),
  "operatorAgents.createToken": () => ({
    label: "Basket Ltd",
    uses: 1,
    ttlSeconds: 3600,
    scopes: ["grant_management_query"],
    reason: "Asked by Basket",
  }),
  "operatorAgents.revokeToken": ({ agentTokenId }) => ({ tokenId: agentTokenId, reason: "Sent to the wrong people" }),
  "operatorBlocklist.list": () => ({ search: "leaked" }),
  "operatorBlocklist.check": () => ({ key: exampleThumbprint }),
  "operatorBlocklist.block": () => ({ key: exampleThumbprint, reason: "Leaked on a public site" }),
  "operatorBlocklist.unblock": ({ thumbprint }) => ({ thumbprint, reason: "It was another key" }),
  "operatorHome.requests": () => ({ range: "day" }),
  "operatorHome.queues": () => undefined,
  "operatorHome.charges": () => ({ range: "day" }),
  "operatorHome.budgets": () => undefined,
  "operatorMandates.list": ({ grantedId }) => ({ search: grantedId }),
  "operatorMandates.get": ({ grantedId }) => ({ mandateId: grantedId }),
  "operatorMandates.suspend": ({ grantedId }) => ({ mandateId: grantedId, reason: "The payer called us" }),
  "operatorMandates.resume": ({ grantedId }) => ({ mandateId: grantedId, reason: "The payer confirmed it" }),
  "operatorMandates.revoke": ({ grantedId }) => ({ mandateId: grantedId, reason: "The payer asked by letter" }),
  "operatorMerchants.list": () => ({ search: "market", standing: "active" }),
  "operatorMerchants.get": ({ merchantId }) => ({ merchantId }),
  "operatorMerchants.suspend": ({ merchantId }) => ({ merchantId, reason: "Payers get no answers" }),
  "operatorMerchants.resume": ({ merchantId }) => ({ merchantId, reason: "They answer again" }),
  // A declined merchant can be approved afterwards.
  "operatorMerchants.decline": ({ pendingMerchantId: merchantId, pendingVersion: version }) => ({
    merchantId,
    version,
    reason: "Sells nothing",
  }),
  "operatorMerchants.approve": ({ pendingMerchantId: merchantId, pendingVersion: version }) => ({
    merchantId,
    version,
    reason: "It sells bread",
  }),
  "operatorMerchants.invite": () => ({ email: "owner@bakery.test", reason: "Asked by phone" }),
  "operatorMerchants.categorize": ({ merchantId }) => ({ merchantId, category: "5812", reason: "They cook now" }),
  "operatorMerchants.removeLogo": ({ merchantId }) => ({ merchantId, hash: "A".repeat(43), reason: "A bank’s logo" }),
  "operatorMerchants.forgetAccount": ({ merchantId }) => ({ merchantId, reason: "Disconnected by mistake" }),
  "operatorMerchants.tokens": ({ merchantId }) => ({ merchantId }),
  "operatorMerchants.revokeToken": ({ merchantId, tokenId }) => ({ merchantId, tokenId, reason: "It was published" }),
  "operatorMaintenance.list": () => ({ search: "database", state: "scheduled" }),
  "operatorMaintenance.get": ({ windowId }) => ({ maintenanceId: windowId }),
  "operatorMaintenance.schedule": () => ({
    ...update(),
    maintenanceId: newId("mtn"),
    title: "A new database",
    components: ["billing_engine"],
    from: "2099-01-01T00:00:00Z",
    to: "2099-01-01T01:00:00Z",
  }),
  "operatorMaintenance.start": ({ windowId }) => ({ ...update(), maintenanceId: windowId }),
  "operatorMaintenance.complete": ({ windowId }) => ({ ...update(), maintenanceId: windowId }),
  "operatorMaintenance.cancel": ({ spareWindowId }) => ({ ...update(), maintenanceId: spareWindowId }),
  "operatorMaintenance.update": ({ laterWindowId }) => ({ ...update(), maintenanceId: laterWindowId }),
  "operatorReconciliation.list": ({ merchantId }) => ({ merchantId, day: "2026-11-25", isDifferent: true }),
  "operatorReconciliation.compareAgain": () => ({ day: "2026-11-25", reason: "Fixed it" }),
  "operatorSecondFactor.step": () => undefined,
  "operatorSecondFactor.begin": () => undefined,
  "operatorSecondFactor.enter": () => ({ code: "123456" }),
  "operatorService.jobs": () => ({ search: "audit" }),
  "operatorService.retryJob": ({ runId }) => ({ runId, reason: "Fixed it" }),
  "operatorService.signingKeys": () => undefined,
  "operatorService.rotateSigningKey": () => ({ purpose: "directory", reason: "A drill" }),
  "operatorService.revokeSigningKey": ({ kid }) => ({ kid, reason: "A drill" }),
  "operatorService.settings": () => undefined,
  "operatorTeam.list": () => undefined,
  "operatorTeam.invite": () => ({ email: "new@example.test", role: "viewer", reason: "Joined the team" }),
  "operatorTeam.changeRole": ({ colleagueId }) => ({ accountId: colleagueId, role: "support", reason: "Moved team" }),
  "operatorTeam.remove": ({ colleagueEmail }) => ({ email: colleagueEmail, reason: "Left the team" }),
  "operatorStatus.budgets": () => undefined,
  "operatorStatus.incidents": () => ({ search: "charges", state: "draft" }),
  "operatorStatus.components": () => undefined,
  "operatorStatus.incident": ({ incidentId }) => ({ incidentId }),
  "operatorStatus.openIncident": () => ({ ...incident, ...update(), incidentId: newId("inc"), startedAt: null }),
  "operatorStatus.confirmIncident": ({ draftId }) => ({ ...incident, ...update(), incidentId: draftId }),
  "operatorStatus.dismissIncident": ({ strayId }) => ({ ...update(), incidentId: strayId }),
  "operatorStatus.updateIncident": ({ incidentId }) => ({ ...incident, ...update(), incidentId }),
  "operatorStatus.writePostmortem": ({ resolvedId }) => ({
    incidentId: resolvedId,
    summary: "It was slow.",
    timeline: "",
    causes: "",
    actions: [],
    seen: null,
    isPublished: false,
    reason: "A first draft",
  }),
  "operatorStatus.completeAction": ({ postmortemIncidentId, actionId }) => ({
    incidentId: postmortemIncidentId,
    actionId,
    reason: "Deployed",
  }),
  "operatorStatus.resolveIncident": ({ endingId }) => ({ ...update(), incidentId: endingId }),
};

/** The procedures that name one object by its id. */
export const operatorsById: ReadonlySet<string> = new Set([
  ...billingById,
  "operatorCharges.get",
  "operatorDirectory.get",
  "operatorDirectory.suspend",
  "operatorDirectory.resume",
  "operatorDirectory.withdrawServer",
  "operatorClients.get",
  "operatorClients.delete",
  "operatorPayers.get",
  "operatorPayers.signOut",
  "operatorPlans.compare",
  "operator.searchCharge",
  "operator.settleCharge",
  "operator.closeContradiction",
  "operator.mail",
  "operator.mailTexts",
  "operatorAgents.revokeToken",
  "operator.retryMail",
  "operatorBlocklist.unblock",
  "operatorMandates.get",
  "operatorMandates.suspend",
  "operatorMandates.resume",
  "operatorMandates.revoke",
  "operatorMerchants.get",
  "operatorMerchants.suspend",
  "operatorMerchants.resume",
  "operatorMerchants.decline",
  "operatorMerchants.approve",
  "operatorMerchants.categorize",
  "operatorMerchants.removeLogo",
  "operatorMerchants.forgetAccount",
  "operatorMerchants.revokeToken",
  "operatorTeam.changeRole",
  "operatorTeam.remove",
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
