import { translator } from "#server/kernel/messages/translator.ts";

/** The texts of a `Pager`. */
export const pagerTexts = (locale: string) => {
  const t = translator(locale, "wallet");
  return { pages: t("list.pages"), newest: t("list.newest"), older: t("list.older") };
};

/** The texts of a `Pager` for a list that starts with the earliest entry. */
export const forwardPagerTexts = (locale: string) => {
  const t = translator(locale, "wallet");
  return { pages: t("list.pages"), newest: t("list.first"), older: t("list.next") };
};

/** The texts of a `DateFilter`. */
export const dateFilterTexts = (locale: string) => {
  const t = translator(locale, "wallet");
  return {
    from: t("dates.from"),
    to: t("dates.to"),
    periods: t("dates.periods"),
    today: t("dates.today"),
    week: t("dates.week"),
    thirtyDays: t("dates.thirtyDays"),
    month: t("dates.month"),
    invalid: t("dates.invalid"),
    reversed: t("dates.reversed"),
  };
};
