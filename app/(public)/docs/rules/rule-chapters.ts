import { operationHref, slugOf } from "#components/docs/api/places.ts";
import type { PlaceView } from "#components/docs/rule-table.tsx";
import { ruleChapters } from "#server/http/openapi/rule-table.ts";
import type { Rule, RuleGroup } from "#server/kernel/rule.ts";

export const chapters = ruleChapters.map(({ title, groups }) => ({
  title,
  groups,
  slug: slugOf(title),
  href: `/docs/rules/${slugOf(title)}`,
}));

const everyPlaces: Readonly<Record<string, string>> = {
  "every private_key_jwt": "every operation with private_key_jwt",
  "every access token": "every operation with an access token",
  "every registration access token": "every operation with a registration access token",
};

const toPlace = (place: string): PlaceView =>
  place.startsWith("every ")
    ? { text: everyPlaces[place] ?? place, href: null }
    : { text: place, href: operationHref(place) };

export const namedBy = (names: Rule<unknown>["names"]): string | null =>
  names === undefined ? null : typeof names === "string" ? names : names.any;

/** If all rules of a group have the same places, the places are shown once. */
export const toView = ({ looksAt, rules }: RuleGroup<unknown>) => {
  const isSame = new Set(rules.map(({ places }) => places.join())).size === 1;
  return {
    title: looksAt,
    places: isSame ? (rules[0]?.places ?? []).map(toPlace) : [],
    rules: rules.map(({ name, source, error, names, problem, places }) => ({
      name,
      source,
      error,
      problem,
      named: namedBy(names),
      places: isSame ? null : places.map(toPlace),
    })),
  };
};
