"use client";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { adoptEarlyInput } from "../ui/field/adopt-early-input.ts";
import styles from "./consent-card.module.css";

export type MethodOption = { id: string; label: string; isDefault: boolean };

/** The chosen payment method. Opening this element shows all methods. */
export const MethodChoice = ({
  methods,
  initial,
  children,
}: {
  methods: readonly [MethodOption, ...MethodOption[]];
  /** the earlier choice; if it is null or no longer available, the first method is chosen */
  initial: string | null;
  /** shown below the methods, to add another one */
  children: ReactNode;
}) => {
  const t = useTranslations("consent-form");
  const [chosen, setChosen] = useState(methods.find(({ id }) => id === initial)?.id ?? methods[0].id);
  const current = methods.find(({ id }) => id === chosen) ?? methods[0];
  return (
    <details className={styles.method}>
      <summary>
        <span>
          <span className="tiny">{t("paysWith")}</span>
          <br />
          {current.label}
        </span>
        <span className={styles.change}>{t("change")}</span>
      </summary>
      <fieldset className={styles.choices}>
        <legend className="visuallyHidden">{t("paymentMethod")}</legend>
        {methods.map(({ id, label }) => (
          <label key={id} className={styles.choice}>
            <input
              type="radio"
              name="payment_method_id"
              value={id}
              checked={id === chosen}
              ref={adoptEarlyInput(setChosen)}
              onChange={() => setChosen(id)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {children}
    </details>
  );
};
