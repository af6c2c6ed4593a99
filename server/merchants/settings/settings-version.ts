import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { type FormValues, type SettingForm, settingsText } from "../rules/settings.ts";

/** Version of a form's values. A form that was loaded with other values can't be saved. */
export const settingsVersion = <Form extends SettingForm>(current: FormValues<Form>, form: Form): string =>
  sha256Base64url(settingsText(current, form));
