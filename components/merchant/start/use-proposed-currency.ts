import { type RefObject, useEffect } from "react";
import { proposedCurrency } from "#server/kernel/money/usual-currency.ts";

/**
 * When the person changes the country, the form proposes the currency of the new country. A currency that isn't the
 * usual one of the previous country is kept. Call it after `useDraft`.
 */
export const useProposedCurrency = (form: RefObject<HTMLFormElement | null>): void =>
  useEffect(() => {
    const country = form.current?.elements.namedItem("country");
    const currency = form.current?.elements.namedItem("currency");
    if (!(country instanceof HTMLSelectElement && currency instanceof HTMLSelectElement)) return;
    let before = country.value;
    const propose = () => {
      currency.value = proposedCurrency(currency.value, { before, after: country.value });
      before = country.value;
    };
    country.addEventListener("change", propose);
    return () => country.removeEventListener("change", propose);
  }, [form]);
