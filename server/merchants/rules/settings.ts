/** What members can change about their merchant; null: not set. */
export type SettingValues = {
  legalName: string;
  displayName: string;
  /** ISO 3166-1 alpha-2 */
  country: string | null;
  websiteUri: string | null;
  /** ISO 18245 */
  mcc: string;
  currency: string | null;
  timeZone: string | null;
  statementDescriptor: string | null;
  /** `#rrggbb` */
  accentColor: string | null;
};

export type SettingName = keyof SettingValues;

/** An absent field keeps its value. */
export type SettingChange = { [Name in SettingName]?: SettingValues[Name] | undefined };

/** The forms of the settings page. Changes of different forms don't conflict. */
export const settingForms = {
  details: ["legalName", "displayName", "country", "websiteUri", "mcc", "currency", "timeZone"],
  descriptor: ["statementDescriptor"],
  color: ["accentColor"],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

export type SettingForm = keyof typeof settingForms;

export type FormValues<Form extends SettingForm> = Pick<SettingValues, (typeof settingForms)[Form][number]>;

/** The settings that an operator approves. The category also decides which mandates the merchant can charge. */
const reviewedSettings = ["legalName", "country", "mcc", "currency"] as const satisfies readonly SettingName[];

type Reviewed = Pick<SettingValues, (typeof reviewedSettings)[number]> & {
  review: "pending" | "approved" | "declined";
};

/** The settings that members can't change any more. A value that was never set can still be set once. */
export const fixedSettings = (current: Reviewed): SettingName[] =>
  current.review === "approved" ? reviewedSettings.filter((name) => current[name] !== null) : [];

/** The settings whose value is different in `change`. */
export const changedSettings = (current: SettingValues, change: SettingChange): SettingName[] =>
  (Object.keys(change) as SettingName[]).filter((name) => change[name] !== undefined && change[name] !== current[name]);

/** A text from which the version of a form is computed. Two texts are equal if and only if their values are equal. */
export const settingsText = <Form extends SettingForm>(current: FormValues<Form>, form: Form): string => {
  const names: readonly (typeof settingForms)[Form][number][] = settingForms[form];
  return JSON.stringify(names.map((name) => current[name]));
};
