/** The person or organization that a requirement is about. The first part of the requirement's name identifies it. */
const subjects: readonly (readonly [RegExp, string])[] = [
  [/^company$/, "of the company"],
  [/^individual$/, "of the owner"],
  [/^representative$/, "of the representative"],
  [/^owners?$/, "of an owner"],
  [/^directors?$/, "of a director"],
  [/^executives?$/, "of an executive"],
  [/^person_/, "of a person in the company"],
];

/** The required detail, which the rest of the requirement's name identifies. The first pattern that matches is used. */
const details: readonly (readonly [RegExp, string])[] = [
  [/verification\.additional_document/, "Second identity document"],
  [/verification\.(document|proof_of_liveness)/, "Identity document"],
  [/dob/, "Date of birth"],
  [/address/, "Address"],
  [/first_name|last_name|^name/, "Name"],
  [/email/, "E-mail address"],
  [/phone/, "Phone number"],
  [/id_number|ssn_last_4/, "Identity number"],
  [/tax_id|vat_id/, "Tax number"],
  [/registration_number/, "Registration number"],
  [/relationship\.title/, "Job title"],
  [/relationship\.percent_ownership/, "Share of ownership"],
  [/nationality/, "Nationality"],
];

const whole: Readonly<Record<string, string>> = {
  business_type: "Kind of business",
  external_account: "Bank account for payouts",
  "business_profile.url": "Website",
  "business_profile.mcc": "Category",
  "business_profile.product_description": "Description of what you sell",
  "business_profile.support_phone": "Phone number for customers",
  "business_profile.support_email": "E-mail address for customers",
  "settings.payments.statement_descriptor": "Statement descriptor",
  "company.owners_provided": "Confirmation that all owners are listed",
  "company.directors_provided": "Confirmation that all directors are listed",
  "company.executives_provided": "Confirmation that all executives are listed",
  "company.verification.document": "Document of the company",
  representative: "Representative of the company",
};

const labelOf = (name: string): string => {
  const known = whole[name];
  if (known !== undefined) return known;
  if (name.startsWith("tos_acceptance")) return "Acceptance of Stripe’s terms";
  const [first = "", ...rest] = name.split(".");
  const subject = subjects.find(([pattern]) => pattern.test(first))?.[1];
  const detail = details.find(([pattern]) => pattern.test(rest.join(".")))?.[1];
  if (subject === undefined) return "Other details (listed by Stripe)";
  return detail === undefined ? `More details ${subject}` : `${detail} ${subject}`;
};

/**
 * Describes the processor's requirements in plain words, without repetition. @param names of requirements
 * (docs.stripe.com/connect/handling-api-verification)
 */
export const requirementLabels = (names: readonly string[]): string[] => [...new Set(names.map(labelOf))];
