import { SignJWT } from "jose";
import type { Deps } from "../../deps/deps.ts";
import type { KeyRing } from "../../deps/key-ring.ts";
import { federationStatementSeconds } from "../../kernel/key-purpose.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { Entity, Signer } from "./entities.ts";

export type SignDeps = { clock: Deps["clock"]; keys: Pick<KeyRing, "signingKey" | "jwks"> };

/** Signs claims with a federation key of the entity. Each kind of statement has its own `typ`. */
export const signAs = (
  { keys }: Pick<SignDeps, "keys">,
  signer: Signer,
  { typ, claims }: { typ: string; claims: Record<string, unknown> },
): Promise<string> => {
  const key = keys.signingKey(signer.keyPurpose);
  return new SignJWT({ iss: signer.id, ...claims })
    .setProtectedHeader({ alg: key.alg, typ, kid: key.kid })
    .sign(key.privateKey);
};

const entityStatementType = "entity-statement+jwt";

const validity = ({ clock }: Pick<SignDeps, "clock">) => {
  const iat = epochSeconds(clock.now());
  return { iat, exp: iat + federationStatementSeconds };
};

/** The entity's statement about itself. @param superior null for the trust anchor */
export const signConfiguration = (deps: SignDeps, entity: Entity, superior: Signer | null): Promise<string> =>
  signAs(deps, entity, {
    typ: entityStatementType,
    claims: {
      sub: entity.id,
      ...validity(deps),
      jwks: deps.keys.jwks(entity.keyPurpose),
      metadata: entity.metadata,
      ...(superior ? { authority_hints: [superior.id] } : {}),
    },
  });

export type Subordinate = {
  id: string;
  /** its federation keys */
  jwks: object;
  /** metadata that takes precedence over the entity's own */
  stated?: Readonly<Record<string, object>>;
};

/** The trust anchor's statement about an immediate subordinate: it lists the subordinate's federation keys. */
export const signSubordinateStatement = (
  deps: SignDeps,
  { anchor, subject: { id, jwks, stated } }: { anchor: Signer; subject: Subordinate },
): Promise<string> =>
  signAs(deps, anchor, {
    typ: entityStatementType,
    claims: {
      sub: id,
      ...validity(deps),
      jwks,
      ...(stated ? { metadata: stated } : {}),
      source_endpoint: `${anchor.id}/federation/fetch`,
    },
  });
