import { hashPassword } from "../../accounts/sign-in/passwords.ts";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertMerchant } from "../../data/merchants/merchants.ts";
import { insertClient } from "../../data/oauth/clients.ts";
import { insertConsent } from "../../data/oauth/consents.ts";
import { insertGrant } from "../../data/oauth/grants.ts";
import { insertRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import {
  findProbePaymentMethod,
  insertProbePayer,
  lockProbe,
  type ProbeParties,
  type ProbeRow,
  saveProbeParties,
  setProbeKeys,
} from "../../data/status/status-probe.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { thumbprintHashes } from "../../oauth/client-keys/key-thumbprints.ts";
import { endGrant } from "../../oauth/grants/end-grant.ts";
import { agentRedirectUri, probeDetails, probeSeconds } from "../rules/probes/probe-renewal.ts";

type ActorContext = { actor: Actor; requestId: string };
type Tenants = Omit<ProbeParties, "grantId" | "mandateId" | "grantedHash">;

/** The authentication context of the probe's consent: no user was authenticated. */
const probeAcr = "urn:paygrant:acr:probe";
const consentText =
  "The status page’s probe may verify with its own client whether a payment of 0.01 EUR to its own merchant would be allowed. This consent allows no charges.";

/**
 * Grants what the status process requested for its synthetic journeys: a separate payer, merchant and clients, and a
 * mandate that allows no charge. The clients are bound to keys and a secret that only the status process has. Each
 * request is granted once and ends the previous grant.
 * @returns whether something was granted.
 */
export const grantProbe = async (deps: Deps, by: ActorContext): Promise<boolean> => {
  const now = await deps.businessClock.now();
  return deps.db.transaction(async (tx) => {
    const probe = await lockProbe(tx.sql);
    if (!probe || probe.grantedHash === probe.requestedHash) return false;
    const tenants = await (hasTenants(probe) ? updateProbeKeys(tx, probe) : createTenants(deps, tx, probe));
    if (probe.grantId !== null) await endPreviousGrant(deps, tx, { grantId: probe.grantId, tenants, by });
    const granted = await insertProbeConsent(deps, tx, { tenants, requestedHash: probe.requestedHash, now, by });
    await saveProbeParties(tx, { ...tenants, ...granted, grantedHash: probe.requestedHash });
    await appendAudit(tx.sql, {
      at: deps.clock.now(),
      ...by,
      action: "probe.consented",
      subjectId: granted.mandateId,
      data: { grant_id: granted.grantId, agent_client_id: tenants.agentClientId, merchant_id: tenants.merchantId },
    });
    return true;
  });
};

const hasTenants = (probe: ProbeRow): probe is ProbeRow & Tenants =>
  [probe.payerId, probe.merchantId, probe.agentClientId, probe.merchantClientId].every((id) => id !== null);

type PublicKey = ProbeRow["agentKey"];

const keysOf = async (key: PublicKey) => ({
  jwks: { keys: [{ ...key }] },
  keyThumbprintHashes: await thumbprintHashes([key], "jwks"),
});

const updateProbeKeys = async (tx: Tx, probe: ProbeRow & Tenants): Promise<Tenants> => {
  const { payerId, merchantId, agentClientId, merchantClientId } = probe;
  await setProbeKeys(tx, { id: agentClientId, ...(await keysOf(probe.agentKey)) });
  await setProbeKeys(tx, { id: merchantClientId, ...(await keysOf(probe.merchantKey)) });
  return { payerId, merchantId, agentClientId, merchantClientId };
};

const createTenants = async (deps: Deps, tx: Tx, probe: ProbeRow): Promise<Tenants> => {
  const at = deps.clock.now();
  const [payerId, merchantId] = [newId("acc"), newId("mch")];
  await insertProbePayer(tx, {
    id: payerId,
    email: `${payerId.toLowerCase()}@probe.invalid`,
    displayName: "Status probe",
    at,
    passwordHash: await hashPassword(newSecret()),
    paymentMethodId: newId("pm"),
  });
  await insertMerchant(tx, {
    id: merchantId,
    displayName: "Status probe",
    legalName: "Status probe",
    mcc: "7372",
    isProbe: true,
    processor: "none",
    processorAccount: "none",
    createdAt: at,
  });
  return {
    payerId,
    merchantId,
    agentClientId: await insertProbeClient(deps, tx, { kind: "agent", key: probe.agentKey, merchantId: null }),
    merchantClientId: await insertProbeClient(deps, tx, { kind: "merchant", key: probe.merchantKey, merchantId }),
  };
};

type ProbeClient = { kind: "agent" | "merchant"; key: PublicKey; merchantId: string | null };

/** @returns the client's id. */
const insertProbeClient = async (deps: Deps, tx: Tx, { kind, key, merchantId }: ProbeClient): Promise<string> => {
  const id = newId(deps.config.environment === "sandbox" ? "cl_test" : "cl_live");
  const isAgent = kind === "agent";
  const name = `Status probe, as ${isAgent ? "an agent" : "a merchant"}`;
  const redirectUris = isAgent ? [agentRedirectUri] : [];
  const grantTypes = isAgent ? ["authorization_code", "refresh_token"] : ["client_credentials"];
  const scopes = isAgent ? [] : ["mandates.verify", "billing.read"];
  const { jwks, keyThumbprintHashes } = await keysOf(key);
  const metadata = {
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    scope: scopes.join(" "),
    token_endpoint_auth_method: "private_key_jwt",
    dpop_bound_access_tokens: isAgent,
    jwks,
  };
  await insertClient(tx, {
    id,
    kind,
    merchantId,
    participantId: null,
    name,
    metadata,
    redirectUris,
    grantTypes,
    scopes,
    jwks,
    jwksUri: null,
    keyThumbprintHashes,
    assertionAlg: null,
    dpopBound: isAgent,
    createdAt: deps.clock.now(),
    // The token is never returned, because this client isn't managed through RFC 7592.
    registrationTokenHash: sha256Base64url(newSecret()),
    initialAccessTokenId: null,
    allowedScopes: scopes,
    isProbe: true,
  });
  return id;
};

/** The audit entry names the payer as actor, as for the consent. */
const endPreviousGrant = async (
  deps: Deps,
  tx: Tx,
  { grantId, tenants, by }: { grantId: string; tenants: Tenants; by: ActorContext },
): Promise<void> => {
  await endGrant(deps, tx.sql, {
    grantId,
    actor: { kind: "payer", id: tenants.payerId },
    requestId: by.requestId,
    reason: "replaced by a new consent of the status page's probe",
  });
};

type ProbeConsent = { tenants: Tenants; requestedHash: string; now: BusinessTime; by: ActorContext };

/** Writes the rows that a payer's consent would write, and the refresh token that the client would receive. */
const insertProbeConsent = async (deps: Deps, tx: Tx, { tenants, requestedHash, now, by }: ProbeConsent) => {
  const { payerId, merchantId, agentClientId: clientId } = tenants;
  const [grantId, mandateId, consentId] = [newId("grt"), newId("mdt"), newId("con")];
  const at = deps.clock.now();
  await insertGrant(tx, { id: grantId, clientId, payerId, scopes: [], createdAt: now });
  await activateMandates(deps, tx, {
    requestId: by.requestId,
    grantId,
    clientId,
    payerId,
    mandateIds: [mandateId],
    budgetVisible: false,
    now,
    paymentMethodId: await findProbePaymentMethod(tx, payerId),
    details: [probeDetails({ merchantId, validUntil: addSeconds(now, probeSeconds) })],
  });
  await insertConsent(tx, {
    id: consentId,
    grantId,
    payerId,
    clientId,
    sessionId: by.actor.id,
    decision: "approve",
    locale: "en-GB",
    text: consentText,
    textHash: sha256Base64url(consentText),
    createdAt: now,
  });
  await insertRefreshToken(tx.sql, {
    secretHash: requestedHash,
    familyId: grantId,
    grantId,
    clientId,
    scopes: [],
    authTime: at,
    acr: probeAcr,
    createdAt: at,
    expiresAt: addSeconds(at, probeSeconds),
  });
  return { grantId, mandateId };
};
