export type PlaceName = { country: string; city: string | null };

/** `Berlin, Germany`, in the reader's language. @param place `country`: ISO 3166-1 alpha-2 */
export const formatPlace = ({ country, city }: PlaceName, locale: string): string => {
  const name = /^[A-Z]{2}$/.test(country)
    ? (new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country)
    : country;
  return city === null ? name : `${city}, ${name}`;
};
