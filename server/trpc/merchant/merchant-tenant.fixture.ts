import { randomInt } from "node:crypto";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { addVerifiedDomain } from "#e2e/support/oauth/software-statement.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import type { MerchantRole } from "../../accounts/authorize.ts";
import { cardSetupTimes } from "../../accounts/payment-methods/card-setup-times.ts";
import { createBudgetAlert } from "../../billing/budgets/create-budget-alert.ts";
import { makeDraft } from "../../billing/invoices/invoice.fixture.ts";
import { applyPlans, assign, testPlans } from "../../billing/subscriptions/subscription.fixture.ts";
import { makeChargeableMandate } from "../../charges/charge/charge-setup.fixture.ts";
import { insertBillingCardSetup } from "../../data/billing/collection/card-setups.ts";
import { findInvoiceLineRows } from "../../data/billing/invoices/lines.ts";
import { insertApiLogs } from "../../data/merchants/api-logs.ts";
import { appendEvent, type EventType } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { enrolMerchant } from "../../directory/participants/enrol-participant.ts";
import { offerTransfer } from "../../directory/transfers/offer-transfer.ts";
import { dispatchEvents } from "../../jobs/messages/dispatch-events.ts";
import { newId } from "../../kernel/ids.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import { makePng } from "../../merchants/rules/logo/png.fixture.ts";
import { inviteMember } from "../../merchants/team/invite-member.ts";
import { createAgentToken } from "../../oauth/initial-tokens/agent-tokens.ts";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import { registerOwnClient } from "../../oauth/own-clients/register-own-client.ts";
import { issueSoftwareStatement } from "../../oauth/software-statements/issue-software-statement.ts";
import { findDeliveries } from "../../webhooks/deliveries/find-deliveries.ts";
import { createMerchantEndpoint } from "../../webhooks/endpoints/create-endpoint.ts";

export type MerchantTenant = {
  merchantId: string;
  endpointId: string;
  deliveryId: string;
  authorizedId: string;
  paidId: string;
  /** the mandate of the charges */
  usedMandateId: string;
  tokenId: string;
  /** a software statement */
  statementId: string;
  /** a token for agents */
  botTokenId: string;
  /** a viewer; another member is an owner */
  memberId: string;
  /** another merchant offers its directory entry */
  offerId: string;
  offeringId: string;
  /** the offer of its own entry to that merchant */
  ownOfferId: string;
  invitationId: string;
  clientId: string;
  requestId: string;
  invoiceId: string;
  lineId: string;
  /** a budget alert */
  alertId: string;
  /** an open card setup: a page of the processor where a card for invoices can be entered */
  cardSetupId: string;
};

/** Creates a member of a merchant. @returns the account id. */
export const makeMember = async (deps: Deps, merchantId: string, role: MerchantRole): Promise<string> => {
  const { id: accountId } = await makePayer(deps);
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role, createdAt: deps.clock.now() } });
  return accountId;
};

/** Creates a merchant with an authorized charge and a paid charge. */
export const makeCharges = async (deps: TestDeps) => {
  const { merchant, mandateId: usedMandateId, charge } = await makeChargeableMandate(deps);
  const { chargeId: authorizedId } = await charge({ capture_method: "manual" });
  const { chargeId: paidId } = await charge();
  return { merchantId: merchant.id, authorizedId, paidId, usedMandateId };
};

/** A merchant with a directory entry. */
const makeEnrolledMerchant = async (deps: Deps): Promise<string> => {
  const { id: merchantId } = await makeMerchant(deps);
  const { environment } = deps.config;
  const entry = { merchantId, changedBy: "operator", environment, at: deps.clock.now() } as const;
  await deps.db.sqlTransaction((sql) => enrolMerchant(sql, entry));
  return merchantId;
};

/** A merchant with an endpoint, a delivery, an initial access token, and the given charges. */
export const makeMerchantTenant = async (
  deps: TestDeps,
  charges: Pick<MerchantTenant, "merchantId" | "authorizedId" | "paidId" | "usedMandateId"> | null = null,
): Promise<MerchantTenant> => {
  const merchantId = charges?.merchantId ?? (await makeMerchant(deps)).id;
  const by = { actor: { kind: "system", id: "test" }, requestId: "req_test" } as const;
  const { endpointId } = await createMerchantEndpoint(deps, { merchantId, url: "https://shop.example/hooks", ...by });
  const event = { type: "invoice.paid" as EventType, objectId: `inv_${merchantId}`, at: deps.clock.now() };
  await appendEvent(deps.db.sql, { ...event, data: { merchant_id: merchantId } });
  await dispatchEvents(deps);
  const { deliveries } = await findDeliveries(deps, { ownerId: merchantId, eventType: "invoice.paid", limit: 1 });
  await makeMember(deps, merchantId, "owner");
  const email = `${merchantId.toLowerCase()}@example.test`;
  const { invitationId } = await inviteMember(deps, { merchantId, email, role: "viewer", ...by });
  await deps.db.prisma.merchantInvitation.updateMany({ data: { sentAt: new Date(0) } });
  const deliveryId = deliveries[0]?.id;
  if (deliveryId === undefined) throw new Error("no delivery was created");
  const app = { name: "Back office", scopes: ["charges.read"], jwk };
  const requestId = newId("req");
  await insertApiLogs(deps.db.sql, [
    {
      merchantId,
      requestId,
      at: deps.clock.now(),
      clientId: "cl_live_shop",
      method: "GET",
      path: "/merchant_test/charges",
      query: null,
      status: 200,
      milliseconds: 4,
      requestBody: null,
      responseBody: "{}",
    },
  ]);
  await applyPlans(deps, testPlans(dayIn("UTC", deps.clock.now())));
  await assign(deps, merchantId, { planId: "pro" });
  const { invoiceId } = await makeDraft(deps, { merchantId });
  const [line] = await findInvoiceLineRows(deps.db.sql, invoiceId);
  const cardSetupId = newId("bcs");
  await insertBillingCardSetup(deps.db.sql, {
    id: cardSetupId,
    merchantId,
    processor: "stripe",
    setupRef: cardSetupId,
    begunBy: "acc_owner",
    ...cardSetupTimes(deps.clock.now()),
  });
  const { clientId } = await registerOwnClient(deps, { merchantId, ...app, ...by });
  const { id: participantId } = await deps.db.prisma.participant.findUniqueOrThrow({ where: { merchantId } });
  await addVerifiedDomain(deps, { participantId, domain: "shop.example" });
  const offeringId = await makeEnrolledMerchant(deps);
  const offer = { merchantId: offeringId, toMerchantId: merchantId, ...by };
  return {
    merchantId,
    offeringId,
    offerId: (await offerTransfer(deps, offer)).transferId,
    ownOfferId: (await offerTransfer(deps, { merchantId, toMerchantId: offeringId, ...by })).transferId,
    requestId,
    invoiceId,
    cardSetupId,
    clientId,
    botTokenId: (await createAgentToken(deps, { participantId, clientId, requestId, options: {} })).id,
    lineId: line?.id ?? "",
    alertId: (await createBudgetAlert(deps, { merchantId, ...budget(), amountMinor: 1n, ...by })).alertId,
    endpointId,
    deliveryId,
    invitationId,
    memberId: await makeMember(deps, merchantId, "viewer"),
    tokenId: (await createInitialAccessToken(deps, { kind: "merchant", merchantId, ...by })).id,
    statementId: (await issueSoftwareStatement(deps, { merchantId, software, ttlSeconds: 3600, ...by })).id,
    authorizedId: charges?.authorizedId ?? "",
    paidId: charges?.paidId ?? "",
    usedMandateId: charges?.usedMandateId ?? "",
  };
};

/** Each budget alert has a random amount, because two alerts of a merchant can't have the same threshold. */
const budget = () => ({
  name: "Budget",
  currency: "EUR",
  amountMinor: randomInt(2, 1_000_000_000),
  percent: null,
  sendsMail: true,
  sendsWebhook: true,
});

const usagePeriod = { from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" };

const idempotencyKey = "0123456789abcdef";
const url = "https://shop.example/other";

const jwk = {
  kty: "EC",
  crv: "P-256",
  kid: "first",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};
const software = {
  softwareId: "checkout",
  clientName: "Checkout",
  redirectUris: ["https://app.shop.example/callback"],
  jwks: { keys: [jwk] },
  jwksUri: null,
};
const token = { label: "Deployment", uses: 1, ttlSeconds: 3600, scopes: ["charges.read"] };

/** The input of each procedure for members of a merchant. */
export const memberInputs: Readonly<Record<string, (tenant: MerchantTenant) => unknown>> = {
  "apps.list": ({ merchantId }) => ({ merchantId }),
  "apps.register": ({ merchantId }) => ({ merchantId, name: "Checkout", scopes: ["charges.read"], jwk }),
  "apps.app": ({ clientId }) => ({ clientId }),
  "apps.edit": ({ clientId }) => ({ clientId, name: "Checkout", scopes: ["charges.read"], jwksUri: null }),
  "apps.addKey": ({ clientId }) => ({ clientId, jwk, endsOthers: false }),
  "apps.removeKey": ({ clientId }) => ({ clientId, thumbprint: "none" }),
  "apps.delete": ({ clientId }) => ({ clientId }),
  "apps.tokens": ({ merchantId }) => ({ merchantId }),
  "apps.createToken": ({ merchantId }) => ({ merchantId, ...token }),
  "apps.revokeToken": ({ tokenId }) => ({ tokenId }),
  "softwareStatements.list": ({ merchantId }) => ({ merchantId }),
  "softwareStatements.issue": ({ merchantId }) => ({ merchantId, ...software, ttlSeconds: 3600 }),
  "softwareStatements.revoke": ({ statementId }) => ({ statementId }),
  "merchantBilling.plan": ({ merchantId }) => ({ merchantId }),
  "merchantBilling.invoices": ({ merchantId }) => ({ merchantId }),
  "merchantBilling.invoice": ({ merchantId, invoiceId }) => ({ merchantId, invoiceId }),
  "merchantBilling.lineEvents": ({ merchantId, invoiceId, lineId }) => ({ merchantId, invoiceId, lineId }),
  "merchantBudgets.list": ({ merchantId }) => ({ merchantId }),
  "merchantBudgets.alert": ({ merchantId, alertId }) => ({ merchantId, alertId }),
  "merchantBudgets.currencies": ({ merchantId }) => ({ merchantId }),
  "merchantBudgets.create": ({ merchantId }) => ({ merchantId, ...budget() }),
  "merchantBudgets.update": ({ merchantId, alertId }) => ({ merchantId, alertId, ...budget() }),
  "merchantBudgets.delete": ({ merchantId, alertId }) => ({ merchantId, alertId }),
  "merchantLedger.credits": ({ merchantId }) => ({ merchantId }),
  "merchantLedger.statement": ({ merchantId }) => ({ merchantId }),
  "merchantCollection.method": ({ merchantId }) => ({ merchantId }),
  "merchantCollection.setMethod": ({ merchantId }) => ({ merchantId, card: "visa" }),
  "merchantCollection.addCard": ({ merchantId }) => ({ merchantId }),
  "merchantCollection.finishCard": ({ merchantId, cardSetupId }) => ({ merchantId, setupId: cardSetupId }),
  "merchantCollection.unpaid": ({ merchantId }) => ({ merchantId }),
  "merchantCollection.ofInvoice": ({ merchantId, invoiceId }) => ({ merchantId, invoiceId }),
  "merchantCollection.pay": ({ merchantId, invoiceId }) => ({ merchantId, invoiceId }),
  "merchantTax.details": ({ merchantId }) => ({ merchantId }),
  "merchantTax.save": ({ merchantId }) => ({
    merchantId,
    seenVersion: 0,
    legalName: "Shop",
    line1: "Main 1",
    line2: "",
    postalCode: "",
    city: "Berlin",
    country: "DE",
    vatNumber: "",
  }),
  "merchantPlans.compare": ({ merchantId }) => ({ merchantId }),
  "merchantPlans.preview": ({ merchantId }) => ({ merchantId, planId: "pro", effective: "now" }),
  "merchantPlans.change": ({ merchantId }) => ({
    merchantId,
    planId: "pro",
    effective: "period_end",
    hash: "0".repeat(64),
  }),
  "merchantPlans.withdraw": ({ merchantId }) => ({ merchantId }),
  "merchantPlans.cancel": ({ merchantId }) => ({ merchantId, ends: "period_end" }),
  "merchantUsage.windows": ({ merchantId }) => ({
    merchantId,
    meter: "tokens_issued",
    window: "day",
    timeZone: "UTC",
    ...usagePeriod,
  }),
  "merchantUsage.events": ({ merchantId }) => ({ merchantId, meter: "tokens_issued", ...usagePeriod }),
  "merchantDirectory.entry": ({ merchantId }) => ({ merchantId }),
  "merchantDirectory.history": ({ merchantId }) => ({ merchantId }),
  "merchantDirectory.health": ({ merchantId }) => ({ merchantId }),
  "merchantDirectory.edit": ({ merchantId }) => ({
    merchantId,
    etag: "",
    websiteUri: "",
    logoUri: "",
    contacts: "",
    metadataUris: "",
    maxChargeAmounts: "",
  }),
  "merchantDirectory.withdraw": ({ merchantId }) => ({ merchantId }),
  "merchantDirectory.listAgain": ({ merchantId }) => ({ merchantId }),
  "merchantDirectory.claim": ({ merchantId }) => ({ merchantId, domain: "second.example" }),
  "merchantDirectory.check": ({ merchantId }) => ({ merchantId, domain: "shop.example" }),
  "merchantDirectory.remove": ({ merchantId }) => ({ merchantId, domain: "shop.example" }),
  "merchantDirectory.tokens": ({ merchantId }) => ({ merchantId }),
  "merchantDirectory.createToken": ({ merchantId }) => ({
    merchantId,
    ...token,
    scopes: ["grant_management_query"],
  }),
  "merchantDirectory.revokeToken": ({ merchantId, botTokenId }) => ({ merchantId, tokenId: botTokenId }),
  "entryFederation.entity": ({ merchantId }) => ({ merchantId }),
  "entryFederation.register": ({ merchantId }) => ({ merchantId, entityId: "https://shop.example" }),
  "entryFederation.remove": ({ merchantId }) => ({ merchantId }),
  "entryTransfers.open": ({ merchantId }) => ({ merchantId }),
  "entryTransfers.recipient": ({ merchantId, offeringId }) => ({ merchantId, toMerchantId: offeringId }),
  "entryTransfers.offer": ({ merchantId, offeringId }) => ({ merchantId, toMerchantId: offeringId }),
  "entryTransfers.cancel": ({ merchantId, ownOfferId }) => ({ merchantId, transferId: ownOfferId }),
  "entryTransfers.accept": ({ merchantId, offerId }) => ({ merchantId, transferId: offerId }),
  "entryTransfers.decline": ({ merchantId, offerId }) => ({ merchantId, transferId: offerId }),
  "merchantMandates.list": ({ merchantId }) => ({ merchantId }),
  "merchantMandates.mandate": ({ merchantId, usedMandateId }) => ({ merchantId, mandateId: usedMandateId }),
  "merchantAudit.list": ({ merchantId }) => ({ merchantId }),
  "disputes.list": ({ merchantId }) => ({ merchantId }),
  "logs.list": ({ merchantId }) => ({ merchantId }),
  "logs.log": ({ requestId }) => ({ requestId }),
  "settings.read": ({ merchantId }) => ({ merchantId }),
  "settings.saveDetails": ({ merchantId }) => ({ merchantId, version: "v".repeat(43) }),
  "settings.saveDescriptor": ({ merchantId }) => ({ merchantId, version: "v".repeat(43), statementDescriptor: "" }),
  "settings.saveColor": ({ merchantId }) => ({ merchantId, version: "v".repeat(43), accentColor: "" }),
  "settings.saveLogo": ({ merchantId }) => ({
    merchantId,
    content: makePng(64, 64).toString("base64"),
    replaces: null,
  }),
  "settings.removeLogo": ({ merchantId }) => ({ merchantId, replaces: null }),
  "team.list": ({ merchantId }) => ({ merchantId }),
  "team.invite": ({ merchantId }) => ({ merchantId, email: "new@example.test", role: "viewer" }),
  "team.resend": ({ merchantId, invitationId }) => ({ merchantId, invitationId }),
  "team.cancel": ({ merchantId, invitationId }) => ({ merchantId, invitationId }),
  "team.changeRole": ({ merchantId, memberId }) => ({ merchantId, accountId: memberId, role: "developer" }),
  "team.remove": ({ merchantId, memberId }) => ({ merchantId, accountId: memberId }),
  "team.leave": ({ merchantId }) => ({ merchantId }),
  "team.transfer": ({ merchantId, memberId }) => ({ merchantId, accountId: memberId }),
  "payments.overview": ({ merchantId }) => ({ merchantId }),
  "payments.list": ({ merchantId }) => ({ merchantId }),
  "payments.payment": ({ paidId }) => ({ chargeId: paidId }),
  "payments.capture": ({ authorizedId }) => ({ chargeId: authorizedId, idempotencyKey }),
  "payments.void": ({ authorizedId }) => ({ chargeId: authorizedId, idempotencyKey }),
  "payments.refund": ({ paidId }) => ({ chargeId: paidId, idempotencyKey, amountMinor: 1, reason: "duplicate" }),
  "processor.account": ({ merchantId }) => ({ merchantId }),
  "processor.check": ({ merchantId }) => ({ merchantId }),
  "processor.connect": ({ merchantId }) => ({ merchantId }),
  "webhooks.endpoints": ({ merchantId }) => ({ merchantId }),
  "webhooks.endpoint": ({ endpointId }) => ({ endpointId }),
  "webhooks.create": ({ merchantId }) => ({ merchantId, url, eventTypes: [] }),
  "webhooks.update": ({ endpointId }) => ({ endpointId, url, eventTypes: ["charge.succeeded"] }),
  "webhooks.switch": ({ endpointId }) => ({ endpointId, isOn: true }),
  "webhooks.delete": ({ endpointId }) => ({ endpointId }),
  "webhooks.rotateSecret": ({ endpointId }) => ({ endpointId }),
  "webhooks.deliveries": ({ merchantId }) => ({ merchantId }),
  "webhooks.delivery": ({ deliveryId }) => ({ deliveryId }),
  "webhooks.sendTest": ({ endpointId }) => ({ endpointId, eventType: "charge.succeeded" }),
  "firstSteps.progress": ({ merchantId }) => ({ merchantId }),
  "webhooks.replay": ({ deliveryId }) => ({ deliveryId }),
};
