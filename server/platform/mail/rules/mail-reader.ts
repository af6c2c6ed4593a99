/** Amounts and times follow the recipient's locale and time zone. The texts are in the locale's language. */
export type MailReader = { locale: string; timeZone: string };
