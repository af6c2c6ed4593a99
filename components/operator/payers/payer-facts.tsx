import { languageNames, languageOf } from "#server/kernel/messages/languages.ts";
import type { OperatorPayer } from "#server/trpc/operator/payers/payer-views.ts";
import { formatDateTime, formatTimeZone } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { formatList, sentenceCase } from "../../format/text.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Link } from "../../ui/link.tsx";
import { Pill } from "../../ui/pill.tsx";
import { payerStates } from "../labels/payer-labels.ts";

type Props = { payer: OperatorPayer; reader: Reader };

/** An account without its secrets. The ways to sign in are named, but no credential is shown. */
export const PayerFacts = ({ payer, reader }: Props) => {
  const { tone, label } = payerStates[payer.state];
  const time = (at: string | null, absent: string) => (at === null ? absent : formatDateTime(new Date(at), reader));
  return (
    <Facts>
      <Fact name="Status">
        <Pill tone={tone}>{label}</Pill>
      </Fact>
      {payer.state === "deleting" ? <Fact name="Deletion requested">{time(payer.deletionRequestedAt, "")}</Fact> : null}
      {payer.state === "deleted" ? <Fact name="Deleted">{time(payer.deletedAt, "")}</Fact> : null}
      <Fact name="Account">{payer.id}</Fact>
      <Fact name="E-mail">
        {payer.email}, {payer.emailVerifiedAt === null ? "not verified" : "verified"}
      </Fact>
      <Fact name="Created">{time(payer.createdAt, "")}</Fact>
      <Fact name="Last sign-in">{time(payer.lastSignInAt, "Never")}</Fact>
      <Fact name="Open sessions">{payer.liveSessions}</Fact>
      <Fact name="Signs in with">{sentenceCase(waysOf(payer))}</Fact>
      <Fact name="Recovery codes left">{payer.recoveryCodes}</Fact>
      <Fact name="Language">{languageNames[languageOf(payer.locale)]}</Fact>
      <Fact name="Time zone">{formatTimeZone(payer.timeZone)}</Fact>
      <PaymentMethods payer={payer} />
      <Roles payer={payer} />
    </Facts>
  );
};

const waysOf = ({ hasPassword, hasTotp, passkeys }: OperatorPayer): string =>
  formatList([
    ...(hasPassword ? ["password"] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`] : []),
    ...(hasTotp ? ["authenticator app"] : []),
  ]) || "nothing yet";

const PaymentMethods = ({ payer: { paymentMethods } }: { payer: OperatorPayer }) => (
  <Fact name="Payment methods">
    {paymentMethods.length === 0
      ? "None"
      : paymentMethods.map(({ id, label, isDefault }) => (
          <div key={id}>
            {label}
            {isDefault && paymentMethods.length > 1 ? ", default" : null}
          </div>
        ))}
  </Fact>
);

const Roles = ({ payer: { merchants, operatorRole } }: { payer: OperatorPayer }) => (
  <>
    {operatorRole === null ? null : <Fact name="Operator">{operatorRole}</Fact>}
    {merchants.length === 0 ? null : (
      <Fact name="Member of">
        {merchants.map(({ merchantId, name, role }) => (
          <div key={merchantId}>
            <Link href={`/operator/merchants/${merchantId}`}>{name}</Link>, {role}
          </div>
        ))}
      </Fact>
    )}
  </>
);
