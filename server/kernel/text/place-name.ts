export type PlaceName = { country: string; city: string | null };

/** `Germany`, in the reader's language. @param country ISO 3166-1 alpha-2; anything else is returned unchanged. */
export const countryName = (country: string, locale: string): string =>
  /^[A-Z]{2}$/.test(country) ? (new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country) : country;

/** `Berlin, Germany`, in the reader's language. @param place `country`: ISO 3166-1 alpha-2 */
export const formatPlace = ({ country, city }: PlaceName, locale: string): string => {
  const name = countryName(country, locale);
  return city === null ? name : `${city}, ${name}`;
};
