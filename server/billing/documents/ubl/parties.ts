import type { BillingIssuer } from "../../../kernel/billing/party.ts";
import type { InvoiceCustomer } from "../issued-invoice.ts";
import { vatIdentifier } from "./vat-identifier.ts";
import { ublElement, type XmlElement } from "./xml.ts";

type Address = { line1: string | null; line2: string | null; city: string | null; postalCode: string | null };

const optional = (name: string, text: string | null): XmlElement | null =>
  text === null ? null : ublElement(name, text);

const addressElement = (address: Address, country: string): XmlElement =>
  ublElement("cac:PostalAddress", [
    optional("cbc:StreetName", address.line1),
    optional("cbc:AdditionalStreetName", address.line2),
    optional("cbc:CityName", address.city),
    optional("cbc:PostalZone", address.postalCode),
    ublElement("cac:Country", [ublElement("cbc:IdentificationCode", country)]),
  ]);

const vatElement = (vatNumber: string | null): XmlElement | null => {
  const identifier = vatIdentifier(vatNumber);
  return identifier === null
    ? null
    : ublElement("cac:PartyTaxScheme", [
        ublElement("cbc:CompanyID", identifier),
        ublElement("cac:TaxScheme", [ublElement("cbc:ID", "VAT")]),
      ]);
};

const identification = (id: string): XmlElement => ublElement("cac:PartyIdentification", [ublElement("cbc:ID", id)]);
const legalEntity = (name: string): XmlElement =>
  ublElement("cac:PartyLegalEntity", [ublElement("cbc:RegistrationName", name)]);

/** BG-4. With category O, an invoice has no VAT numbers (BR-O-02), so BR-CO-26 requires the identifier. */
export const supplierElement = (issuer: BillingIssuer, hasVat: boolean): XmlElement =>
  ublElement("cac:AccountingSupplierParty", [
    ublElement("cac:Party", [
      identification(issuer.email),
      ublElement("cac:PartyName", [ublElement("cbc:Name", issuer.name)]),
      addressElement(issuer, issuer.country),
      vatElement(hasVat ? issuer.vatNumber : null),
      legalEntity(issuer.name),
      ublElement("cac:Contact", [ublElement("cbc:ElectronicMail", issuer.email)]),
    ]),
  ]);

const noAddress: Address = { line1: null, line2: null, city: null, postalCode: null };

/** BG-7. */
export const customerElement = (
  customer: InvoiceCustomer,
  { hasVat, country }: { hasVat: boolean; country: string },
): XmlElement =>
  ublElement("cac:AccountingCustomerParty", [
    ublElement("cac:Party", [
      identification(customer.merchantId),
      ublElement("cac:PartyName", [ublElement("cbc:Name", customer.name)]),
      addressElement(customer.address ?? noAddress, country),
      vatElement(hasVat ? customer.vatNumber : null),
      legalEntity(customer.name),
    ]),
  ]);
