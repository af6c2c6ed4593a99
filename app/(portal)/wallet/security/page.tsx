import type { Metadata } from "next";
import { dateTime, moment } from "#components/mandates/words.ts";
import { Pill } from "#components/ui/pill.tsx";
import { deviceName } from "#components/wallet/device-name.ts";
import { EndSession } from "#components/wallet/end-session.tsx";
import { Item, ItemList } from "#components/wallet/item-list.tsx";
import { PageHead, Section } from "#components/wallet/page-head.tsx";
import { walletPage } from "../wallet-context.ts";

export const metadata: Metadata = { title: "Security" };

const SecurityPage = async () => {
  const { api, reader, now } = await walletPage("/wallet/security");
  const sessions = await api.auth.sessions();
  return (
    <>
      <PageHead title="Security">Where you are signed in. End what you don’t recognise.</PageHead>
      <Section title="Sessions">
        <ItemList>
          {sessions.map((session) => (
            <Item
              key={session.id}
              icon="screen"
              title={deviceName(session.userAgent)}
              note={`Last used ${moment(new Date(session.lastSeenAt), now, reader).replace(/^[TY]/, (letter) => letter.toLowerCase())} from ${session.ipAddress || "an unknown address"}; signed in ${dateTime(new Date(session.createdAt), reader)}`}
              act={session.isCurrent ? <Pill tone="good">This browser</Pill> : <EndSession sessionId={session.id} />}
            />
          ))}
        </ItemList>
      </Section>
    </>
  );
};

export default SecurityPage;
