"use client";

import { useEffect, useState } from "react";
import type { PublicPlan } from "#server/billing/catalogue/public-plan.wire.ts";
import type { EstimateObject } from "#server/billing/estimate/estimate.wire.ts";
import { usageOfPlan } from "./usage-form.ts";

export type Estimates = { by: ReadonlyMap<string, EstimateObject["invoice"]>; isFailed: boolean };

type Usage = Parameters<typeof usageOfPlan>[1];

/** The estimate is requested after this pause in typing. */
const typingMilliseconds = 250;

const requestEstimate = async (plan: PublicPlan, usage: Usage, signal: AbortSignal) => {
  const body = { plan: plan.id, version: plan.version, currency: plan.currency, usage: usageOfPlan(plan, usage) };
  const response = await fetch("/billing/estimate", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`estimate: ${response.status}`);
  const { invoice } = (await response.json()) as EstimateObject;
  return [plan.id, invoice] as const;
};

/**
 * For each plan, estimates the invoice for one interval with this monthly usage (POST /billing/estimate).
 * While new estimates load, the previous ones are returned.
 */
export const useEstimates = (plans: readonly PublicPlan[], usage: Usage | null): Estimates => {
  const [estimates, setEstimates] = useState<Estimates>({ by: new Map(), isFailed: false });
  useEffect(() => {
    if (usage === null) return;
    const abort = new AbortController();
    const load = async () => {
      try {
        const loaded = await Promise.all(plans.map((plan) => requestEstimate(plan, usage, abort.signal)));
        setEstimates({ by: new Map(loaded), isFailed: false });
      } catch {
        if (!abort.signal.aborted) setEstimates(({ by }) => ({ by, isFailed: true }));
      }
    };
    const timer = setTimeout(load, typingMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [plans, usage]);
  return estimates;
};
