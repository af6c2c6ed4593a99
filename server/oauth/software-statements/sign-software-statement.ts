import { SignJWT } from "jose";
import type { Config } from "../../deps/config.ts";
import type { Deps } from "../../deps/deps.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { Raw } from "../rules/clients/metadata-members.ts";

export const statementType = "paygrant-software-statement+jwt";

type Attestation = {
  /** the `jti` */
  id: string;
  participantId: string;
  /** RFC 7591 §2, in wire names */
  metadata: Raw;
  issuedAt: Date;
  expiresAt: Date;
};

/** Signs values of a participant's software. With the signature, the directory vouches for them (RFC 7591 §2.3). */
export const signSoftwareStatement = (
  { config, keys }: Pick<Deps, "keys"> & { config: Pick<Config, "discoveryUrl"> },
  { id, participantId, metadata, issuedAt, expiresAt }: Attestation,
): Promise<string> => {
  const key = keys.signingKey("directory");
  return new SignJWT({ ...metadata })
    .setProtectedHeader({ alg: key.alg, typ: statementType, kid: key.kid })
    .setIssuer(config.discoveryUrl)
    .setSubject(participantId)
    .setJti(id)
    .setIssuedAt(epochSeconds(issuedAt))
    .setExpirationTime(epochSeconds(expiresAt))
    .sign(key.privateKey);
};
