import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Deps } from "#server/deps/deps.ts";
import { newId } from "#server/kernel/ids.ts";

/** Rows as the product would write them. Every call creates new rows. */
export const makePayer = async (deps: Deps) => {
  const id = newId("acc");
  const now = deps.clock.now();
  await deps.db.prisma.account.create({
    data: {
      id,
      email: `${id.toLowerCase()}@example.test`,
      displayName: "Test Payer",
      passwordHash: "-",
      createdAt: now,
    },
  });
  const paymentMethodId = newId("pm");
  await deps.db.prisma.paymentMethod.create({
    data: {
      id: paymentMethodId,
      payerId: id,
      processor: "simulator",
      processorRef: "pm_card_visa",
      type: "card",
      label: "Visa ending in 4242",
      isDefault: true,
      createdAt: now,
    },
  });
  return { id, paymentMethodId };
};

export const makeMerchant = async (deps: Deps, options: { mcc?: string } = {}) => {
  const id = newId("mch");
  await deps.db.prisma.merchant.create({
    data: {
      id,
      displayName: "Fresh Market",
      legalName: "Fresh Market Ltd",
      mcc: options.mcc ?? "5411",
      processor: "simulator",
      processorAccount: `acct_${id}`,
      createdAt: deps.clock.now(),
    },
  });
  return { id };
};

export type TestClient = { id: string; privateKey: CryptoKey; publicJwk: JWK };

const makeClient = async (
  deps: Deps,
  kind: { kind: "agent" } | { kind: "merchant"; merchantId: string },
): Promise<TestClient> => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid: "test", alg: "ES256", use: "sig" };
  const id = newId(deps.config.environment === "sandbox" ? "cl_test" : "cl_live");
  const isAgent = kind.kind === "agent";
  const redirectUris = isAgent ? ["http://127.0.0.1:9/callback"] : [];
  const grantTypes = isAgent ? ["authorization_code", "refresh_token"] : ["client_credentials"];
  const scopes = isAgent
    ? ["grant_management_query", "grant_management_revoke"]
    : ["mandates.verify", "charges.write", "charges.read", "refunds.write"];
  await deps.db.prisma.client.create({
    data: {
      id,
      kind: kind.kind,
      merchantId: kind.kind === "merchant" ? kind.merchantId : null,
      name: isAgent ? "Grocer Bot" : "Fresh Market checkout",
      metadata: {},
      redirectUris,
      grantTypes,
      scopes,
      jwks: { keys: [publicJwk as Record<string, string>] },
      dpopBound: isAgent,
      registrationTokenHash: "-",
      createdAt: deps.clock.now(),
    },
  });
  return { id, privateKey, publicJwk };
};

export const makeAgentClient = (deps: Deps) => makeClient(deps, { kind: "agent" });
export const makeMerchantClient = (deps: Deps, merchantId: string) =>
  makeClient(deps, { kind: "merchant", merchantId });

export const makeGrant = async (deps: Deps, input: { clientId: string; payerId: string }) => {
  const id = newId("grt");
  await deps.db.prisma.grant.create({ data: { id, ...input, scopes: [], createdAt: deps.clock.now() } });
  return { id };
};
