import type { Group } from "#components/docs/api/api-reference.ts";
import { fieldNames, operationEntry } from "#components/docs/api/operation-entry.ts";
import { detailsTypeHref, slugOf } from "#components/docs/api/places.ts";
import { problemGroups } from "#components/docs/api/problems.ts";
import { guides } from "#components/docs/guides.ts";
import type { SearchEntry } from "#components/docs/search/search.ts";
import { eventContracts } from "#server/billing/events/event-contracts.ts";
import { ruleChapters } from "#server/http/openapi/rule-table.ts";
import { detailsTypes } from "./details-types.ts";

/** Everything that a page of the documentation explains, for its search. */
export const searchEntries = (groups: readonly Group[]): SearchEntry[] => [
  ...guides.map(({ href, title, text }) => ({ href, title, text, kind: "Guide" })),
  ...detailsTypes.map(({ type, fields }) => ({
    href: detailsTypeHref(type),
    title: type,
    kind: "Type",
    text: `authorization_details ${fieldNames(fields)}`,
  })),
  ...groups.flatMap(({ operations }) => operations.map(operationEntry)),
  ...eventContracts.map(({ type, when }) => ({
    href: `/docs/webhooks#${type}`,
    title: type,
    kind: "Event",
    text: when,
  })),
  ...problemGroups.flatMap(({ meanings }) =>
    Object.entries(meanings).map(([code, text]) => ({
      href: `/docs/errors#${code}`,
      title: code,
      kind: "Error",
      text,
    })),
  ),
  ...ruleChapters.flatMap(({ title: chapter, groups: ruleGroups }) =>
    ruleGroups.flatMap(({ rules }) =>
      rules.map(({ name, problem, source, error }) => ({
        href: `/docs/rules/${slugOf(chapter)}#${name}`,
        title: problem,
        kind: "Rule",
        text: `${error}, ${source}`,
      })),
    ),
  ),
];
