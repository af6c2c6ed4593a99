import type { AuthenticatedClient } from "../../contract/callers.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { proofOfClientRules } from "../rules/tokens/dpop.ts";
import { grantResourceRules } from "../rules/tokens/token-request.ts";
import { type VerifiedProof, verifyDpopProof } from "../tokens/verify-dpop-proof.ts";

export type TokenRequest = {
  info: RequestInfo;
  client: AuthenticatedClient;
  form: Readonly<Record<string, string | readonly string[]>>;
  readProof: ProofReader;
};

export const optionalText = (form: TokenRequest["form"], name: string): string | undefined => {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
};

type Bound = { readonly dpopBound: boolean };

/** A request's proof, not yet consumed. A client with bound tokens must send one (RFC 9449 §5.2). */
export type ProofReader = (client: Bound) => Promise<VerifiedProof | null>;

/** @returns a function that verifies the request's proof at its first call, and returns the result at each call. */
export const proofReader = (deps: Deps, dpopProof: string | null, path: string): ProofReader => {
  let verifying: Promise<VerifiedProof> | undefined;
  return async ({ dpopBound }) => {
    if (dpopProof !== null) {
      verifying ??= verifyDpopProof(deps, { proof: dpopProof, method: "POST", path, accessToken: null });
      return verifying;
    }
    checkRules(proofOfClientRules, { isBound: dpopBound, hasProof: false });
    return null;
  };
};

/**
 * Tokens of a grant are for the authorization server's own resource.
 * @throws OAuthError invalid_target (RFC 8707 §2.2).
 */
export const checkGrantResource = ({ config }: Deps, form: TokenRequest["form"]): void => {
  const resources = (form["resource"] as readonly string[] | undefined) ?? [];
  checkRules(grantResourceRules, { resources, baseUrl: config.baseUrl });
};
