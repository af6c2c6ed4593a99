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
  /** by JSON pointer */
  errors: Readonly<Record<string, string>>;
};

/** The business details of a merchant. */
export const DetailFields = (props: FieldsProps) => (
  <>
    <NameFields {...props} />
    <PlaceFields {...props} />
    <SuggestField
      label="Category"
      name="mcc"
      options={categories}
      defaultValue={props.values.mcc}
      required
      hint="Type what you sell, for example “grocery”, or a merchant category code (ISO 18245)."
      error={props.errors["/mcc"] ?? null}
    />
    <MoneyFields {...props} />
  </>
);

const NameFields = ({ values, errors }: FieldsProps) => (
  <div className={styles.pair}>
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
  </div>
);

const PlaceFields = ({ values, options, errors }: FieldsProps) => (
  <div className={styles.pair}>
    <Select
      label="Country"
      name="country"
      defaultValue={values.country}
      autoComplete="country"
      error={errors["/country"] ?? null}
    >
      {options.countries.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
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
  </div>
);

const MoneyFields = ({ values, options, errors }: FieldsProps) => (
  <div className={styles.pair}>
    <Select label="Currency" name="currency" defaultValue={values.currency} error={errors["/currency"] ?? null}>
      {options.currencies.map(([code, name]) => (
        <option key={code} value={code}>
          {code} · {name}
        </option>
      ))}
    </Select>
    <Select label="Time zone" name="timeZone" defaultValue={values.timeZone} error={errors["/timeZone"] ?? null}>
      {options.timeZones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll("_", " ")}
        </option>
      ))}
    </Select>
  </div>
);
