import { expect, test } from "vitest";
import { assertInTime } from "./verify-jws.ts";

const now = () => Date.now() / 1000;

test.each([
  ["no end", undefined],
  ["an end that isn't a number", "tomorrow"],
  ["an end that could not be parsed", Number.NaN],
  ["an end more than a minute ago", now() - 61],
])("a statement with %s has expired", (_name, until) => {
  expect(() => assertInTime({ until })).toThrow(expect.objectContaining({ code: "expired" }));
});

test("a statement is valid from its start to its end, with a leeway of a minute", () => {
  expect(() => assertInTime({ notBefore: now() + 55, until: now() - 55 })).not.toThrow();
  expect(() => assertInTime({ notBefore: now() + 65, until: now() + 100 })).toThrow(
    expect.objectContaining({ code: "not_yet_valid" }),
  );
});
