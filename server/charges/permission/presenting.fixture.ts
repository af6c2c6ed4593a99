import { createHash } from "node:crypto";
import { type CryptoKey, calculateJwkThumbprint, type JWK, SignJWT } from "jose";
import { type Signer, signProof } from "#e2e/support/oauth/oauth-client.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { issueMandateCredential } from "../../credentials/issue-mandate-credential.ts";
import type { AuthorizationDetails } from "../../kernel/authorization-details.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { signMandateToken } from "../../oauth/tokens/sign-access-token.ts";
import { requestCharge } from "../charge/answers.fixture.ts";
import type { ChargeRequest } from "../charge/charge.wire.ts";
import type { makeChargeableMandate } from "../charge/charge-setup.fixture.ts";
import { verifyMandate } from "./verify-mandate.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

/** The credential as the agent fetches it: with all disclosures and without key binding. */
export const fetchCredential = async (
  deps: TestDeps,
  { mandateId, agent }: Setup,
  confirmationKey: JWK | null = agent.publicJwk,
): Promise<string> => {
  const { kty, crv, x, y } = confirmationKey ?? {};
  const { details } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } });
  return issueMandateCredential(deps, {
    mandateId,
    clientId: agent.id,
    format: "dc+sd-jwt",
    requestId: "req_test",
    held: { ...(details as AuthorizationDetails), identifier: mandateId },
    confirmationKey: confirmationKey && ({ kty, crv, x, y } as JsonObject),
  });
};

type Changes = {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  transaction?: Record<string, unknown>;
  key?: CryptoKey;
};

/** A presentation: the credential with a key binding (RFC 9901 §4.3), with the changes that a test needs. */
export const bindKey = async (
  deps: TestDeps,
  setup: Setup,
  { credential, header, claims, transaction, key }: Changes & { credential: string },
): Promise<string> => {
  const payload = {
    aud: setup.merchant.id,
    nonce: newSecret(),
    iat: epochSeconds(deps.clock.now()),
    sd_hash: createHash("sha256").update(credential).digest("base64url"),
    transaction: { amount: 1_000, currency: "EUR", transaction_id: "order-1", ...transaction },
    ...claims,
  };
  const protectedHeader = { alg: "ES256", typ: "kb+jwt", ...header };
  return `${credential}${await new SignJWT(payload).setProtectedHeader(protectedHeader).sign(key ?? setup.agent.privateKey)}`;
};

export const present = async (deps: TestDeps, setup: Setup, changes: Changes = {}): Promise<string> =>
  bindKey(deps, setup, { credential: await fetchCredential(deps, setup), ...changes });

type TokenOptions = { claims?: Record<string, unknown>; details?: Record<string, unknown>; spendId?: string };

/** A mandate token as token exchange signs it for the setup's merchant. */
export const makeMandateToken = async (
  deps: TestDeps,
  setup: Setup,
  { claims, details, spendId }: TokenOptions = {},
): Promise<string> => {
  const { details: granted } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: setup.mandateId } });
  const now = epochSeconds(deps.clock.now());
  const signed = signMandateToken(deps, {
    iss: deps.config.baseUrl,
    sub: "pairwise",
    aud: setup.merchant.id,
    client_id: setup.agent.id,
    iat: now,
    exp: now + 300,
    jti: newSecret(),
    env: deps.config.environment,
    cnf: { jkt: await calculateJwkThumbprint(setup.agent.publicJwk) },
    authorization_details: [{ ...(granted as AuthorizationDetails), identifier: setup.mandateId, ...details }],
    grant_id: setup.grant.id,
    grant_epoch: 1,
    client_epoch: 1,
    spend_id: spendId ?? newId("spd"),
    ...claims,
  });
  return signed.token;
};

/** The agent's proof for the merchant's request (RFC 9449 §4.2). */
export const prove = (
  deps: TestDeps,
  setup: Setup,
  {
    token,
    options = {},
  }: {
    token: string;
    options?: { path?: string; method?: string; claims?: Record<string, unknown>; key?: Signer } | undefined;
  },
): Promise<string> =>
  signProof(options.key ?? setup.agent, {
    url: `${deps.config.baseUrl}${options.path ?? "/merchant_test/charge"}`,
    method: options.method ?? "POST",
    accessToken: token,
    now: deps.clock.now(),
    claims: options.claims ?? {},
  });

export const payment = { amount: 1_000, currency: "EUR", payer_presence: "in_session" } as const;

/** Functions that send a merchant's request for one payment: `chargeBy` charges, `verifyBy` verifies. */
export const askingOf = (depsOf: () => TestDeps) => ({
  chargeBy: (
    setup: Setup,
    request: Partial<ChargeRequest>,
    {
      key = newId("req"),
      merchant = { id: setup.merchant.id, clientId: setup.merchantClient.id },
    }: { key?: string; merchant?: { id: string; clientId: string } } = {},
  ) =>
    requestCharge(depsOf(), {
      merchantId: merchant.id,
      clientId: merchant.clientId,
      requestId: "req_test",
      idempotencyKey: key,
      request: { ...payment, ...request },
    }),
  verifyBy: async (setup: Setup, request: object) =>
    (await verifyMandate(depsOf(), {
      merchantId: setup.merchant.id,
      clientId: setup.merchantClient.id,
      requestId: "req_test",
      request: { ...payment, ...request },
    })) as {
      valid: boolean;
      mandate_id: string | null;
      reasons: { code: string; constraint: string }[];
    },
});
