import { describe, expect, it, test } from "vitest";
import { endpoints } from "../../endpoints/index.ts";
import { isDomainError, isOAuthError } from "../../kernel/errors.ts";
import { checkRules, describeViolation, findBrokenRule } from "../../kernel/rule.ts";
import type { Cases } from "../../kernel/rule-cases.fixture.ts";
import { detailsCases } from "../../mandates/details/details-breaches.fixture.ts";
import { allCases as oauthCases } from "../../oauth/rules/breaches/index.ts";
import { openApiEndpoint } from "./openapi-endpoint.ts";
import { ruleGroups } from "./rule-table.ts";
import { rulesAt } from "./rules-at.ts";

const allCases: readonly Cases<unknown>[] = [...oauthCases, ...detailsCases];
const rules = ruleGroups.flatMap((group) => group.rules);

describe("the table of rules (docs/spec/oauth.md, Rule table)", () => {
  it("names each rule once", () => {
    const names = rules.map(({ name }) => name);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it("has a source for each rule: a section of a standard or of our specification", () => {
    const source =
      /^(RFC \d{4}( (§\d+(\.\d+)*( \(\d+\))?(, §\d+(\.\d+)*)?|Appendix [A-Z]))|(FAPI 2\.0|Grant Management|OpenID Connect Core|FIPS 186-5) §[\d.]+|docs\/spec\/(oauth|payments)\.md, [A-Z].+)$/;
    expect(rules.filter((rule) => !source.test(rule.source)).map(({ name, source: given }) => [name, given])).toEqual(
      [],
    );
  });

  it("describes each violation in the characters that RFC 6749 allows, and repeats no input", () => {
    for (const { problem } of rules) expect(problem).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it("has an operation for each rule, and names no unknown operation", () => {
    const all = [...endpoints, openApiEndpoint];
    for (const rule of rules)
      expect(
        all.filter((endpoint) => rulesAt(endpoint).includes(rule)),
        rule.name,
      ).not.toEqual([]);
    const ids = new Set(all.map(({ operationId }) => operationId));
    const named = rules.flatMap(({ places }) => places).filter((place) => !place.startsWith("every "));
    expect(named.filter((place) => !ids.has(place))).toEqual([]);
  });

  it("has the same rules for all operations with the same authentication", () => {
    for (const [place, kinds] of [
      ["every private_key_jwt", ["client", "pending_client"]],
      ["every access token", ["access_token"]],
      ["every registration access token", ["registration_token"]],
    ] as const) {
      const shared = rules.filter(({ places }) => places.includes(place));
      const same = endpoints.filter(({ auth }) => kinds.some((kind) => kind === auth.kind));
      expect(shared.length).toBeGreaterThan(1);
      expect(same.length).toBeGreaterThan(1);
      for (const endpoint of same) expect(rulesAt(endpoint)).toEqual(expect.arrayContaining(shared));
    }
  });

  it("has cases for each group, with a violation of each of its rules", () => {
    expect(allCases.map(({ group }) => group.looksAt).toSorted()).toEqual(
      ruleGroups.map(({ looksAt }) => looksAt).toSorted(),
    );
    for (const { group, breaches } of allCases) {
      expect(Object.keys(breaches)).toEqual(group.rules.map(({ name }) => name));
    }
  });
});

describe.each(allCases.map((cases) => [cases.group.looksAt, cases] as const))("%s", (_, { group, valid, breaches }) => {
  test("a request that follows all rules passes", () => {
    expect(findBrokenRule(group, valid)).toBeNull();
  });

  test.each(group.rules.map((rule) => [`refuses a breach of ${rule.name} (${rule.source})`, rule] as const))(
    "%s",
    (_title, rule) => {
      expect(findBrokenRule(group, breaches[rule.name])?.name).toBe(rule.name);
      try {
        checkRules(group, breaches[rule.name]);
        expect.fail("not refused");
      } catch (error) {
        const breach = breaches[rule.name];
        const message = describeViolation(rule, breach);
        expect(message).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
        if (isDomainError(error)) expect([error.code, error.message]).toEqual([rule.error, message]);
        else if (isOAuthError(error)) expect([error.code, error.description]).toEqual([rule.error, message]);
        else throw error;
      }
    },
  );
});
