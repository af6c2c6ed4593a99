import type { TestCardName } from "#server/accounts/payment-methods/test-cards.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Select } from "../ui/field/field.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./add-method.module.css";

/** The kinds of payment methods that a payer can add on this server. */
export type AddableMethods = { cards: boolean; testCards: readonly TestCardName[] };

/**
 * Adds a payment method from the consent page. Its buttons send the consent form to another URL, so that the payer's
 * entries are kept.
 */
export const AddMethod = ({
  handle,
  addable,
  locale,
  isNeeded,
}: {
  handle: string;
  addable: AddableMethods;
  locale: string;
  /** the payer has no payment method yet */
  isNeeded: boolean;
}) => {
  const t = translator(locale, "consent-method");
  const action = `/consent/${handle}/payment-method`;
  const variant = isNeeded ? "primary" : "plain";
  if (!addable.cards && addable.testCards.length === 0)
    return isNeeded ? <Notice tone="warn">{t("unavailable")}</Notice> : null;
  return (
    <section className={isNeeded ? `${styles.add} ${styles.needed}` : styles.add} aria-label={t("another")}>
      {isNeeded ? <p>{t("needed")}</p> : null}
      {addable.testCards.length > 0 ? (
        <div className={styles.testCard}>
          <Select label={t("testCard")} name="test_card" defaultValue={addable.testCards[0]}>
            {addable.testCards.map((name) => (
              <option key={name} value={name}>
                {nameOf(name, locale)}
              </option>
            ))}
          </Select>
          <SubmitButton name="add_method" value="test_card" formAction={action} formNoValidate variant={variant}>
            {t("add")}
          </SubmitButton>
          <p className="tiny">{t("testCardHint")}</p>
        </div>
      ) : null}
      {addable.cards ? (
        <SubmitButton name="add_method" value="card" formAction={action} formNoValidate variant={variant}>
          {t("addAtStripe")}
        </SubmitButton>
      ) : null}
    </section>
  );
};

const nameOf = (name: TestCardName, locale: string): string => translator(locale, "payment-methods")(`cards.${name}`);
