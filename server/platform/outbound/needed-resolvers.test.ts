import { expect, test } from "vitest";
import { firstResolvers, warnOfFewResolvers } from "./needed-resolvers.ts";

const production = { environment: "production", isLoopback: false, dnsResolvers: null } as const;

test.each([
  ["production on a public address with one resolver", production, ["10.0.0.1"], 1],
  ["production on a public address with one resolver that is listed twice", production, ["10.0.0.1", "10.0.0.1"], 1],
  ["production on a public address with two resolvers", production, ["10.0.0.1", "10.0.0.2"], 0],
  ["two resolvers in DNS_RESOLVERS", { ...production, dnsResolvers: ["9.9.9.9:53", "1.1.1.1:53"] }, ["10.0.0.1"], 0],
  ["production on loopback", { ...production, isLoopback: true }, ["10.0.0.1"], 0],
  ["the sandbox", { ...production, environment: "sandbox" } as const, ["10.0.0.1"], 0],
  ["the sandbox without any resolver", { ...production, environment: "sandbox" } as const, [], 1],
])("%s", (_title, config, known, warnings) => {
  const logged: string[] = [];
  warnOfFewResolvers({ config, log: { warn: (_fields, message) => void logged.push(message) } }, known);
  expect(logged).toHaveLength(warnings);
});

test("each of the first two resolvers is asked once", () => {
  expect(firstResolvers(["10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"])).toEqual(["10.0.0.1", "10.0.0.2"]);
});
