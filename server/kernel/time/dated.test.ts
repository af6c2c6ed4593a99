import { describe, expect, test } from "vitest";
import { newId, newSecret } from "../ids.ts";
import { dateId, hashDated, instantOf, newSecretUntil } from "./dated.ts";

const instant = new Date("2026-11-21T12:00:00.123Z");

describe("secrets and ids that contain a time", () => {
  test("return this time to the millisecond, also from their stored forms", () => {
    const secret = newSecretUntil(instant);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{52}$/);
    expect(instantOf(secret)).toEqual(instant);
    expect(instantOf(hashDated(secret))).toEqual(instant);
    expect(instantOf(dateId(newId("chg"), instant))).toEqual(instant);
    expect(instantOf(newSecretUntil(new Date(0)))).toEqual(new Date(0));
  });

  test("have another hash if their time is changed", () => {
    const secret = newSecretUntil(instant);
    const altered = secret.slice(0, 43) + newSecretUntil(new Date(0)).slice(43);
    expect(hashDated(altered).slice(0, 43)).not.toBe(hashDated(secret).slice(0, 43));
  });

  test("contain no time if they were created without a time; any other text contains no time either", () => {
    for (const key of [newSecret(), newId("chg"), "", "x".repeat(60), `${newSecret()}ABCDEFGHI`]) {
      expect(instantOf(key)).toBeNull();
      expect(hashDated(key)).toHaveLength(43);
    }
  });
});
