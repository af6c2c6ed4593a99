import type { BillingIssuer } from "../../../kernel/billing-party.ts";
import type { InvoiceCustomer } from "../issued-invoice.ts";
import { element, type XmlElement } from "./xml.ts";

type Address = { line1: string | null; line2: string | null; city: string | null; postalCode: string | null };

const optional = (name: string, text: string | null): XmlElement | null => (text === null ? null : element(name, text));

const addressElement = (address: Address, country: string): XmlElement =>
  element("cac:PostalAddress", [
    optional("cbc:StreetName", address.line1),
    optional("cbc:AdditionalStreetName", address.line2),
    optional("cbc:CityName", address.city),
    optional("cbc:PostalZone", address.postalCode),
    element("cac:Country", [element("cbc:IdentificationCode", country)]),
  ]);

const vatElement = (vatNumber: string | null): XmlElement | null =>
  vatNumber === null
    ? null
    : element("cac:PartyTaxScheme", [
        element("cbc:CompanyID", vatNumber),
        element("cac:TaxScheme", [element("cbc:ID", "VAT")]),
      ]);

const identification = (id: string): XmlElement => element("cac:PartyIdentification", [element("cbc:ID", id)]);
const legalEntity = (name: string): XmlElement =>
  element("cac:PartyLegalEntity", [element("cbc:RegistrationName", name)]);

/** BG-4. With category O, an invoice has no VAT numbers (BR-O-02); the identifier satisfies BR-CO-26. */
export const supplierElement = (issuer: BillingIssuer, hasVat: boolean): XmlElement =>
  element("cac:AccountingSupplierParty", [
    element("cac:Party", [
      identification(issuer.email),
      element("cac:PartyName", [element("cbc:Name", issuer.name)]),
      addressElement(issuer, issuer.country),
      vatElement(hasVat ? issuer.vatNumber : null),
      legalEntity(issuer.name),
      element("cac:Contact", [element("cbc:ElectronicMail", issuer.email)]),
    ]),
  ]);

const noAddress: Address = { line1: null, line2: null, city: null, postalCode: null };

/** BG-7. @param country used if the customer's is unknown, which only the sandbox allows */
export const customerElement = (customer: InvoiceCustomer, { hasVat, country }: { hasVat: boolean; country: string }) =>
  element("cac:AccountingCustomerParty", [
    element("cac:Party", [
      identification(customer.merchantId),
      element("cac:PartyName", [element("cbc:Name", customer.name)]),
      addressElement(customer.address ?? noAddress, customer.country ?? country),
      vatElement(hasVat ? customer.vatNumber : null),
      legalEntity(customer.name),
    ]),
  ]);
