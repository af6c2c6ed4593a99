import { translator } from "#server/kernel/messages/translator.ts";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { formatPlace, type PlaceName } from "#server/kernel/text/place-name.ts";
import { formatDateTime } from "../../format/dates.ts";
import type { Reader } from "../../format/reader.ts";
import { Item, ItemList } from "../../portal/item-list.tsx";
import { Section } from "../../portal/page-head.tsx";
import { Pill } from "../../ui/pill.tsx";
import { EndOtherSessions, EndSession } from "./end-session.tsx";

type Session = {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string;
  ipAddress: string;
  place: PlaceName | null;
  isCurrent: boolean;
};

/** The browsers where the account is signed in. */
export const SessionList = ({ sessions, reader }: { sessions: readonly Session[]; reader: Reader }) => {
  const t = translator(reader.locale, "security");
  const dateOf = (at: string) => formatDateTime(new Date(at), reader);
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length;
  const noteOf = ({ lastSeenAt, createdAt, ipAddress, place }: Session) =>
    [
      t("lastUsed", { date: dateOf(lastSeenAt) }),
      t("sessions.signedIn", { date: dateOf(createdAt) }),
      place ? formatPlace(place, reader.locale) : null,
      ipAddress || t("unknownAddress"),
    ]
      .filter((part) => part !== null)
      .join("; ");
  return (
    <Section title={t("sessions.title")} act={others > 0 ? <EndOtherSessions count={others} /> : null}>
      <ItemList>
        {sessions.map((session) => {
          const device = deviceName(session.userAgent) ?? t("unknownDevice");
          return (
            <Item
              key={session.id}
              icon="screen"
              title={device}
              note={noteOf(session)}
              act={
                session.isCurrent ? (
                  <Pill tone="good">{t("sessions.current")}</Pill>
                ) : (
                  <EndSession sessionId={session.id} device={device} />
                )
              }
            />
          );
        })}
      </ItemList>
    </Section>
  );
};
