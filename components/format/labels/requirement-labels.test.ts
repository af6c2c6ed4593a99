import { expect, test } from "vitest";
import { requirementLabels } from "./requirement-labels.ts";

test("Stripe's requirements are described in plain words, without repetition (docs/spec/portal.md, Processor account)", () => {
  expect(
    requirementLabels([
      "business_type",
      "external_account",
      "tos_acceptance.date",
      "tos_acceptance.ip",
      "individual.dob.day",
      "individual.dob.month",
      "individual.first_name",
      "individual.verification.document",
      "person_8UayFKIMRJklog.address.city",
      "company.tax_id",
      "company.verification.document",
      "owners.email",
      "directors.relationship.title",
      "company.export_license_id",
      "interv_cnst_1.other_supporting_document.support",
    ]),
  ).toEqual([
    "Kind of business",
    "Bank account for payouts",
    "Acceptance of Stripe’s terms",
    "Date of birth of the owner",
    "Name of the owner",
    "Identity document of the owner",
    "Address of a person in the company",
    "Tax number of the company",
    "Document of the company",
    "E-mail address of an owner",
    "Job title of a director",
    "More details of the company",
    "Other details (listed by Stripe)",
  ]);
});
