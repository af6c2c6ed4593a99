import type { RuleGroup } from "./rule.ts";

/** A group with something that keeps all of its rules, and for each rule something that breaks it and none before it. */
export type Cases<Subject> = {
  group: RuleGroup<Subject>;
  sound: Subject;
  breaches: Readonly<Record<string, Subject>>;
};

/** @param breaches what is otherwise than in `sound`, by the name of the rule that it breaks. */
export const casesOf = <Subject extends object>(
  group: RuleGroup<Subject>,
  sound: Subject,
  breaches: Readonly<Record<string, Partial<Subject>>>,
): Cases<Subject> => ({
  group,
  sound,
  breaches: Object.fromEntries(Object.entries(breaches).map(([name, breach]) => [name, { ...sound, ...breach }])),
});
