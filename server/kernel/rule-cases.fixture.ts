import type { RuleGroup } from "./rule.ts";

/**
 * A rule group with a valid subject. `breaches`: for each rule, a subject that breaks this rule and no earlier rule.
 */
export type Cases<Subject> = {
  group: RuleGroup<Subject>;
  valid: Subject;
  breaches: Readonly<Record<string, Subject>>;
};

/** @param breaches differences from `valid`, by the name of the rule that they break. */
export const casesOf = <Subject extends object>(
  group: RuleGroup<Subject>,
  valid: Subject,
  breaches: Readonly<Record<string, Partial<Subject>>>,
): Cases<Subject> => ({
  group,
  valid,
  breaches: Object.fromEntries(Object.entries(breaches).map(([name, breach]) => [name, { ...valid, ...breach }])),
});
