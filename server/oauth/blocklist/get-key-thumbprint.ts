import { DomainError } from "../../kernel/errors.ts";
import { thumbprintsOf } from "../client-keys/key-thumbprints.ts";
import { type KeyProblem, readKeyToBlock } from "../rules/clients/key-to-block.ts";

const messages: Readonly<Record<KeyProblem, string>> = {
  private_key:
    "This is a private key. Paste only the public key, without any of the private members d, p, q, dp, dq, qi, oth, k or priv. Anyone who has seen the private key can use it.",
  unreadable_key:
    "This isn’t a thumbprint or a JWK. Enter the 43 characters of a thumbprint (RFC 7638), or one JWK as JSON.",
  unsupported_key: "Clients can’t use a key of this kind. A client’s key is RSA, EC P-256 or Ed25519.",
};

const refusal = (code: KeyProblem): DomainError =>
  new DomainError("unprocessable", {
    code,
    message: messages[code],
    errors: [{ pointer: "/key", detail: messages[code] }],
  });

/**
 * The thumbprint of a key that an operator entered (RFC 7638), the same for every encoding of the key.
 * @throws DomainError private_key, unreadable_key, unsupported_key.
 */
export const getKeyThumbprint = async ({ key }: { key: string }): Promise<string> => {
  const read = readKeyToBlock(key);
  if (read.kind === "problem") throw refusal(read.problem);
  if (read.kind === "thumbprint") return read.thumbprint;
  const [thumbprint] = await thumbprintsOf([read.jwk]);
  if (thumbprint === undefined) throw refusal("unsupported_key");
  return thumbprint;
};
