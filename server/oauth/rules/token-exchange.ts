import { OAuthError } from "../../kernel/errors.ts";

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** RFC 8693 §3: what is taken and what is given; a mandate token is one merchant's access token. */
export const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

export type ExchangeForm = Readonly<Record<string, string | readonly string[]>>;
export type ExchangeRequest = { subjectToken: string; audience: string };

const has = (form: ExchangeForm, name: string): boolean => form[name] !== undefined;

type Rule = (form: ExchangeForm) => OAuthError | false;

const invalid = (description: string) => new OAuthError("invalid_request", description);

/** RFC 8693 §2.1: what is wrong with a request, §2.2.2: and by which code it is told. */
const rules: readonly Rule[] = [
  (form) => !has(form, "subject_token") && invalid("subject_token is missing"),
  (form) => !has(form, "subject_token_type") && invalid("subject_token_type is missing"),
  (form) => form["subject_token_type"] !== accessTokenType && invalid("subject_token_type must be access_token"),
  (form) =>
    has(form, "requested_token_type") &&
    form["requested_token_type"] !== accessTokenType &&
    invalid("requested_token_type must be access_token"),
  // Nobody acts for the agent, and it hands the token on itself.
  (form) =>
    (has(form, "actor_token") || has(form, "actor_token_type")) &&
    invalid("actor_token and actor_token_type are not taken"),
  (form) => !has(form, "audience") && invalid("audience is missing: the id of a merchant"),
  (form) =>
    (form["audience"]?.length ?? 0) > 1 && new OAuthError("invalid_target", "audience must be one merchant's id"),
  (form) =>
    has(form, "resource") && new OAuthError("invalid_target", "a mandate token is for an audience, not a resource"),
  (form) => has(form, "scope") && new OAuthError("invalid_scope", "a mandate token has no scope"),
];

/** @throws OAuthError invalid_request, invalid_target, invalid_scope. */
export const readExchange = (form: ExchangeForm): ExchangeRequest => {
  for (const rule of rules) {
    const problem = rule(form);
    if (problem) throw problem;
  }
  return { subjectToken: String(form["subject_token"]), audience: String(form["audience"]?.[0]) };
};
