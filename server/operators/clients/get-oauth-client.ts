import { findKeyUses } from "../../data/merchants/own-clients.ts";
import {
  type ClientFacts,
  type ClientHoldings,
  countClientHoldings,
  findClientChanges,
  findClientFacts,
} from "../../data/operators/client-search.ts";
import type { ActOnObject } from "../../data/operators/object-records.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { clientDomain } from "../../kernel/text/verified-domain.ts";
import { thumbprintsOf } from "../../oauth/client-keys/key-thumbprints.ts";

type ClientKey = {
  kid: string | null;
  alg: string | null;
  /** RFC 7638 */
  thumbprint: string;
  lastUsedAt: Date | null;
};

export type ClientForOperator = {
  /** `verifiedDomain`: the domain under which all redirect URIs are verified now; null if they aren't */
  client: Omit<ClientFacts, "jwks" | "verifiedDomains"> & { verifiedDomain: string | null };
  keys: ClientKey[];
  /** counted up to `maxCounted` */
  holdings: ClientHoldings;
  /** newest first, from the audit log */
  history: ActOnObject[];
};

const maxCounted = 1_000;
const maxEntries = 50;

export const clientNotFound = () =>
  new DomainError("not_found", { code: "client_not_found", message: "Client not found. Check the ID." });

/** Any client, even a deleted one, with its keys, grants and mandates. @throws DomainError not_found. */
export const getOAuthClient = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { clientId }: { clientId: string },
): Promise<ClientForOperator> => {
  const found = await findClientFacts(db.sql, clientId);
  if (!found) throw clientNotFound();
  const { jwks, verifiedDomains, ...facts } = found;
  const client = { ...facts, verifiedDomain: clientDomain(facts.redirectUris, verifiedDomains) };
  const at = await businessClock.now();
  const [uses, holdings, history, thumbprints] = await Promise.all([
    findKeyUses(db.sql, clientId),
    countClientHoldings(db.sql, { clientId, at, limit: maxCounted }),
    findClientChanges(db.sql, { clientId, from: client.createdAt, limit: maxEntries }),
    thumbprintsOf(jwks.keys),
  ]);
  const isAlone = jwks.keys.length === 1;
  const keys = jwks.keys.map(({ kid, alg }, index) => ({
    kid: kid ?? null,
    alg: alg ?? null,
    thumbprint: thumbprints[index] ?? "",
    // The key of an assertion without a kid is known only if the client has a single key.
    lastUsedAt: latestOf([uses.get(kid ?? ""), isAlone ? uses.get("") : undefined]),
  }));
  return { client, keys, holdings, history };
};

const latestOf = (times: readonly (Date | undefined)[]): Date | null =>
  times.reduce<Date | null>((latest, at) => (at && (latest === null || at > latest) ? at : latest), null);
