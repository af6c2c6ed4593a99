import type { FetchedKeySet } from "../data/client-key-sets.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { OAuthError } from "../kernel/errors.ts";
import { getJson } from "../outbound/get-json.ts";
import { OutboundError } from "../outbound/outbound.ts";
import { checkForeignKeys } from "./foreign-keys.ts";
import { thumbprintHashes } from "./key-thumbprints.ts";
import { checkClientKeys } from "./rules/client-jwks.ts";
import { keySetSeconds } from "./rules/key-set-age.ts";

const problems = {
  bad_address: "must be https on port 443, without credentials or a fragment",
  unreachable: "nothing answers there that may be asked",
  timed_out: "does not answer within 5 seconds",
  too_large: "answers more than 64 KiB",
  bad_answer: "does not answer 200 with JSON",
} as const satisfies Partial<Record<OutboundError["problem"], string>>;

/**
 * Loads a key set and holds it to the rules of registration.
 * @param knownHashes of keys that the client has already, and that are therefore not new (1-oauth, Keys).
 * @param canWait at registration, which can be sent again; a client that authenticates can't wait.
 * @throws OAuthError invalid_client_metadata, which says what is wrong with the address or its answer.
 */
export const fetchClientKeys = async (
  deps: Deps,
  { jwksUri, knownHashes, canWait }: { jwksUri: string; knownHashes: readonly string[]; canWait: boolean },
): Promise<FetchedKeySet> => {
  const loadedAt = deps.clock.now();
  const accept = "application/jwk-set+json, application/json";
  const { value, headers } = await getJson(deps.outbound, jwksUri, { accept, canWait }).catch((cause: unknown) => {
    if (!(cause instanceof OutboundError)) throw cause;
    deps.log.info({ host: hostOf(jwksUri), problem: cause.message }, "jwks_uri");
    if (cause.problem === "busy") {
      throw new OAuthError("temporarily_unavailable", "jwks_uri: can't be loaded right now", { status: 503, cause });
    }
    throw new OAuthError("invalid_client_metadata", `jwks_uri: ${problems[cause.problem]}`, { cause });
  });
  const keys = checkClientKeys(value, "jwks_uri");
  const keyThumbprintHashes = await thumbprintHashes(keys, "jwks_uri");
  await checkForeignKeys(deps, { hashes: keyThumbprintHashes, knownHashes, source: "jwks_uri" });
  const expiresAt = addSeconds(loadedAt, keySetSeconds(headers["cache-control"]));
  return { jwks: { keys }, keyThumbprintHashes, loadedAt, expiresAt };
};

const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).host : "-");
