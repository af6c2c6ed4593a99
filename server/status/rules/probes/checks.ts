import type { ComponentState } from "../board.ts";
import type { ComponentKey } from "../components.ts";

export type ServiceName = "production" | "sandbox";

export type CheckResult = {
  check: CheckKey;
  /** `not_found`: the host answered, and the component isn't there; `not_run`: the check wasn't possible */
  outcome: "ok" | "failed" | "no_response" | "not_found" | "not_run";
  detail: string;
};

type ServiceCheck = "health" | "readiness" | "database" | "metadata" | "keys" | "queue" | "mail" | "journey";
export type CheckKey = `${ServiceName}.${ServiceCheck}` | "wallet" | "billing" | "directory" | "assets";

/** `failure`: the component's state while the check fails. `isOptional`: the component might not be deployed. */
type CheckDefinition = { component: ComponentKey; failure: ComponentState; label: string; isOptional?: true };

const ofService = (
  service: ServiceName,
  component: ComponentKey,
): Record<`${ServiceName}.${ServiceCheck}`, CheckDefinition> =>
  Object.fromEntries(
    (
      [
        ["health", "major_outage", "Health"],
        ["readiness", "major_outage", "Readiness"],
        ["database", "major_outage", "Database"],
        ["metadata", "major_outage", "Metadata"],
        ["keys", "major_outage", "Signing keys"],
        ["journey", "partial_outage", "Synthetic journey"],
        ["queue", "degraded", "Queue"],
        ["mail", "degraded", "E-mail"],
      ] as const
    ).map(([name, failure, label]) => [`${service}.${name}`, { component, failure, label }]),
  ) as Record<`${ServiceName}.${ServiceCheck}`, CheckDefinition>;

/** The checks that decide each component's state. */
export const checkDefinitions: Readonly<Record<CheckKey, CheckDefinition>> = {
  ...ofService("production", "authorization_server"),
  wallet: { component: "wallet_portal", failure: "major_outage", label: "Sign-in page" },
  billing: { component: "billing_engine", failure: "major_outage", label: "Billing API", isOptional: true },
  directory: { component: "discovery_directory", failure: "major_outage", label: "Directory API", isOptional: true },
  assets: { component: "static_assets", failure: "major_outage", label: "Manifest", isOptional: true },
  ...ofService("sandbox", "sandbox"),
};
