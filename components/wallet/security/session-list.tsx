import { translator } from "#server/kernel/messages/translator.ts";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { formatPlace, type PlaceName } from "#server/kernel/text/place-name.ts";
import { formatDateTime } from "../../format/dates.ts";
import { InlineList } from "../../format/inline-list.tsx";
import type { Reader } from "../../format/reader.ts";
import { Item, ItemList } from "../../portal/item-list.tsx";
import { Pager } from "../../portal/lists/pager.tsx";
import { Section } from "../../portal/page-head.tsx";
import { Pill } from "../../ui/pill.tsx";
import { pagerTexts } from "../list-texts.ts";
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
export const SessionList = ({
  page: { sessions, hasMore, count },
  newest,
  older,
  reader,
}: {
  /** `count`: the number of all sessions */
  page: { sessions: readonly Session[]; hasMore: boolean; count: number };
  /** the URL of the list's first page; null on the first page */
  newest: string | null;
  /** the URL of the next page, which starts after the session with this id */
  older: (id: string) => string;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "security");
  const dateOf = (at: string) => formatDateTime(new Date(at), reader);
  const last = sessions.at(-1);
  const noteOf = ({ lastSeenAt, createdAt, ipAddress, place }: Session) => (
    <InlineList
      items={[
        t("lastUsed", { date: dateOf(lastSeenAt) }),
        t("sessions.signedIn", { date: dateOf(createdAt) }),
        place ? formatPlace(place, reader.locale) : null,
        ipAddress || t("unknownAddress"),
      ]}
    />
  );
  return (
    <Section id="sessions" title={t("sessions.title")} act={count > 1 ? <EndOtherSessions count={count - 1} /> : null}>
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
      <Pager
        texts={{ ...pagerTexts(reader.locale), pages: t("sessions.pages") }}
        newest={newest}
        older={hasMore && last ? older(last.id) : null}
      />
    </Section>
  );
};
