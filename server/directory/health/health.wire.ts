import { z } from "zod";
import type { MeasuredHealth } from "../../data/directory/participant-health.ts";
import type { MetadataChangeRow, MetadataSnapshot } from "../../data/directory/participant-metadata.ts";
import { uptimeOf } from "../rules/health.ts";

const instant = z.string();

/** What the hourly checks of a participant's metadata measured. */
export const healthSchema = z.object({
  status: z.enum(["up", "down"]).describe("Result of the last check"),
  last_checked_at: instant,
  last_success_at: instant.nullable().describe("Null if no check succeeded yet"),
  latency_ms: z.int().nullable().describe("Slowest response of the last check that succeeded"),
  uptime_30d: z.string().nullable().describe("Percent of the last 30 days, rounded down"),
  problem: z.string().nullable().describe("Why the last check failed; null if it succeeded"),
});

type Health = z.infer<typeof healthSchema>;

type Measured = Pick<MeasuredHealth, "latencyMs" | "problem" | "days"> & {
  /** a string if the database returned the row as JSON */
  checkedAt: Date | string;
  lastSuccessAt: Date | string | null;
};

/** @param row of a participant whose metadata was checked at least once. */
export const toHealth = (row: Measured, now: Date): Health => ({
  status: row.problem === null ? "up" : "down",
  last_checked_at: new Date(row.checkedAt).toISOString(),
  last_success_at: row.lastSuccessAt && new Date(row.lastSuccessAt).toISOString(),
  latency_ms: row.latencyMs,
  uptime_30d: uptimeOf(row.days, now),
  problem: row.problem,
});

const json = z.record(z.string(), z.unknown());

/** The snapshots of a participant's metadata, and the newest changes. */
export const metadataSchema = z.object({
  data: z.array(
    z.object({
      uri: z.string(),
      fetched_at: instant.nullable().describe("Last fetch that succeeded; null before the first one"),
      changed_at: instant.nullable().describe("Fetch that last found a change; null if none did"),
      document: json.nullable().describe("The metadata as last fetched"),
      jwks: json.nullable().describe("The JWK Set at its `jwks_uri` as last fetched; null if it has none"),
    }),
  ),
  changes: z
    .array(
      z.object({
        uri: z.string(),
        part: z.enum(["metadata", "jwks"]).describe("The document itself, or the JWK Set that it names"),
        changed_at: instant,
        diff: z.array(z.looseObject({ op: z.string(), path: z.string() })).describe("JSON Patch (RFC 6902)"),
      }),
    )
    .describe("The newest 20 changes that the checks found, newest first"),
});

export type MetadataChange = z.infer<typeof metadataSchema>["changes"][number];

export const toMetadata = (
  snapshots: readonly MetadataSnapshot[],
  changes: readonly MetadataChangeRow[],
): z.infer<typeof metadataSchema> => ({
  data: snapshots.map(({ uri, document, jwks, fetchedAt, changedAt }) => ({
    uri,
    fetched_at: fetchedAt?.toISOString() ?? null,
    changed_at: changedAt?.toISOString() ?? null,
    document,
    jwks,
  })),
  changes: changes.map(toMetadataChange),
});

export const toMetadataChange = ({ uri, part, changedAt, diff }: MetadataChangeRow): MetadataChange => ({
  uri,
  part,
  changed_at: changedAt.toISOString(),
  diff: diff as MetadataChange["diff"],
});
