import { findForeignKeyList, hasForeignKey } from "../../data/oauth/foreign-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { checkRules } from "../../kernel/rule.ts";
import { type KeySource, productionKeyRules, productionListRules } from "../rules/clients/client-jwks.ts";
import { importForeignKeys } from "./import-foreign-keys.ts";

const maxListAgeSeconds = 24 * 3600;

type Keys = {
  hashes: readonly string[];
  /** hashes of the client's current keys; any other key counts as new */
  knownHashes: readonly string[];
  source: KeySource;
};

/**
 * In the sandbox, refuses keys that are on production's list (docs/spec/oauth.md, Key separation). New keys are also
 * refused if the list is older than 24 hours.
 * @throws OAuthError invalid_client_metadata; temporarily_unavailable if the list is too old.
 */
export const checkForeignKeys = async (deps: Deps, { hashes, knownHashes, source }: Keys): Promise<void> => {
  if (deps.config.environment !== "sandbox" || deps.config.productionUrl === null) return;
  if (hashes.some((hash) => !knownHashes.includes(hash))) await requireFreshList(deps);
  checkRules(productionKeyRules, { isForeign: await hasForeignKey(deps.db.sql, hashes), source });
};

const requireFreshList = async (deps: Deps): Promise<void> => {
  if (await isListFresh(deps)) return;
  await importForeignKeys(deps).catch((err: unknown) => deps.log.warn({ err }, "production's key list not imported"));
  checkRules(productionListRules, { isFresh: await isListFresh(deps) });
};

const isListFresh = async ({ db, clock }: Deps): Promise<boolean> => {
  const list = await findForeignKeyList(db);
  return list !== null && clock.now().getTime() - list.issuedAt.getTime() < maxListAgeSeconds * 1000;
};
