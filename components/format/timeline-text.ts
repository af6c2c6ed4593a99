/**
 * The text of an entry in a timeline.
 * @param label either a short label, to which a colon and the amount are added, or sentences, which end with a full
 * stop and may contain `{amount}`. @param amount formatted; null: the entry has none.
 */
export const timelineText = (label: string, amount: string | null): string => {
  if (label.endsWith(".")) return label.replace("{amount}", () => amount ?? "the amount");
  return amount === null ? label : `${label}: ${amount}`;
};
