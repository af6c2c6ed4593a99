import { calculateJwkThumbprint } from "jose";
import { makeAgentClient, makeGrant, makeMerchant, makeMerchantClient, makePayer } from "#e2e/support/factories.ts";
import { makeKey, makePkce, type Signer, signProof } from "#e2e/support/oauth/oauth-client.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import type { AuthenticatedClient } from "../../contract/callers.ts";
import { findClient } from "../../data/oauth/clients.ts";
import { findIssuableGrant } from "../../data/oauth/grants.ts";
import { insertRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { hashDated, newSecretUntil } from "../../kernel/time/dated.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { clientKeySet } from "../client-keys/client-keys.ts";
import { codeSeconds, refreshTokenSeconds } from "../rules/tokens/tokens.ts";
import { pairwiseSubject, signAccessToken } from "../tokens/sign-access-token.ts";
import { proofReader, type TokenRequest } from "./token-request.ts";

export const info = { requestId: "req_test", ipAddress: "", userAgent: "" };

export const loadClient = async (deps: TestDeps, id: string): Promise<AuthenticatedClient> => {
  const client = await findClient(deps.db.sql, id);
  if (!client) throw new Error(`no client ${id}`);
  return { ...client, keys: clientKeySet(deps, client) };
};

/** A new payer, agent with a key, and merchant with a client. */
export const makeParties = async (deps: TestDeps, options: { dpopBound?: boolean } = {}) => {
  const [payer, merchant, agentKeys, key] = await Promise.all([
    makePayer(deps),
    makeMerchant(deps),
    makeAgentClient(deps),
    makeKey(),
  ]);
  if (options.dpopBound === false) {
    await deps.db.prisma.client.update({ where: { id: agentKeys.id }, data: { dpopBound: false } });
  }
  const merchantClient = await makeMerchantClient(deps, merchant.id);
  return {
    payer,
    merchant,
    key,
    agentKeys,
    agent: await loadClient(deps, agentKeys.id),
    merchantClient: await loadClient(deps, merchantClient.id),
  };
};

export type Parties = Awaited<ReturnType<typeof makeParties>>;
const redirectUri = "http://127.0.0.1:9/callback";

/** The result of a consent: a grant, its active mandate, and their tokens. */
export const grantTo = async (deps: TestDeps, parties: Parties, limits: Partial<PaymentMandateDetails> = {}) => {
  const { payer, agent, merchant, key } = parties;
  const grant = await makeGrant(deps, { clientId: agent.id, payerId: payer.id });
  const mandateId = newId("mdt");
  const details: PaymentMandateDetails = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 5_000,
    payees: [{ id: merchant.id }],
    ...limits,
  };
  const now = deps.clock.now();
  const acr = "urn:paygrant:acr:password";
  await deps.db.transaction((tx) =>
    activateMandates(deps, tx, {
      requestId: "req_test",
      grantId: grant.id,
      clientId: agent.id,
      payerId: payer.id,
      budgetVisible: false,
      now,
      paymentMethodId: payer.paymentMethodId,
      details: [details],
      mandateIds: [mandateId],
    }),
  );

  /** An access token as the token endpoint signs it. */
  const accessToken = async (
    options: { signer?: Signer | null; lifetimeSeconds?: number; authTime?: Date } = {},
  ): Promise<string> => {
    const held = await findIssuableGrant(deps.db.sql, grant.id, deps.clock.now());
    if (!held) throw new Error("no grant");
    const signer = options.signer === undefined ? key : options.signer;
    const { token } = signAccessToken(deps, {
      jti: newSecret(),
      subject: pairwiseSubject(deps, payer.id, agent.id),
      audience: deps.config.baseUrl,
      clientId: agent.id,
      scopes: [],
      lifetimeSeconds: options.lifetimeSeconds ?? 300,
      clientEpoch: held.clientEpoch,
      jkt: signer && (await calculateJwkThumbprint(signer.publicJwk)),
      grant: { id: grant.id, epoch: held.grantEpoch, details: held.details, authTime: options.authTime ?? now, acr },
    });
    return token;
  };

  /** A refresh token whose secret contains no time, as in earlier releases. */
  const refreshToken = async (): Promise<string> => {
    const secret = newSecret();
    await insertRefreshToken(deps.db.sql, {
      secretHash: sha256Base64url(secret),
      familyId: grant.id,
      grantId: grant.id,
      clientId: agent.id,
      scopes: [],
      authTime: now,
      acr,
      createdAt: now,
      expiresAt: addSeconds(now, refreshTokenSeconds),
    });
    return secret;
  };

  const code = async (): Promise<{ code: string; verifier: string }> => {
    const expiresAt = addSeconds(now, codeSeconds);
    const secret = newSecretUntil(expiresAt);
    const { challenge, verifier } = makePkce();
    await deps.db.prisma.authorizationCode.create({
      data: {
        codeHash: hashDated(secret),
        datedAt: expiresAt,
        grantId: grant.id,
        clientId: agent.id,
        redirectUri,
        acr,
        codeChallenge: challenge,
        authTime: now,
        createdAt: now,
        expiresAt,
      },
    });
    return { code: secret, verifier };
  };

  return { grantId: grant.id, mandateId, accessToken, refreshToken, code };
};

/** A token request of the agent, with a proof signed by `key`; without a proof if `key` is null. */
export const tokenRequest = async (
  deps: TestDeps,
  { agent, key }: Pick<Parties, "agent"> & { key: Signer | null },
  form: TokenRequest["form"],
): Promise<TokenRequest> => {
  const url = `${deps.config.baseUrl}/oauth/token`;
  const proof = key && (await signProof(key, { url, now: deps.clock.now() }));
  // A new reader for each call: a reader verifies its proof only once.
  return { info, client: agent, form, readProof: (client) => proofReader(deps, proof, "/oauth/token")(client) };
};

export const codeFields = ({ code, verifier }: { code: string; verifier: string }) => ({
  grant_type: "authorization_code",
  code,
  code_verifier: verifier,
  redirect_uri: redirectUri,
});

export const refreshFields = (refreshToken: string, fields: Record<string, string> = {}) => ({
  grant_type: "refresh_token",
  refresh_token: refreshToken,
  ...fields,
});

/** The OAuth error code of a refusal, or `none`. */
export const errorOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "none",
    (error: { code?: string }) => error.code ?? String(error),
  );
