import { unknownSessionCookie } from "../../accounts/sessions/unknown-session.ts";
import type { Db } from "../../data/client.ts";
import type { CheckResult } from "../rules/probes/checks.ts";
import type { StatusDeps } from "../runtime.ts";
import { checkDeployed, checkPage, checkService } from "./http-checks.ts";
import { checkLags } from "./lag-checks.ts";
import type { Finding } from "./probe-steps.ts";

export type CheckTargets = Pick<StatusDeps, "config" | "db" | "clock" | "productionUrl" | "sandboxUrl"> & {
  /** the sandbox's database, to check its queues; null: not available */
  sandboxDb: Db | null;
  checkBilling: () => Promise<Finding>;
  /** one for each environment whose database is known */
  journeys: readonly (() => Promise<CheckResult>)[];
};

/** Runs all checks concurrently. */
export const runChecks = async (targets: CheckTargets): Promise<CheckResult[]> => {
  const { config, db, sandboxDb, checkBilling, journeys, clock, productionUrl, sandboxUrl } = targets;
  const watch = { now: clock.now(), watchedSeconds: process.uptime() };
  const { walletUrl, discoveryUrl, cdnUrl } = config;
  const [wallet, billing, directory, assets, production, ...ofServices] = await Promise.all([
    checkPage(`${walletUrl}/wallet`, unknownSessionCookie(config.environment)),
    checkBilling(),
    checkDeployed(`${discoveryUrl}/v1/participants?limit=1`),
    checkDeployed(`${cdnUrl}/manifest.json`),
    checkService("production", productionUrl),
    checkLags("production", db, watch),
    Promise.all(journeys.map((check) => check())),
    ...(sandboxUrl === null ? [] : [checkService("sandbox", sandboxUrl), checkLags("sandbox", sandboxDb, watch)]),
  ]);
  return [
    { check: "wallet", ...wallet },
    { check: "billing", ...withDatabase(billing, production) },
    { check: "directory", ...directory },
    { check: "assets", ...assets },
    ...production,
    ...ofServices.flat(),
  ];
};

/** A cached catalogue may answer without the database, but billing doesn't work without it. */
export const withDatabase = (found: Finding, ofProduction: readonly CheckResult[]): Finding => {
  const database = ofProduction.find(({ check }) => check === "production.database");
  if (found.outcome !== "ok" || database?.outcome !== "failed") return found;
  return { outcome: "failed", detail: `the database is ${database.detail}` };
};
