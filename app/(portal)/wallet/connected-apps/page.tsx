import type { Metadata } from "next";
import { formatDate } from "#components/format/dates.ts";
import { Messages } from "#components/format/messages.tsx";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { DisconnectApp } from "#components/wallet/account/disconnect-app.tsx";
import styles from "#components/wallet/payment-methods/payment-methods.module.css";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "connected-apps")("title"),
});

const ConnectedAppsPage = async () => {
  const { api, reader } = await portalPage("/wallet/connected-apps");
  const apps = await api.connectedApps.list();
  const t = translator(reader.locale, "connected-apps");
  const factsOf = ({ website, connectedAt, consentedAt, liveMandates, scopes }: (typeof apps)[number]): string[] => [
    ...(website === null ? [] : [website]),
    t("mandates", { count: liveMandates }),
    t("connected", { date: formatDate(new Date(connectedAt), reader) }),
    ...(consentedAt === connectedAt ? [] : [t("approved", { date: formatDate(new Date(consentedAt), reader) })]),
    ...(["grant_management_query", "grant_management_revoke"] as const)
      .filter((scope) => scopes.includes(scope))
      .map((scope) => t(`scopes.${scope}`)),
  ];
  return (
    <Messages locale={reader.locale} areas={["connected-apps"]}>
      <PageHead title={t("title")}>{t("intro")}</PageHead>
      {apps.length > 0 ? (
        <ItemList>
          {apps.map((app) => (
            <Item
              key={app.id}
              icon="bot"
              title={app.name}
              note={factsOf(app).join(" · ")}
              act={
                <div className={styles.acts}>
                  <ButtonLink
                    size="small"
                    href={`/wallet/mandates?${new URLSearchParams({ search: app.name })}`}
                    aria-label={t("showMandatesOf", { name: app.name })}
                  >
                    {t("showMandates")}
                  </ButtonLink>
                  <DisconnectApp clientId={app.id} name={app.name} liveMandates={app.liveMandates} />
                </div>
              }
            />
          ))}
        </ItemList>
      ) : (
        <EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>
      )}
    </Messages>
  );
};

export default ConnectedAppsPage;
