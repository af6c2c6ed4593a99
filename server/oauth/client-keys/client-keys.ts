import type { KeySet } from "../../contract/callers.ts";
import type { LoadedKeySet } from "../../data/oauth/client-key-sets.ts";
import type { ClientRow } from "../../data/oauth/clients.ts";
import type { Deps } from "../../deps/deps.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import { areCurrent, renewAt } from "../rules/clients/key-set-age.ts";
import { createKeySet } from "./key-set.ts";
import { refetchClientKeys, renewClientKeys } from "./load-client-keys.ts";

/**
 * The imported keys of one client: registered, or loaded from its jwks_uri. Loaded keys expire, and are reloaded before
 * they expire. An unknown kid causes a reload at most once a minute.
 */
export const clientKeySet = (deps: Deps, client: ClientRow): KeySet =>
  client.jwksUri === null
    ? createKeySet(client.jwks, client.blockedKeyHashes)
    : loadedKeySet(deps, client, client.jwksUri);

type Held = { keys: KeySet; generation: number; loadedAt: Date; expiresAt: Date };

const loadedKeySet = (deps: Deps, client: ClientRow, jwksUri: string): KeySet => {
  // A load that adds or removes a blocked key changes the client's version, so the row is read again.
  const toKeys = (jwks: { keys: readonly object[] }) => createKeySet(jwks, client.blockedKeyHashes);
  let held: Held | null = heldBy(client);
  const known = () => ({ clientId: client.id, jwksUri, generation: held?.generation ?? null });
  const hold = (loaded: LoadedKeySet): Held => {
    // A concurrent caller may have imported the keys of the same load already.
    const { jwks, generation, loadedAt, expiresAt } = loaded;
    if (held?.generation !== generation) held = { keys: toKeys(jwks), generation, loadedAt, expiresAt };
    return held;
  };
  const current = async (): Promise<Held> => {
    const now = deps.clock.now();
    if (!held || !areCurrent(held, now)) return hold(await renewClientKeys(deps, known()));
    if (renewAt(held) <= now) {
      renewClientKeys(deps, known()).then(hold, (err: unknown) =>
        deps.log.info({ clientId: client.id, err }, "jwks_uri: keys not refreshed"),
      );
    }
    return held;
  };
  return {
    find: (header) => held?.keys.find(header) ?? null,
    findBlocked: (header) => held?.keys.findBlocked(header) ?? null,
    async prepare(header) {
      const { keys } = await current();
      if (keys.find(header) ?? keys.findBlocked(header)) return;
      const loaded = await refetchClientKeys(deps, known()).catch(nullIfRefused);
      if (loaded) hold(loaded);
    },
  };
};

/** If the reload fails, the cached keys are still used. None of them has this kid. */
const nullIfRefused = (error: unknown): null => {
  if (isOAuthError(error)) return null;
  throw error;
};

const heldBy = ({
  jwks,
  keysGeneration: generation,
  keysLoadedAt,
  keysExpireAt,
  blockedKeyHashes,
}: ClientRow): Held | null =>
  generation !== null && keysLoadedAt && keysExpireAt
    ? { keys: createKeySet(jwks, blockedKeyHashes), generation, loadedAt: keysLoadedAt, expiresAt: keysExpireAt }
    : null;
