import {
  claimHealthCheck,
  type HealthCheckRow,
  type HealthResult,
  postponeHealthCheck,
} from "../../data/directory/participant-health.ts";
import { findParticipant, type ParticipantRow } from "../../data/directory/participants.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { addCheck, secondsToNextCheck } from "../rules/health.ts";
import { isVerifiedHost } from "../rules/verified-host.ts";
import { type FetchResult, fetchMetadata } from "./fetch-metadata.ts";
import { recordCheck } from "./record-check.ts";

/** Longer than the longest check. After this time, another worker takes over the check of a killed worker. */
const leaseSeconds = 60;

type CheckDeps = Pick<Deps, "db" | "clock" | "config" | "outbound" | "log">;

/**
 * Fetches the metadata and keys of active participants hourly, and less often after many failures in a row
 * (docs/spec/directory.md, Health). Any number of workers share the work. The lanes of a run share its limit, so a slow
 * host delays only its own lane.
 * @returns how many due participants were handled, checked or not, at most `limit`.
 */
export const checkHealth = async (
  deps: CheckDeps,
  { lanes, limit, requestId }: { lanes: number; limit: number; requestId: string },
): Promise<number> => {
  let left = limit;
  let checked = 0;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const now = deps.clock.now();
      const check = await claimHealthCheck(deps.db.sql, now, addSeconds(now, leaseSeconds));
      if (!check) return;
      await checkOne(deps, check, requestId);
      checked += 1;
    }
  };
  const results = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return checked;
};

const checkOne = async (deps: CheckDeps, check: HealthCheckRow, requestId: string): Promise<void> => {
  const row = await findParticipant(deps.db.sql, check.participantId);
  const uris = row?.status === "active" ? checkedUris(deps, row) : [];
  if (!row || uris.length === 0) {
    await postponeHealthCheck(deps.db.sql, check, nextCheckAt(deps.clock.now(), 0));
    return;
  }
  const result = await fetchMetadata(deps, uris);
  // `busy`: nothing is known about the participant. It is due again when the lease ends.
  if (result.is === "busy") return;
  await recordCheck(deps, { check, row, fetched: result.fetched, requestId, ...measured(deps, check, result) });
};

const nextCheckAt = (at: Date, failures: number): Date => addSeconds(at, secondsToNextCheck(failures, Math.random()));

const measured = (
  { clock }: Pick<Deps, "clock">,
  check: HealthCheckRow,
  { problem, latencyMs }: FetchResult & { is: "checked" },
): { result: HealthResult } => {
  const at = clock.now();
  const failures = problem === null ? 0 : check.failures + 1;
  const days = addCheck(check.days, { at, failures, latencyMs });
  const dueAt = nextCheckAt(at, failures);
  return { result: { at, dueAt, problem, latencyMs: problem === null ? latencyMs : null, failures, days } };
};

/**
 * Documents on a host that is no longer a verified domain aren't fetched, except those of the authorization server
 * itself. A URL to which outbound requests aren't allowed is left out.
 */
const checkedUris = ({ outbound }: Pick<Deps, "outbound">, row: ParticipantRow): string[] => {
  const isOwn = (uri: string) =>
    row.roles.includes("authorization_server") || isVerifiedHost(row, new URL(uri).hostname);
  return row.metadataUris.filter((uri) => isOwn(uri) && outbound.urlProblem(uri) === null);
};
