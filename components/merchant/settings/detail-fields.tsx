"use client";
import { merchantCategories } from "#server/kernel/money/mcc-names.ts";
import { textField } from "../../portal/acts/use-act.tsx";
import styles from "../../portal/portal.module.css";
import { Field, Select } from "../../ui/field/field.tsx";
import { SuggestField } from "../../ui/field/suggest-field.tsx";
import type { DetailOptions } from "./detail-options.ts";

export type DetailValues = {
  legalName: string;
  displayName: string;
  country: string;
  websiteUri: string;
  /** a code with its name, or as typed */
  mcc: string;
  currency: string;
  timeZone: string;
};

const detailNames = ["legalName", "displayName", "country", "websiteUri", "mcc", "currency", "timeZone"] as const;

export const readDetails = (form: FormData): DetailValues => {
  const entries = detailNames.map((name) => [name, textField(form, name)]);
  return Object.fromEntries(entries) as DetailValues;
};

const categories = merchantCategories.map(([code, name]) => `${code} ${name}`);

type FieldsProps = {
  values: DetailValues;
  options: DetailOptions;
  /** error messages by JSON pointer */
  errors: Readonly<Record<string, string>>;
  /** details that can't be changed and are shown elsewhere */
  fixed?: readonly string[];
};

/** The business details of a merchant. */
export const DetailFields = (props: FieldsProps) => {
  const isOpen = (name: keyof DetailValues): boolean => !props.fixed?.includes(name);
  return (
    <>
      <div className={styles.pair}>
        {isOpen("legalName") ? <LegalNameField {...props} /> : null}
        <DisplayNameField {...props} />
        {isOpen("country") ? <CountryField {...props} /> : null}
        <WebsiteField {...props} />
      </div>
      {isOpen("mcc") ? <CategoryField {...props} /> : null}
      <div className={styles.pair}>
        {isOpen("currency") ? <CurrencyField {...props} /> : null}
        <TimeZoneField {...props} />
      </div>
    </>
  );
};

const LegalNameField = ({ values, errors }: FieldsProps) => (
  <Field
    label="Legal name"
    name="legalName"
    defaultValue={values.legalName}
    required
    maxLength={200}
    autoComplete="organization"
    hint="As registered with the authorities."
    error={errors["/legalName"] ?? null}
  />
);

const DisplayNameField = ({ values, errors }: FieldsProps) => (
  <Field
    label="Display name"
    name="displayName"
    defaultValue={values.displayName}
    required
    maxLength={60}
    autoComplete="off"
    hint="Payers see this name."
    error={errors["/displayName"] ?? null}
  />
);

/** Offered only if the merchant was registered without this value. */
const unset = <option value="">Not set</option>;

const CountryField = ({ values, options, errors }: FieldsProps) => (
  <Select
    label="Country"
    name="country"
    defaultValue={values.country}
    autoComplete="country"
    error={errors["/country"] ?? null}
  >
    {values.country === "" ? unset : null}
    {options.countries.map(([code, name]) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </Select>
);

const WebsiteField = ({ values, errors }: FieldsProps) => (
  <Field
    label="Website"
    name="websiteUri"
    defaultValue={values.websiteUri}
    required
    maxLength={500}
    inputMode="url"
    autoComplete="url"
    placeholder="https://shop.example"
    error={errors["/websiteUri"] ?? null}
  />
);

const CategoryField = ({ values, errors }: FieldsProps) => (
  <SuggestField
    label="Category"
    name="mcc"
    options={categories}
    defaultValue={values.mcc}
    required
    hint="Type what you sell, for example “grocery”, or a merchant category code (ISO 18245)."
    error={errors["/mcc"] ?? null}
  />
);

const CurrencyField = ({ values, options, errors }: FieldsProps) => (
  <Select label="Currency" name="currency" defaultValue={values.currency} error={errors["/currency"] ?? null}>
    {values.currency === "" ? unset : null}
    {options.currencies.map(([code, name]) => (
      <option key={code} value={code}>
        {code} · {name}
      </option>
    ))}
  </Select>
);

const TimeZoneField = ({ values, options, errors }: FieldsProps) => (
  <Select label="Time zone" name="timeZone" defaultValue={values.timeZone} error={errors["/timeZone"] ?? null}>
    {values.timeZone === "" ? unset : null}
    {options.timeZones.map((zone) => (
      <option key={zone} value={zone}>
        {zone.replaceAll("_", " ")}
      </option>
    ))}
  </Select>
);
