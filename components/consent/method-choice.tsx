"use client";
import { useState } from "react";
import { takeEarly } from "../ui/take-early.ts";
import styles from "./consent-card.module.css";

export type MethodOption = { id: string; label: string; isDefault: boolean };

/** Which payment method pays; opens to be changed. */
export const MethodChoice = ({
  methods,
  initial,
}: {
  methods: readonly [MethodOption, ...MethodOption[]];
  /** chosen before; null or one that is gone: the first */
  initial: string | null;
}) => {
  const [chosen, setChosen] = useState(methods.find(({ id }) => id === initial)?.id ?? methods[0].id);
  const current = methods.find(({ id }) => id === chosen) ?? methods[0];
  return (
    <details className={styles.method}>
      <summary>
        <span>
          <span className="tiny">Pays with</span>
          <br />
          {current.label}
        </span>
        <span className={styles.change}>Change</span>
      </summary>
      <fieldset className={styles.choices}>
        <legend className="visuallyHidden">Payment method</legend>
        {methods.map(({ id, label }) => (
          <label key={id} className={styles.choice}>
            <input
              type="radio"
              name="payment_method_id"
              value={id}
              checked={id === chosen}
              ref={takeEarly(setChosen)}
              onChange={() => setChosen(id)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  );
};
