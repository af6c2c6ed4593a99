import type { Metadata } from "next";
import { formatDateTime, formatRelativeDateTime } from "#components/format/dates.ts";
import type { Reader } from "#components/format/reader.ts";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { PageHead, Section } from "#components/portal/page-head.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Pill } from "#components/ui/pill.tsx";
import { EndSession } from "#components/wallet/end-session.tsx";
import { AddPasskey, PasskeyActions } from "#components/wallet/passkey-actions.tsx";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { portalPage } from "../../portal-context.ts";

export const metadata: Metadata = { title: "Security" };

const lastUsed = (at: string | null, now: Date, reader: Reader): string =>
  at === null
    ? "Not used yet"
    : `Last used ${formatRelativeDateTime(new Date(at), now, reader).replace(/^[TY]/, (letter) => letter.toLowerCase())}`;

const SecurityPage = async () => {
  const { api, email, reader, now } = await portalPage("/wallet/security");
  const [passkeys, sessions] = await Promise.all([api.passkeys.list(), api.auth.sessions()]);
  return (
    <>
      <PageHead title="Security">Your passkeys, and the devices where you’re signed in.</PageHead>
      <Section title="Passkeys">
        {passkeys.length > 0 ? (
          <ItemList>
            {passkeys.map(({ id, name, isBackedUp, createdAt, lastUsedAt }) => (
              <Item
                key={id}
                icon="key"
                title={name}
                note={`${lastUsed(lastUsedAt, now, reader)}; added ${formatDateTime(new Date(createdAt), reader)}; ${isBackedUp ? "synced by a password manager" : "on one device only"}`}
                act={<PasskeyActions passkeyId={id} name={name} email={email} isLast={passkeys.length === 1} />}
              />
            ))}
          </ItemList>
        ) : (
          <EmptyState title="No passkeys yet">
            With a passkey you sign in with your fingerprint, face or PIN. It can’t be guessed, and it doesn’t work on
            fake sites.
          </EmptyState>
        )}
        <AddPasskey email={email} />
      </Section>
      <Section title="Sessions">
        <ItemList>
          {sessions.map((session) => (
            <Item
              key={session.id}
              icon="screen"
              title={deviceName(session.userAgent)}
              note={`${lastUsed(session.lastSeenAt, now, reader)} from ${session.ipAddress || "an unknown address"}; signed in ${formatDateTime(new Date(session.createdAt), reader)}`}
              act={session.isCurrent ? <Pill tone="good">This browser</Pill> : <EndSession sessionId={session.id} />}
            />
          ))}
        </ItemList>
      </Section>
    </>
  );
};

export default SecurityPage;
