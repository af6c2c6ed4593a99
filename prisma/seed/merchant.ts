import { createHash } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { insertMerchant } from "#server/data/merchants/merchants.ts";
import { insertClient } from "#server/data/oauth/clients.ts";
import type { Deps } from "#server/deps/deps.ts";
import { enrolParticipant } from "#server/directory/participants/enrol-participant.ts";
import { recordVersion } from "#server/directory/participants/record-version.ts";
import { sha256Base64url } from "#server/kernel/crypto/hash.ts";
import { newId, newSecret } from "#server/kernel/ids.ts";
import { scopesOfKind } from "#server/oauth/rules/scopes.ts";

type SeededClient = { id: string; keyId: string };

export type Shop = { merchantId: string; checkout: SeededClient; agentClientId: string };

/** The merchant's legal name, also on its invoices. */
export const legalName = "Fresh Market Demo GmbH";

type ClientSeed = { kind: "agent" | "merchant"; merchantId: string | null; name: string; createdAt: Date };

/** Creates a client of the demo. Its private key is discarded, because the demo never acts as a client. */
const seedClient = async (deps: Deps, { kind, merchantId, name, createdAt }: ClientSeed): Promise<SeededClient> => {
  const { publicKey } = await generateKeyPair("ES256", { extractable: true });
  const { kty = "", crv = "", x = "", y = "" } = await exportJWK(publicKey);
  const thumbprint = await calculateJwkThumbprint({ kty, crv, x, y });
  const jwks = { keys: [{ kty, crv, x, y, kid: thumbprint, alg: "ES256", use: "sig" }] };
  const isAgent = kind === "agent";
  const id = newId(deps.config.environment === "sandbox" ? "cl_test" : "cl_live");
  const redirectUris = isAgent ? ["http://127.0.0.1:8765/callback"] : [];
  const grantTypes = isAgent ? ["authorization_code", "refresh_token"] : ["client_credentials"];
  const scopes = scopesOfKind(kind);
  const metadata = {
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    scope: scopes.join(" "),
    token_endpoint_auth_method: "private_key_jwt",
    dpop_bound_access_tokens: isAgent,
    jwks,
  };
  // The directory's log can't be extended in the past, so its entries have the current time.
  const at = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const participantId = await enrolParticipant(tx.sql, { merchantId, participantId: null, name, at });
    await insertClient(tx, {
      id,
      kind,
      merchantId,
      participantId,
      name,
      metadata,
      redirectUris,
      grantTypes,
      scopes,
      jwks,
      createdAt,
      keyThumbprintHashes: [createHash("sha256").update(thumbprint).digest("base64url")],
      jwksUri: null,
      assertionAlg: null,
      dpopBound: isAgent,
      registrationTokenHash: sha256Base64url(newSecret()),
      initialAccessTokenId: null,
      allowedScopes: null,
    });
    await recordVersion(tx.sql, {
      id: participantId,
      change: "client_registered",
      changedBy: "system",
      at,
      environment: deps.config.environment,
    });
  });
  return { id, keyId: thumbprint };
};

/** The merchant with its member and two clients, and the agent of the payer's mandates. */
export const seedShop = async (deps: Deps, memberId: string, at: Date): Promise<Shop> => {
  const merchantId = newId("mch");
  await deps.db.transaction(async (tx) => {
    await insertMerchant(tx, {
      id: merchantId,
      displayName: "Fresh Market",
      legalName,
      mcc: "5411",
      processor: "simulator",
      processorAccount: `acct_${merchantId}`,
      createdAt: at,
    });
    await tx.merchantMember.create({ data: { merchantId, accountId: memberId, role: "owner", createdAt: at } });
  });
  const checkout = await seedClient(deps, {
    kind: "merchant",
    merchantId,
    name: "Fresh Market checkout",
    createdAt: at,
  });
  await seedClient(deps, { kind: "merchant", merchantId, name: "Fresh Market back office", createdAt: at });
  const agent = await seedClient(deps, {
    kind: "agent",
    merchantId: null,
    name: "Basket, the shopping agent",
    createdAt: at,
  });
  return { merchantId, checkout, agentClientId: agent.id };
};
