/** The person who reads a page: amounts, dates and times follow their locale and time zone. */
export type Reader = { locale: string; timeZone: string };
