import type { Deps } from "../../deps/deps.ts";
import { DomainError, sentenceRefusal } from "../../kernel/errors.ts";
import { type FetchedMetadata, fetchMetadata } from "../health/fetch-metadata.ts";
import { isSameIssuer, issuerMetadataUri } from "../rules/issuer.ts";

/**
 * Fetches the metadata of an authorization server, and the keys that it names, with the guards of the hourly checks.
 * The metadata must name exactly this issuer (RFC 8414 §3.3).
 * @throws DomainError invalid, naming /issuer; issuer_listed for the directory's own server; temporarily_unavailable.
 */
export const fetchServer = async (
  deps: Pick<Deps, "config" | "outbound" | "log">,
  issuer: string,
): Promise<FetchedMetadata> => {
  if (isSameIssuer(issuer, deps.config.baseUrl)) throw issuerListed();
  const uri = requireMetadataUri(deps, issuer);
  const result = await fetchMetadata(deps, [uri]);
  if (result.is === "busy") {
    throw new DomainError("unavailable", {
      code: "temporarily_unavailable",
      message: "The metadata can’t be fetched at the moment. Try again later.",
      headers: { "retry-after": "5" },
    });
  }
  const [fetched] = result.fetched;
  if (!fetched) throw sentenceRefusal("/issuer", result.problem ?? "The metadata can’t be fetched.");
  if (fetched.document["issuer"] !== issuer) {
    throw sentenceRefusal("/issuer", `${uri} has another issuer: ${String(fetched.document["issuer"])}`);
  }
  return fetched;
};

const requireMetadataUri = ({ outbound }: Pick<Deps, "outbound">, issuer: string): string => {
  const uri = issuerMetadataUri(issuer);
  if (uri === null) {
    throw sentenceRefusal(
      "/issuer",
      "Enter the issuer as an https URL without a query or fragment, for example https://auth.example.",
    );
  }
  const problem = outbound.urlProblem(uri);
  if (problem !== null) throw sentenceRefusal("/issuer", `The address ${uri} ${problem}.`);
  return uri;
};

export const issuerListed = (): DomainError =>
  new DomainError("conflict", { code: "issuer_listed", message: "The directory already lists this issuer." });
