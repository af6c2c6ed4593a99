import { expect, test } from "vitest";
import { completeSteps } from "./first-steps.ts";

const none = {
  hasApp: false,
  hasToken: false,
  hasMandate: false,
  hasVerified: false,
  hasCharged: false,
  hasEndpoint: false,
  hasWebhook: false,
};
const names = Object.keys(none) as (keyof typeof none)[];

/** @returns the names of the steps that are done if only these steps are recorded. */
const doneAfter = (...recorded: (keyof typeof none)[]): string[] => {
  const steps = completeSteps({ ...none, ...Object.fromEntries(recorded.map((name) => [name, true])) });
  return names.filter((name) => steps[name]);
};

test("a charge or a verification completes all steps that it needs", () => {
  expect(doneAfter("hasCharged")).toEqual(["hasApp", "hasToken", "hasMandate", "hasVerified", "hasCharged"]);
  expect(doneAfter("hasVerified")).toEqual(["hasApp", "hasToken", "hasMandate", "hasVerified"]);
});

test("a token completes the step of the app, and a webhook completes the step of the endpoint", () => {
  expect(doneAfter("hasToken")).toEqual(["hasApp", "hasToken"]);
  expect(doneAfter("hasWebhook")).toEqual(["hasEndpoint", "hasWebhook"]);
});

test("a mandate completes no other step, because an agent and a payer make it", () => {
  expect(doneAfter("hasMandate")).toEqual(["hasMandate"]);
  expect(doneAfter()).toEqual([]);
});

test("a recorded step stays done", () => {
  for (const name of names) expect(doneAfter(name)).toContain(name);
});
