import { translator } from "#server/kernel/messages/translator.ts";
import { deviceName } from "#server/kernel/text/device-name.ts";
import { formatPlace, type PlaceName } from "#server/kernel/text/place-name.ts";
import { formatDateTime } from "../../format/dates.ts";
import { InlineList } from "../../format/inline-list.tsx";
import type { Reader } from "../../format/reader.ts";
import { Item, ItemList } from "../../portal/item-list.tsx";
import { Pager } from "../../portal/lists/pager.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pill } from "../../ui/pill.tsx";
import { pagerTexts } from "../list-texts.ts";

type Outcome = "signed_in" | "wrong_password" | "passkey_refused" | "recovery_code" | "recovery_code_refused" | "reset";

type SignIn = {
  id: string;
  at: string;
  outcome: Outcome;
  userAgent: string;
  ipAddress: string;
  place: PlaceName | null;
};

const tones = {
  signed_in: "good",
  wrong_password: "bad",
  passkey_refused: "bad",
  recovery_code: "warn",
  recovery_code_refused: "bad",
  reset: "warn",
} as const;

/** Sign-ins and failed attempts, newest first. */
export const HistoryList = ({
  history: { signIns, hasMore },
  newest,
  older,
  reader,
}: {
  history: { signIns: readonly SignIn[]; hasMore: boolean };
  /** the URL of the list's first page; null on the first page */
  newest: string | null;
  /** the URL of the next page, which starts after the sign-in with this id */
  older: (id: string) => string;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "security");
  if (signIns.length === 0) return <EmptyState title={t("history.empty")}>{t("history.emptyText")}</EmptyState>;
  const noteOf = ({ at, ipAddress, place }: SignIn) => (
    <InlineList
      items={[
        formatDateTime(new Date(at), reader),
        place ? formatPlace(place, reader.locale) : null,
        ipAddress || t("unknownAddress"),
      ]}
    />
  );
  const last = signIns.at(-1);
  return (
    <>
      <p className="small muted">{t("history.note")}</p>
      <ItemList>
        {signIns.map((signIn) => (
          <Item
            key={signIn.id}
            icon="clock"
            title={deviceName(signIn.userAgent) ?? t("unknownDevice")}
            note={noteOf(signIn)}
            act={<Pill tone={tones[signIn.outcome]}>{t(`history.outcomes.${signIn.outcome}`)}</Pill>}
          />
        ))}
      </ItemList>
      <Pager
        texts={{ ...pagerTexts(reader.locale), pages: t("history.pages") }}
        newest={newest}
        older={hasMore && last ? older(last.id) : null}
      />
    </>
  );
};
