import type { PendingClient } from "../../contract/callers.ts";
import { consumeAssertion } from "../../data/oauth/replay.ts";
import type { Deps } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { tokenExchangeGrant } from "../rules/tokens/token-exchange.ts";
import { grantTypeOfClientRules, grantTypeRules } from "../rules/tokens/token-request.ts";
import { isNonceDemand } from "../tokens/verify-dpop-proof.ts";
import { exchangeCode } from "./exchange-code.ts";
import { exchangeToken } from "./exchange-token.ts";
import { grantClientCredentials } from "./grant-client-credentials.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { refreshGrant } from "./refresh-grant.ts";
import { optionalText, type ProofReader, proofReader, type TokenRequest } from "./token-request.ts";

/** Grant types with their own transaction. The client's assertion is consumed before this transaction. */
const grants: Readonly<Record<string, (deps: Deps, request: TokenRequest) => Promise<TokenResponse>>> = {
  authorization_code: exchangeCode,
  refresh_token: refreshGrant,
  [tokenExchangeGrant]: exchangeToken,
};

export const supportedGrantTypes: readonly string[] = ["client_credentials", ...Object.keys(grants)];

type Input = Pick<TokenRequest, "info" | "form"> & { pending: PendingClient; dpopProof: string | null };

/** POST /oauth/token. @throws OAuthError with a code of RFC 6749 §5.2, or of the standards of the parameters. */
export const grantToken = async (deps: Deps, { pending, dpopProof, ...sent }: Input): Promise<TokenResponse> => {
  const request = { ...sent, readProof: proofReader(deps, dpopProof, "/oauth/token") };
  const grantType = optionalText(request.form, "grant_type") ?? "";
  checkRules(grantTypeRules, { grantType: grantType || undefined, supported: supportedGrantTypes });
  const grant = grants[grantType];
  if (!grant) return grantClientCredentials(deps, { ...request, pending });
  await answerNonceDemand(request.readProof, pending);
  const { client } = await pending.settle((assertion) => consumeAssertion(deps.db.sql, assertion));
  checkRules(grantTypeOfClientRules, { grantType, registered: client.grantTypes });
  return grant(deps, { ...request, client });
};

/**
 * Refuses a missing or outdated nonce before the assertion is consumed, so that the client can send the assertion
 * again. Other errors of the proof are reported later.
 */
const answerNonceDemand = async (readProof: ProofReader, { client }: PendingClient): Promise<void> => {
  try {
    await readProof(client);
  } catch (error) {
    if (isNonceDemand(error)) throw error;
  }
};
