import { translator } from "#server/kernel/messages/translator.ts";
import { formatDateTime } from "../../format/dates.ts";
import { InlineList } from "../../format/inline-list.tsx";
import type { Reader } from "../../format/reader.ts";
import { Item, ItemList } from "../../portal/item-list.tsx";
import { AddPasskey, PasskeyActions } from "./passkey-actions.tsx";

type Passkey = { id: string; name: string; isBackedUp: boolean; createdAt: string; lastUsedAt: string | null };

export const PasskeyList = ({
  passkeys,
  email,
  hasPassword,
  reader,
}: {
  passkeys: readonly Passkey[];
  email: string;
  hasPassword: boolean;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "security");
  const dateOf = (at: string) => formatDateTime(new Date(at), reader);
  const noteOf = ({ isBackedUp, createdAt, lastUsedAt }: Passkey) => (
    <InlineList
      items={[
        lastUsedAt === null ? t("passkeys.notUsed") : t("lastUsed", { date: dateOf(lastUsedAt) }),
        t("passkeys.added", { date: dateOf(createdAt) }),
        t(isBackedUp ? "passkeys.synced" : "passkeys.oneDevice"),
      ]}
    />
  );
  return (
    <>
      {passkeys.length > 0 ? (
        <ItemList>
          {passkeys.map((passkey) => (
            <Item
              key={passkey.id}
              icon="key"
              title={passkey.name}
              note={noteOf(passkey)}
              act={
                <PasskeyActions
                  passkeyId={passkey.id}
                  name={passkey.name}
                  email={email}
                  others={othersOf(passkeys.length > 1, hasPassword)}
                />
              }
            />
          ))}
        </ItemList>
      ) : null}
      <AddPasskey email={email} isFirst={passkeys.length === 0} />
    </>
  );
};

const othersOf = (hasOtherPasskeys: boolean, hasPassword: boolean) => {
  if (hasPassword) return hasOtherPasskeys ? "both" : "password";
  return hasOtherPasskeys ? "passkeys" : "none";
};
