import fc from "fast-check";
import { expect, test } from "vitest";
import type { ComponentState } from "../board.ts";
import { type Component, type ComponentKey, components } from "../components.ts";
import { affectedBy } from "./cascade.ts";

const all = (states: Partial<Record<ComponentKey, ComponentState>>) =>
  new Map(components.map(({ key }): [ComponentKey, ComponentState] => [key, states[key] ?? "operational"]));

test.each(["partial_outage", "major_outage"] as const)("a %s of production affects the sandbox", (state) => {
  expect(affectedBy(all({ authorization_server: state }))).toEqual(new Map([["sandbox", ["authorization_server"]]]));
});

test.each(["partial_outage", "major_outage"] as const)("a %s of the sandbox doesn't affect production", (state) => {
  expect(affectedBy(all({ sandbox: state }))).toEqual(new Map());
});

test.each(["operational", "degraded", "maintenance", "unknown"] as const)(
  "a dependency in state %s affects no component",
  (state) => {
    expect(affectedBy(all({ authorization_server: state }))).toEqual(new Map());
  },
);

const keys = components.map(({ key }) => key);
const arbitraryComponents = fc
  .array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...keys)), { maxLength: 12 })
  .map((edges) =>
    components.map(
      (component): Component => ({
        ...component,
        dependsOn: edges.filter(([from]) => from === component.key).map(([, to]) => to),
      }),
    ),
  );
const arbitraryOut = fc.subarray(keys);

test("an outage affects exactly the components that depend on it, directly, indirectly or in cycles", () => {
  fc.assert(
    fc.property(arbitraryComponents, arbitraryOut, (some, out) => {
      const reaches = (from: ComponentKey, to: ComponentKey, seen: ComponentKey[] = []): boolean =>
        !seen.includes(from) &&
        (some.find(({ key }) => key === from)?.dependsOn ?? []).some(
          (next) => next === to || reaches(next, to, [...seen, from]),
        );
      const affected = affectedBy(new Map(out.map((key) => [key, "major_outage"])), some);
      for (const key of keys)
        expect(new Set(affected.get(key))).toEqual(
          new Set(out.filter((other) => other !== key && reaches(key, other))),
        );
    }),
  );
});
