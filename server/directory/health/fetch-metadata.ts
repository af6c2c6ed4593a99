import type { Deps } from "../../deps/deps.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { getJson } from "../../platform/outbound/get-json.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { readKeySet, readMetadata } from "../rules/metadata-document.ts";

/** A metadata document with the JWK Set that it names, as published now. */
export type FetchedMetadata = { uri: string; document: JsonObject; jwks: JsonObject | null };

/**
 * `problem`: a sentence about the first document that could not be read; null if all were read. `fetched`: those that
 * were read. `busy`: too many requests are in progress, so nothing is known.
 */
export type FetchResult =
  | { is: "checked"; fetched: FetchedMetadata[]; problem: string | null; latencyMs: number }
  | { is: "busy" };

/** After this time, no further request is sent, so that slow responses don't add up. */
const maxStartMilliseconds = 5_000;

const failures: Readonly<Record<Exclude<OutboundError["problem"], "busy">, string>> = {
  bad_address: "is a URL that can’t be used",
  unreachable: "can’t be reached: its host has no public IP address that responds",
  timed_out: "isn’t returned within 5 seconds",
  too_large: "is larger than 64 KiB",
  bad_answer: "isn’t returned with status 200 as JSON",
};

type FetchDeps = Pick<Deps, "outbound" | "log">;

/** A document that can't be used. */
class Unusable extends Error {}

/**
 * Fetches the metadata documents of a participant, one after the other, each with its JWK Set. The first problem ends
 * the fetch. The latency is that of the slowest response.
 */
export const fetchMetadata = async (deps: FetchDeps, uris: readonly string[]): Promise<FetchResult> => {
  const fetched: FetchedMetadata[] = [];
  const timer = createTimer(deps);
  try {
    for (const uri of uris) {
      fetched.push(await fetchOne(uri, timer.get));
    }
    return { is: "checked", fetched, problem: null, latencyMs: timer.slowest() };
  } catch (error) {
    if (error instanceof OutboundError && error.problem === "busy") return { is: "busy" };
    if (!(error instanceof Unusable)) throw error;
    return { is: "checked", fetched, problem: error.message, latencyMs: timer.slowest() };
  }
};

type Get = (address: string, accept: string) => Promise<unknown>;

const fetchOne = async (uri: string, get: Get): Promise<FetchedMetadata> => {
  const metadata = readMetadata(uri, await get(uri, "application/json"));
  if ("problem" in metadata) throw new Unusable(`${uri} ${metadata.problem}.`);
  const { document, jwksUri } = metadata;
  if (jwksUri === null) return { uri, document, jwks: null };
  const keySet = readKeySet(await get(jwksUri, "application/jwk-set+json, application/json"));
  if ("problem" in keySet) throw new Unusable(`${jwksUri} ${keySet.problem}.`);
  return { uri, document, jwks: keySet.jwks };
};

/** Measures the requests, and sends none after `maxStartMilliseconds`. */
const createTimer = ({ outbound, log }: FetchDeps): { get: Get; slowest(): number } => {
  let slowest = 0;
  const end = performance.now() + maxStartMilliseconds;
  return {
    slowest: () => slowest,
    async get(address, accept) {
      const startedAt = performance.now();
      if (startedAt > end) throw new Unusable("Fetching all documents took longer than 5 seconds.");
      try {
        const { value } = await getJson(outbound, address, { accept, canWait: true });
        slowest = Math.max(slowest, Math.ceil(performance.now() - startedAt));
        return value;
      } catch (error) {
        if (!(error instanceof OutboundError) || error.problem === "busy") throw error;
        log.info({ address, problem: error.message }, "metadata of a participant");
        throw new Unusable(`${address} ${failures[error.problem]}.`, { cause: error });
      }
    },
  };
};
