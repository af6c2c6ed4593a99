import { findLogKey } from "../../data/directory/log.ts";
import type { Deps } from "../../deps/deps.ts";
import type { KeyPurpose } from "../../kernel/key-purpose.ts";
import { originOf, verifierKey } from "../rules/log/checkpoint.ts";

/** An entity of the federation: its identifier, its federation keys, and what it publishes about itself. */
export type Entity = {
  id: string;
  keyPurpose: KeyPurpose & `federation_${string}`;
  /** by entity type */
  metadata: Readonly<Record<string, object>>;
};

const organizationOf = ({ config }: Pick<Deps, "config">) => ({
  organization_name: config.environment === "sandbox" ? "Paygrant sandbox" : "Paygrant",
  organization_uri: config.baseUrl,
});

/** The directory. `log_key` verifies the checkpoints of its log; it is left out until the log has a key. */
export const trustAnchor = async (deps: Pick<Deps, "config" | "db">): Promise<Entity> => {
  const { discoveryUrl } = deps.config;
  const logKey = await findLogKey(deps.db.sql);
  return {
    id: discoveryUrl,
    keyPurpose: "federation_anchor",
    metadata: {
      federation_entity: {
        federation_fetch_endpoint: `${discoveryUrl}/federation/fetch`,
        federation_list_endpoint: `${discoveryUrl}/federation/list`,
        federation_resolve_endpoint: `${discoveryUrl}/federation/resolve`,
        federation_historical_keys_endpoint: `${discoveryUrl}/federation/historical-keys`,
        ...organizationOf(deps),
        ...(logKey ? { log_key: verifierKey(originOf(discoveryUrl), logKey.publicKey) } : {}),
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
