import styles from "../../../portal/portal.module.css";
import { Field, Select } from "../../../ui/field/field.tsx";

export const taxNames = ["legalName", "line1", "line2", "postalCode", "city", "country", "vatNumber"] as const;

export type TaxValues = Record<(typeof taxNames)[number], string>;

type Props = {
  values: TaxValues;
  countries: readonly (readonly [code: string, name: string])[];
  /** messages by JSON pointer */
  errors: Readonly<Record<string, string>>;
};

/** The merchant as the customer of its invoices. */
export const TaxFields = (props: Props) => (
  <>
    <Field
      label="Legal name"
      name="legalName"
      defaultValue={props.values.legalName}
      maxLength={200}
      autoComplete="organization"
      error={props.errors["/legalName"] ?? null}
    />
    <AddressFields {...props} />
    <div className={styles.pair}>
      <CountryField {...props} />
      <Field
        label="VAT number (optional)"
        name="vatNumber"
        defaultValue={props.values.vatNumber}
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        hint="With its country prefix, for example DE123456789."
        error={props.errors["/vatNumber"] ?? null}
      />
    </div>
  </>
);

/** Each list is one row of the form. */
const addressFields = [
  [
    ["line1", "Address", 200, "address-line1"],
    ["line2", "Address, second line (optional)", 200, "address-line2"],
  ],
  [
    ["postalCode", "Postal code (optional)", 20, "postal-code"],
    ["city", "City", 100, "address-level2"],
  ],
] as const;

const AddressFields = ({ values, errors }: Props) =>
  addressFields.map((row) => (
    <div key={row[0][0]} className={styles.pair}>
      {row.map(([name, label, maxLength, autoComplete]) => (
        <Field
          key={name}
          label={label}
          name={name}
          defaultValue={values[name]}
          maxLength={maxLength}
          autoComplete={autoComplete}
          error={errors[`/${name}`] ?? null}
        />
      ))}
    </div>
  ));

const CountryField = ({ values, countries, errors }: Props) => (
  <Select
    label="Country"
    name="country"
    defaultValue={values.country}
    autoComplete="country"
    error={errors["/country"] ?? null}
  >
    {values.country === "" ? <option value="">Not set</option> : null}
    {countries.map(([code, name]) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </Select>
);
