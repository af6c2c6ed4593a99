import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { demoPaymentMethods, testPaymentMethods } from "./simulations.ts";

test("the demo payer has the payment methods that the page names", () => {
  const seed = readFileSync("prisma/seed/people.ts", "utf8");
  const seeded = [...seed.matchAll(/processorRef: "([^"]+)", label: "([^"]+)"/g)].map(([, name, label]) => [
    name,
    label,
  ]);
  expect(demoPaymentMethods).toEqual(seeded);
});

test("the demo payer's payment methods are among those that succeed", () => {
  const [succeeding = ""] = testPaymentMethods.find(([, meaning]) => meaning === "Succeeds") ?? [];
  expect(demoPaymentMethods.filter(([name]) => !succeeding.includes(`\`${name}\``))).toEqual([]);
});
