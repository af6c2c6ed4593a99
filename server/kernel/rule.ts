import { OAuthError, type OAuthErrorCode } from "./errors.ts";

/** An operation by its id, or all of those whose callers prove themselves in one way. */
export type Place = "every private_key_jwt" | "every access token" | "every form" | (string & {});

/** One thing that must hold of what a caller sent, and what a caller is told who breaks it. */
export type Rule<Subject> = {
  /** of this rule alone, over all groups */
  readonly name: string;
  /** for example `RFC 7523 §3` */
  readonly source: string;
  readonly places: readonly Place[];
  readonly error: OAuthErrorCode;
  readonly problem: string;
  holds(subject: Subject): boolean;
};

/** Rules that look at the same thing, in the order in which they are checked: a later one may rely on those before it. */
export type RuleGroup<Subject> = { readonly looksAt: string; readonly rules: readonly Rule<Subject>[] };

type Shared = Pick<Rule<never>, "places" | "error">;
type Own<Subject> = Omit<Rule<Subject>, keyof Shared> & Partial<Shared>;

export const defineRules = <Subject>(
  looksAt: string,
  shared: Shared,
  rules: readonly Own<Subject>[],
): RuleGroup<Subject> => ({ looksAt, rules: rules.map((rule) => ({ ...shared, ...rule })) });

export const firstBroken = <Subject>({ rules }: RuleGroup<Subject>, subject: Subject): Rule<Subject> | null => {
  for (const rule of rules) if (!rule.holds(subject)) return rule;
  return null;
};

/**
 * @param headers of the refusal, made only where there is one.
 * @throws OAuthError of the first rule that is broken.
 */
export const checkRules = <Subject>(
  group: RuleGroup<Subject>,
  subject: Subject,
  headers?: () => Record<string, string>,
): void => {
  const broken = firstBroken(group, subject);
  if (!broken) return;
  throw new OAuthError(broken.error, broken.problem, { rule: broken.name, ...(headers ? { headers: headers() } : {}) });
};

/** What a rule has just shown to be there, for the compiler too. */
export const shown = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error("a rule let pass what is not there");
  return value;
};
