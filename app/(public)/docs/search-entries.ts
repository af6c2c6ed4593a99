import type { Group, OperationView } from "#components/docs/api-reference.ts";
import type { Field } from "#components/docs/api-schema.ts";
import { guides } from "#components/docs/guides.ts";
import { slugOf } from "#components/docs/places.ts";
import { problemGroups } from "#components/docs/problems.ts";
import type { SearchEntry } from "#components/docs/search.ts";
import { ruleChapters } from "#server/http/rule-table.ts";
import { eventContracts } from "#server/webhooks/event-contracts.ts";

/** Everything that a page of the documentation explains, for its search. */
export const searchEntries = (groups: readonly Group[]): SearchEntry[] => [
  ...guides.map(({ href, title, text }) => ({ href, title, text, kind: "Guide" })),
  ...groups.flatMap(({ operations }) => operations.map(operationEntry)),
  ...eventContracts.map(({ type, when }) => ({
    ...{ href: `/docs/webhooks#${type}`, title: type, kind: "Event", text: when },
  })),
  ...problemGroups.flatMap(({ meanings }) =>
    Object.entries(meanings).map(([code, text]) => ({
      ...{ href: `/docs/errors#${code}`, title: code, kind: "Error", text },
    })),
  ),
  ...ruleChapters.flatMap(({ title: chapter, groups: ruleGroups }) =>
    ruleGroups.flatMap(({ rules }) =>
      rules.map(({ name, problem, source, error }) => ({
        ...{
          href: `/docs/rules/${slugOf(chapter)}#${name}`,
          title: problem,
          kind: "Rule",
          text: `${error}, ${source}`,
        },
      })),
    ),
  ),
];

const operationEntry = ({ href, summary, method, path, id, parameters, bodies }: OperationView): SearchEntry => {
  const names = [...parameters, ...bodies.flatMap(({ fields }) => fields)].flatMap(namesOf);
  const text = [`${method} ${path}`, id, ...new Set(names)].join(" ");
  return { href, title: summary, kind: "Operation", text };
};

const namesOf = ({ name, fields }: Field): string[] => [name, ...fields.flatMap(namesOf)];
