import type { Deps } from "../../deps/deps.ts";
import { labelledMac, secretsEqual } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type OptionalMailKind, optionalMailKinds } from "../../kernel/mail-kinds.ts";

/** A kind of e-mail, and an account that gets it or switched it off. */
export type MailChoice = { accountId: string; kind: OptionalMailKind };

type LinkDeps = Pick<Deps, "config">;

const macOf = ({ config }: LinkDeps, { accountId, kind }: MailChoice): string =>
  labelledMac(config.masterKey, "mail_choice", `${accountId}.${kind}`);

/** Lets the recipient of a mail switch this kind of mail off and on without signing in. It permits nothing else. */
const mailChoiceToken = (deps: LinkDeps, choice: MailChoice): string =>
  `${choice.accountId}.${choice.kind}.${macOf(deps, choice)}`;

export const mailChoiceNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "mail_choice_not_found",
    message:
      "This link isn’t valid. Copy the whole link from the e-mail, or change your e-mail settings in the wallet.",
  });

/** @throws DomainError mail_choice_not_found. */
export const readMailChoiceToken = (deps: LinkDeps, token: string): MailChoice => {
  const [accountId = "", name = "", mac = "", ...rest] = token.split(".");
  const kind = optionalMailKinds.find((known) => known === name);
  if (kind === undefined || rest.length > 0 || !secretsEqual(mac, macOf(deps, { accountId, kind }))) {
    throw mailChoiceNotFound();
  }
  return { accountId, kind };
};

/** The links of one mail: `choiceUrl` is a page; a POST to `unsubscribeUrl` switches the kind off (RFC 8058 §3.1). */
export const mailChoiceLinks = (deps: LinkDeps, choice: MailChoice): { choiceUrl: string; unsubscribeUrl: string } => {
  const query = new URLSearchParams({ token: mailChoiceToken(deps, choice) });
  const page = `${deps.config.walletUrl}/notifications`;
  return { choiceUrl: `${page}?${query}`, unsubscribeUrl: `${page}/unsubscribe?${query}` };
};
