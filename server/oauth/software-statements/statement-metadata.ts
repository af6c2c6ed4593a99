import { sentenceRefusal } from "../../kernel/errors.ts";
import { verifiedDomainOf } from "../../kernel/text/verified-domain.ts";
import { memberRefusal } from "../own-clients/metadata-refusal.ts";
import { checkClientKeys } from "../rules/clients/client-jwks.ts";
import { checkMembers, type Raw } from "../rules/clients/metadata-members.ts";
import { readableMembers } from "../rules/clients/readable-metadata.ts";
import { checkRedirectUri } from "../rules/clients/redirect-uri.ts";

/** The software that a statement describes. It has either `jwks` or `jwksUri`. */
export type Software = {
  softwareId: string;
  clientName: string;
  redirectUris: readonly string[];
  jwks: Raw | null;
  jwksUri: string | null;
};

/** The form field, and its name in messages, of each member. */
const fields = {
  software_id: ["softwareId", "The software ID"],
  client_name: ["clientName", "The name"],
  redirect_uris: ["redirectUris", "The redirect URIs"],
  jwks: ["jwks", "The keys"],
  jwks_uri: ["jwksUri", "The URL of the keys"],
} as const;

const maxRedirectUris = 20;

/**
 * The metadata of a statement, in wire names. The keys are part of it, so a statement is useless without the private
 * keys. Each URL uses https, and its host is a verified domain or a subdomain of one.
 * @throws DomainError invalid, naming the field.
 */
export const statementMetadata = (software: Software, verifiedDomains: readonly string[]): Raw => {
  const { redirectUris, jwks, jwksUri } = software;
  if ((jwks === null) === (jwksUri === null)) {
    throw sentenceRefusal(jwks ? "/jwksUri" : "/jwks", "Enter either the public keys or the URL of the keys.");
  }
  if (redirectUris.length > maxRedirectUris) {
    throw sentenceRefusal("/redirectUris", `Enter at most ${maxRedirectUris} redirect URIs.`);
  }
  const metadata = checkedMetadata(software);
  for (const uri of redirectUris) requireVerified("/redirectUris", uri, verifiedDomains);
  if (jwksUri !== null) requireVerified("/jwksUri", jwksUri, verifiedDomains);
  return metadata;
};

const checkedMetadata = ({ softwareId, clientName, redirectUris, jwks, jwksUri }: Software): Raw => {
  const addresses = redirectUris.length > 0 ? { redirect_uris: [...new Set(redirectUris)] } : {};
  const metadata = { software_id: softwareId, client_name: clientName, ...addresses };
  try {
    checkMembers({ ...metadata, ...(jwksUri === null ? {} : { jwks_uri: jwksUri }) });
    readableMembers(metadata);
    for (const uri of redirectUris) checkRedirectUri(uri, { allowsLocalhost: false });
    return {
      ...metadata,
      ...(jwksUri === null ? { jwks: { keys: checkClientKeys(jwks, "jwks") } } : { jwks_uri: jwksUri }),
    };
  } catch (error) {
    throw memberRefusal(error, fields, fields.jwks);
  }
};

const requireVerified = (pointer: string, address: string, verifiedDomains: readonly string[]): void => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === "https:" && verifiedDomainOf(url.hostname, verifiedDomains) !== null) return;
  throw sentenceRefusal(pointer, "Enter https addresses on your verified domains or their subdomains only.");
};

/** The hosts of the URLs in a statement's metadata. */
export const statementHosts = ({ redirect_uris: redirectUris, jwks_uri: jwksUri }: Raw): string[] =>
  [...(Array.isArray(redirectUris) ? redirectUris : []), ...(jwksUri === undefined ? [] : [jwksUri])].map((uri) =>
    typeof uri === "string" && URL.canParse(uri) ? new URL(uri).hostname : "",
  );
