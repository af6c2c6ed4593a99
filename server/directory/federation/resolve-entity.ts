import { decodeJwt } from "jose";
import type { Deps } from "../../deps/deps.ts";
import { OAuthError } from "../../kernel/errors.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { trustAnchor } from "./entities.ts";
import { entityNotFound, findSubordinate } from "./find-subordinates.ts";
import { signAs, signConfiguration, signSubordinateStatement } from "./sign-statements.ts";

type Input = {
  sub: string;
  /** the request is valid if one of them is the directory */
  trustAnchors: readonly string[];
  /** empty: all */
  entityTypes: readonly string[];
  serverMetadata: object;
};

/**
 * The metadata of an entity with its trust chain, from the entity's configuration to that of the directory.
 * @throws OAuthError not_found, invalid_trust_anchor (OpenID Federation 1.0, Resolve Entity).
 */
export const resolveEntity = async (deps: Deps, input: Input): Promise<string> => {
  const { sub, trustAnchors, entityTypes, serverMetadata } = input;
  const anchor = await trustAnchor(deps);
  if (!trustAnchors.includes(anchor.id)) {
    throw new OAuthError("invalid_trust_anchor", "trust_anchor must be this directory", { status: 404 });
  }
  const subject = sub === anchor.id ? null : await findSubordinate(deps, { sub, serverMetadata });
  if (sub !== anchor.id && !subject) throw entityNotFound();
  const ofSubject = subject ? [subject.configuration(), signSubordinateStatement(deps, { anchor, subject })] : [];
  const trustChain = await Promise.all([...ofSubject, signConfiguration(deps, anchor, null)]);
  const metadata = Object.entries((subject ?? anchor).metadata).filter(
    ([type]) => entityTypes.length === 0 || entityTypes.includes(type),
  );
  return signAs(deps, anchor, {
    typ: "resolve-response+jwt",
    claims: {
      sub,
      iat: epochSeconds(deps.clock.now()),
      exp: Math.min(...trustChain.map((statement) => decodeJwt(statement).exp ?? 0)),
      metadata: Object.fromEntries(metadata),
      trust_chain: trustChain,
    },
  });
};
