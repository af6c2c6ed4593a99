import { translator } from "../../../../kernel/messages/translator.ts";
import { deviceName } from "../../../../kernel/text/device-name.ts";
import { formatPlace, type PlaceName } from "../../../../kernel/text/place-name.ts";
import type { Draft } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailTime } from "../mail-dates.ts";
import type { MailReader } from "../mail-reader.ts";
import type { SecurityMailContent } from "../security-mail-content.ts";

const area = "security-mails";

/** An e-mail about the sign-in methods of an account, in the reader's language. */
export const draftSignInMail = (content: SecurityMailContent): Draft => {
  switch (content.kind) {
    case "password_reset":
      return draftResetMail(content);
    case "reset_unknown":
      return draftUnknownResetMail(content);
    case "email_change_code":
      return draftEmailCodeMail(content);
    case "email_change_taken":
      return draftEmailTakenMail(content);
    case "email_changed":
      return draftEmailChangedMail(content);
    default:
      return draftSecurityMail(content);
  }
};

const draftResetMail = ({ resetUrl, expiresAt, reader }: ContentOf<"password_reset">): Draft => {
  const t = translator(reader.locale, area);
  return {
    subject: t("reset.subject"),
    blocks: [
      t("reset.text", { expires: formatMailTime(expiresAt, reader) }),
      { button: { label: t("reset.link"), href: resetUrl } },
      t("reset.unexpected"),
    ],
  };
};

const draftUnknownResetMail = ({ signUpUrl, reader }: ContentOf<"reset_unknown">): Draft => {
  const t = translator(reader.locale, area);
  return {
    subject: t("unknown.subject"),
    blocks: [t("unknown.text"), { button: { label: t("unknown.link"), href: signUpUrl } }, t("unknown.unexpected")],
  };
};

const draftEmailCodeMail = (content: ContentOf<"email_change_code">): Draft => {
  const { code, confirmUrl, expiresAt, reader } = content;
  const t = translator(reader.locale, area);
  return {
    subject: t("emailCode.subject"),
    blocks: [
      t("emailCode.text", { expires: formatMailTime(expiresAt, reader) }),
      { code },
      { button: { label: t("emailCode.link"), href: confirmUrl } },
      t("emailCode.unexpected"),
    ],
  };
};

const draftEmailTakenMail = ({ signInUrl, reader }: ContentOf<"email_change_taken">): Draft => {
  const t = translator(reader.locale, area);
  return {
    subject: t("emailTaken.subject"),
    blocks: [
      t("emailTaken.text"),
      { button: { label: t("emailTaken.link"), href: signInUrl } },
      t("emailTaken.unexpected"),
    ],
  };
};

const draftEmailChangedMail = ({ newEmail, at, securityUrl, reader }: ContentOf<"email_changed">): Draft => {
  const t = translator(reader.locale, area);
  return {
    subject: t("emailChanged.subject"),
    blocks: [
      t("emailChanged.text"),
      {
        facts: [
          [t("emailChanged.newEmail"), newEmail],
          [t("time"), formatMailTime(at, reader)],
        ],
      },
      { button: { label: t("checkSecurity"), href: securityUrl } },
      t("emailChanged.unexpected"),
    ],
  };
};

type SecurityContent = ContentOf<
  "new_sign_in" | "signed_out" | "password_changed" | "recovery_codes_created" | "recovery_code_used"
>;

/** A change of a sign-in method, or a sign-in by someone who may not be the owner. */
const draftSecurityMail = (content: SecurityContent): Draft => {
  const { at, securityUrl, reader } = content;
  const t = translator(reader.locale, area);
  const { subject, text, unexpected } = securityTexts(content, t);
  return {
    subject,
    blocks: [
      text,
      { facts: [[t("time"), formatMailTime(at, reader)], ...whereabouts(content, reader)] },
      { button: { label: t("checkSecurity"), href: securityUrl } },
      unexpected,
    ],
  };
};

const securityTexts = (content: SecurityContent, t: ReturnType<typeof translator<"security-mails">>) => {
  switch (content.kind) {
    case "new_sign_in":
      return { subject: t("newSignIn.subject"), text: t("newSignIn.text"), unexpected: t("newSignIn.unexpected") };
    case "signed_out":
      return { subject: t("signedOut.subject"), text: t("signedOut.text"), unexpected: t("signedOut.unexpected") };
    case "password_changed":
      return {
        subject: t(`password.${content.change}.subject`),
        text: t(`password.${content.change}.text`),
        unexpected: t("password.unexpected"),
      };
    case "recovery_codes_created":
      return { subject: t("newCodes.subject"), text: t("newCodes.text"), unexpected: t("newCodes.unexpected") };
    case "recovery_code_used":
      return {
        subject: t("codeUsed.subject"),
        text: t("codeUsed.text", { left: content.left }),
        unexpected: t("codeUsed.unexpected"),
      };
  }
};

type RequestOrigin = { userAgent: string | null; place: PlaceName | null };

const whereabouts = ({ userAgent, place }: RequestOrigin, { locale }: MailReader): [string, string][] => {
  const t = translator(locale, area);
  const facts: [string, string][] = [];
  if (userAgent !== null) facts.push([t("device"), deviceName(userAgent) ?? t("unknownDevice")]);
  if (place !== null) facts.push([t("place"), formatPlace(place, locale)]);
  return facts;
};
