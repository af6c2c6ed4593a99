import type { FetchedKeySet } from "../../data/oauth/client-key-sets.ts";
import type { Deps } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getJson } from "../../platform/outbound/get-json.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { checkClientKeys } from "../rules/clients/client-jwks.ts";
import { jwksUriLoadRules } from "../rules/clients/jwks-uri.ts";
import { keySetSeconds } from "../rules/clients/key-set-age.ts";
import { checkForeignKeys } from "./foreign-keys.ts";
import { thumbprintHashes } from "./key-thumbprints.ts";

/**
 * Fetches a key set and checks it by the rules of registration.
 * @param knownHashes hashes of the client's current keys; other keys are new (docs/spec/oauth.md, Key separation).
 * @param canWait true at registration, because the client can repeat a refused registration later. The limit of
 *   concurrent requests is lower if `canWait` is true.
 * @throws OAuthError invalid_client_metadata that states the problem with the URL, its response or a key;
 *   temporarily_unavailable if too many requests are in progress, or production's key list is too old.
 */
export const fetchClientKeys = async (
  deps: Deps,
  { jwksUri, knownHashes, canWait }: { jwksUri: string; knownHashes: readonly string[]; canWait: boolean },
): Promise<FetchedKeySet> => {
  const loadedAt = deps.clock.now();
  const accept = "application/jwk-set+json, application/json";
  const loading = getJson(deps.outbound, jwksUri, { accept, canWait });
  const { value, headers } = await loading.catch((cause: unknown) => {
    if (!(cause instanceof OutboundError)) throw cause;
    deps.log.info({ host: hostOf(jwksUri), problem: cause.message }, "keys not loaded from the jwks_uri");
    checkRules(jwksUriLoadRules, cause, () => ({ cause }));
    throw cause;
  });
  const keys = checkClientKeys(value, "jwks_uri");
  const keyThumbprintHashes = await thumbprintHashes(keys, "jwks_uri");
  await checkForeignKeys(deps, { hashes: keyThumbprintHashes, knownHashes, source: "jwks_uri" });
  const expiresAt = addSeconds(loadedAt, keySetSeconds(headers["cache-control"]));
  return { jwks: { keys }, keyThumbprintHashes, loadedAt, expiresAt };
};

const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).host : "-");
