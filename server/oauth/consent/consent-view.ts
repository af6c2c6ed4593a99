import { type ClientParty, findClientParty } from "../../data/directory/client-parties.ts";
import { listMerchantBrands, type MerchantBrandRow } from "../../data/merchants/merchant-brands.ts";
import type { Deps } from "../../deps/deps.ts";
import { clientDomain } from "../../kernel/text/verified-domain.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { type Brand, toBrand } from "../../merchants/brand.ts";
import type { AuthorizationRequest } from "../requests/authorization-request.ts";
import { type ConsentRight, consentRights } from "../rules/scopes.ts";
import type { Replacement } from "./replacement.ts";

type ConsentTerms = {
  mandateId: string;
  details: PaymentMandateDetails;
  /** registered merchants by name, or categories by code; empty: any registered merchant */
  payees: ({ id: string; name: string; brand: Brand | null } | { category: string })[];
};

type ConsentMandate = ConsentTerms & {
  /** the terms before the change; null for a new mandate */
  current: (ConsentTerms & { version: number; isPaused: boolean }) | null;
};

/**
 * The content of the consent page. The form token contains its hash, so a change of any field makes the page outdated.
 */
export type ConsentView = {
  handle: string;
  client: {
    id: string;
    /** of the directory entry if the client is verified; otherwise as the client registered it */
    name: string;
    /** as the client registered it; the wallet and e-mails show this name */
    appName: string;
    isVerified: boolean;
    /** brand of the client's merchant; null unless the client is verified */
    brand: Brand | null;
    domain: string | null;
  };
  mandates: ConsentMandate[];
  /** the grant that approval replaces, and the mandates that end with it; null: approval creates a grant */
  replaces: {
    grantId: string;
    paymentMethodId: string | null;
    budgetVisible: boolean;
    ends: ConsentTerms[];
  } | null;
  /** rights in addition to payments */
  rights: ConsentRight[];
  redirectHost: string;
  environment: "production" | "sandbox";
};

type Parts = {
  handle: string;
  request: AuthorizationRequest;
  client: { id: string; name: string };
  replacement: Replacement | null;
};

export const toConsentView = async (deps: Pick<Deps, "db" | "config">, parts: Parts): Promise<ConsentView> => {
  const { handle, request, client, replacement } = parts;
  const shownDetails = [...request.details, ...(replacement?.grant.mandates ?? []).map(({ details }) => details)];
  const redirect = new URL(request.redirectUri);
  const domain = redirect.protocol === "https:" ? redirect.hostname : null;
  const verified = domain === null ? null : await findVerifiedParty(deps, { client, redirectUri: request.redirectUri });
  const ownMerchants = verified?.merchantId ? [verified.merchantId] : [];
  const ids = [...new Set([...shownDetails.flatMap(payeeIdsOf), ...ownMerchants])];
  const names = await listMerchantBrands(deps.db.sql, ids);
  return {
    handle,
    client: {
      id: client.id,
      // Anyone can register a client under any name. Beside a verified domain, the page shows the entry's name instead.
      name: verified?.displayName ?? client.name,
      appName: client.name,
      // The page warns if the redirect URI isn't on a domain that the directory has verified.
      isVerified: verified !== null,
      brand: toBrand(names.get(ownMerchants[0] ?? "")),
      domain: verified?.domain ?? domain,
    },
    mandates: request.details.map((_, index) => toMandate(parts, index, names)),
    replaces: replacement && {
      grantId: replacement.grant.id,
      paymentMethodId: replacement.paymentMethodId,
      budgetVisible: replacement.budgetVisible,
      ends: replacement.grant.mandates
        .filter(({ id }) => !request.mandateIds.includes(id))
        .map(({ id, details }) => toTerms(id, details, names)),
    },
    rights: consentRights(request.scopes),
    redirectHost: redirect.host,
    environment: deps.config.environment,
  };
};

/** The client's directory party and the verified domain of the redirect URI; null if there is no such domain. */
const findVerifiedParty = async (
  { db }: Pick<Deps, "db">,
  { client, redirectUri }: { client: { id: string }; redirectUri: string },
): Promise<(ClientParty & { domain: string }) | null> => {
  const party = await findClientParty(db.sql, client.id);
  const domain = clientDomain([redirectUri], party?.domains ?? []);
  return party === null || domain === null ? null : { ...party, domain };
};

type MerchantNames = ReadonlyMap<string, MerchantBrandRow>;

const toMandate = ({ request, replacement }: Parts, index: number, names: MerchantNames): ConsentMandate => {
  const details = request.details[index];
  const mandateId = request.mandateIds[index];
  if (!details || mandateId === undefined) throw new Error("a request needs one mandate id per details item");
  const current = replacement?.grant.mandates.find(({ id }) => id === details.identifier);
  if (!current) return { ...toTerms(mandateId, details, names), current: null };
  const { version, state } = current;
  return {
    // A change of a mandate doesn't change its start.
    ...toTerms(mandateId, { ...details, valid_from: current.details.valid_from }, names),
    current: { ...toTerms(mandateId, current.details, names), version, isPaused: state === "suspended" },
  };
};

const toTerms = (mandateId: string, details: PaymentMandateDetails, names: MerchantNames): ConsentTerms => ({
  mandateId,
  details,
  payees: (details.payees ?? []).map((payee) =>
    "id" in payee ? toPayee(payee.id, names) : { category: payee.category },
  ),
});

const toPayee = (id: string, names: MerchantNames) => {
  const row = names.get(id);
  return { id, name: row?.name ?? id, brand: toBrand(row) };
};

/** The merchants that are named by id. */
export const payeeIdsOf = (details: PaymentMandateDetails): string[] =>
  (details.payees ?? []).flatMap((payee) => ("id" in payee ? [payee.id] : []));
