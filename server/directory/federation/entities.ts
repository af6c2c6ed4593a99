import { findLogKey } from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { formatNoteKey } from "../../kernel/crypto/note-key.ts";
import type { KeyPurpose } from "../../kernel/key-purpose.ts";
import { originOf } from "../rules/log/checkpoint.ts";

/** An entity's identifier and the purpose of its federation keys. */
export type Signer = { id: string; keyPurpose: KeyPurpose & `federation_${string}` };

/** An entity of the federation, with what it publishes about itself. */
export type Entity = Signer & {
  /** by entity type */
  metadata: Readonly<Record<string, object>>;
};

const organizationOf = ({ config }: Pick<Deps, "config">) => ({
  organization_name: config.environment === "sandbox" ? "Paygrant sandbox" : "Paygrant",
  organization_uri: config.baseUrl,
});

/** The directory as the signer of statements. */
export const anchorSigner = ({ config }: Pick<Deps, "config">): Signer => ({
  id: config.discoveryUrl,
  keyPurpose: "federation_anchor",
});

/** The directory. `log_key` verifies the checkpoints of its log; it is left out until the log has a key. */
export const trustAnchor = async (deps: Pick<Deps, "config" | "db">): Promise<Entity> => {
  const { discoveryUrl } = deps.config;
  const logKey = await findLogKey(deps.db.sql);
  return {
    ...anchorSigner(deps),
    metadata: {
      federation_entity: {
        federation_fetch_endpoint: `${discoveryUrl}/federation/fetch`,
        federation_list_endpoint: `${discoveryUrl}/federation/list`,
        federation_resolve_endpoint: `${discoveryUrl}/federation/resolve`,
        federation_historical_keys_endpoint: `${discoveryUrl}/federation/historical-keys`,
        ...organizationOf(deps),
        ...(logKey ? { log_key: formatNoteKey(originOf(discoveryUrl), logKey.publicKey) } : {}),
      },
    },
  };
};

/** The authorization server. @param serverMetadata RFC 8414 */
export const serverEntity = (deps: Pick<Deps, "config">, serverMetadata: object): Entity => ({
  id: deps.config.baseUrl,
  keyPurpose: "federation_server",
  metadata: { federation_entity: organizationOf(deps), oauth_authorization_server: serverMetadata },
});
