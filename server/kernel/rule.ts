import { DomainError, OAuthError, type OAuthErrorCode } from "./errors.ts";

/** An operation id, all operations with one kind of authentication, or all operations that read a form or a query. */
export type Place =
  | "every private_key_jwt"
  | "every access token"
  | "every registration access token"
  | "every form"
  | (string & {});

/** Codes of errors that are shown on a page and that clients don't receive. */
const pageErrors = ["request_unknown", "request_not_pushed"] as const;
type PageErrorCode = (typeof pageErrors)[number];
type RuleErrorCode = OAuthErrorCode | PageErrorCode;

const isPageError = (code: RuleErrorCode): code is PageErrorCode => pageErrors.some((each) => each === code);

/**
 * The name of the checked field, which comes first in an error message. It is a fixed text, or `one` returns it for the
 * checked subject. The documentation has no subject, so it uses `any`.
 */
export type Named<Subject> = string | { readonly any: string; one(subject: Subject): string };

/** A condition on a request, and the error if it is broken. */
export type Rule<Subject> = {
  /** unique over all groups */
  readonly name: string;
  /** for example `RFC 7523 §3` */
  readonly source: string;
  readonly places: readonly Place[];
  readonly error: RuleErrorCode;
  readonly problem: string;
  holds(subject: Subject): boolean;
  readonly names?: Named<Subject>;
  /** accepted values: from our configuration, never from the request */
  expected?(subject: Subject): readonly string[];
};

/** Rules for one subject, in the order of their checks. A rule may rely on the rules before it. */
export type RuleGroup<Subject> = { readonly looksAt: string; readonly rules: readonly Rule<Subject>[] };

type Shared<Subject> = Pick<Rule<Subject>, "places" | "error" | "names">;
export type OwnRule<Subject> = Omit<Rule<Subject>, "places" | "error"> & Partial<Shared<Subject>>;

export const defineRules = <Subject>(
  looksAt: string,
  shared: Shared<Subject>,
  rules: readonly OwnRule<Subject>[],
): RuleGroup<Subject> => ({ looksAt, rules: rules.map((rule) => ({ ...shared, ...rule })) });

export const findBrokenRule = <Subject>({ rules }: RuleGroup<Subject>, subject: Subject): Rule<Subject> | null => {
  for (const rule of rules) if (!rule.holds(subject)) return rule;
  return null;
};

/** The message for the caller: what is wrong, with the field's name and the accepted values. */
export const describeViolation = <Subject>({ names, problem, expected }: Rule<Subject>, subject: Subject): string => {
  const message = expected ? `${problem}; expected ${expected(subject).join(" or ")}` : problem;
  if (names === undefined) return message;
  return `${typeof names === "string" ? names : names.one(subject)}: ${message}`;
};

type Context = { headers?: Record<string, string>; cause?: unknown };

const toError = <Subject>(
  rule: Rule<Subject>,
  subject: Subject,
  makeContext?: (message: string) => Context,
): OAuthError | DomainError => {
  const message = describeViolation(rule, subject);
  const context = makeContext?.(message) ?? {};
  if (isPageError(rule.error)) return new DomainError("invalid", { code: rule.error, message, ...context });
  // An unavailable dependency isn't a fault of the request.
  const isUnavailable = rule.error === "temporarily_unavailable";
  return new OAuthError(rule.error, message, {
    ...context,
    rule: rule.name,
    ...(isUnavailable ? { status: 503 } : {}),
  });
};

/**
 * @param context creates the error's context from the error's text; called only if a rule is broken.
 * @throws the error of the first broken rule: OAuthError, or DomainError for a page.
 */
export const checkRules = <Subject>(
  group: RuleGroup<Subject>,
  subject: Subject,
  context?: (message: string) => Context,
): void => {
  const broken = findBrokenRule(group, subject);
  if (broken) throw toError(broken, subject, context);
};

/** Narrows a value that a rule has checked to be present. */
export const assertPresent = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error("a checked value is missing");
  return value;
};
