import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { operatorAttention } from "./operator-attention.ts";

const nothing = {
  chargesUnderReview: 0,
  pendingMerchants: 0,
  contradictions: 0,
  billingPaymentsUnderReview: 0,
  taxDecisions: 0,
  meterDifferences: 0,
  failedMail: 0,
  retryingMail: 0,
  incidentDrafts: 0,
  failingJobs: [],
  missingSettings: [],
};

test("nothing needs attention if all counts are 0 and all settings are set", () => {
  expect(operatorAttention(nothing)).toEqual([]);
});

test("counts are written in the singular or the plural", () => {
  const titles = operatorAttention({ ...nothing, failedMail: 1, pendingMerchants: 2 }).map(({ title }) => title);
  expect(titles).toEqual(["2 merchants are waiting for approval", "1 e-mail failed"]);
});

test("each missing setting names its variables and a part of the operating guide that exists", async () => {
  const guide = await readFile(new URL("../../../docs/operating.md", import.meta.url), "utf8");
  const missingSettings = ["mail", "stripe", "billingIssuer", "dnsResolvers"] as const;
  const items = operatorAttention({ ...nothing, missingSettings });
  expect(items.map(({ key }) => key)).toEqual(missingSettings.map((name) => `setting-${name}`));
  for (const { text } of items) {
    const [, step, part] = /(?:step (\d+) of )?“([^”]+)” in docs\/operating\.md/.exec(text) ?? [];
    const [, after = ""] = guide.split(new RegExp(`^#+ ${part}$`, "m"));
    const section = step ? after.split(new RegExp(`^${step}\\. `, "m"))[1] : after.split(/^#/m)[0];
    for (const [name] of text.matchAll(/\b[A-Z]+_[A-Z_]+\b/g)) expect(section).toContain(name);
  }
});
