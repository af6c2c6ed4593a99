import { DomainError, OAuthError, type OAuthErrorCode } from "./errors.ts";

/** An operation by its id, or all of those whose callers prove themselves in one way. */
export type Place =
  | "every private_key_jwt"
  | "every access token"
  | "every registration access token"
  | "every form"
  | (string & {});

/** Shown on a page: no client learns of these. */
const pageErrors = ["request_unknown", "request_not_pushed"] as const;
type PageErrorCode = (typeof pageErrors)[number];
type RuleErrorCode = OAuthErrorCode | PageErrorCode;

const isPageError = (code: RuleErrorCode): code is PageErrorCode => pageErrors.some((each) => each === code);

/** What is named before a problem: always the same, or by what was sent `one` of those that `any` tells readers of. */
export type Named<Subject> = string | { readonly any: string; one(subject: Subject): string };

/** One thing that must hold of what a caller sent, and what a caller is told who breaks it. */
export type Rule<Subject> = {
  /** of this rule alone, over all groups */
  readonly name: string;
  /** for example `RFC 7523 §3` */
  readonly source: string;
  readonly places: readonly Place[];
  readonly error: RuleErrorCode;
  readonly problem: string;
  holds(subject: Subject): boolean;
  readonly names?: Named<Subject>;
  /** the values that would be accepted: from our own configuration, never from what was sent */
  expected?(subject: Subject): readonly string[];
};

/** Rules that look at the same thing, in the order in which they are checked: a later one may rely on those before it. */
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

/** What a caller is told. */
export const describeViolation = <Subject>({ names, problem, expected }: Rule<Subject>, subject: Subject): string => {
  const told = expected ? `${problem}; expected ${expected(subject).join(" or ")}` : problem;
  if (names === undefined) return told;
  return `${typeof names === "string" ? names : names.one(subject)}: ${told}`;
};

type Context = { headers?: Record<string, string>; cause?: unknown };

const refusalOf = <Subject>(
  rule: Rule<Subject>,
  subject: Subject,
  makeContext?: (told: string) => Context,
): OAuthError | DomainError => {
  const told = describeViolation(rule, subject);
  const context = makeContext?.(told) ?? {};
  if (isPageError(rule.error)) return new DomainError("invalid", rule.error, told, context);
  // What the service can't do now is no fault of the request.
  const isUnavailable = rule.error === "temporarily_unavailable";
  return new OAuthError(rule.error, told, { ...context, rule: rule.name, ...(isUnavailable ? { status: 503 } : {}) });
};

/**
 * @param context of the refusal, by what it tells; made only where there is one.
 * @throws OAuthError, or a page's DomainError, of the first rule that is broken.
 */
export const checkRules = <Subject>(
  group: RuleGroup<Subject>,
  subject: Subject,
  context?: (told: string) => Context,
): void => {
  const broken = findBrokenRule(group, subject);
  if (broken) throw refusalOf(broken, subject, context);
};

/** What a rule has just shown to be there, for the compiler too. */
export const assertPresent = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error("a rule let pass what is not there");
  return value;
};
