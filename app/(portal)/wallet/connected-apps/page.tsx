import type { Metadata } from "next";
import { formatDate } from "#components/format/dates.ts";
import { InlineList } from "#components/format/inline-list.tsx";
import { Messages } from "#components/format/messages.tsx";
import type { Reader } from "#components/format/reader.ts";
import { Item, ItemList } from "#components/portal/item-list.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { PartyLogo } from "#components/ui/party-logo.tsx";
import { DisconnectApp } from "#components/wallet/account/disconnect-app.tsx";
import { pagerTexts } from "#components/wallet/list-texts.ts";
import styles from "#components/wallet/payment-methods/payment-methods.module.css";
import { translator } from "#server/kernel/messages/translator.ts";
import type { ConnectedApp } from "#server/trpc/wallet/connected-apps.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "connected-apps")("title"),
});

const path = "/wallet/connected-apps";

const ConnectedAppsPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [search, startingAfter] = [searchText(params, "q"), searchId(params, "after")];
  const { api, reader } = await portalPage(path);
  const { apps, hasMore } = await api.connectedApps.list({ search, startingAfter });
  const last = apps.at(-1);
  const t = translator(reader.locale, "connected-apps");
  const words = translator(reader.locale, "wallet");
  return (
    <Messages locale={reader.locale} areas={["connected-apps"]}>
      <PageHead title={t("title")}>{t("intro")}</PageHead>
      {apps.length > 0 || search !== undefined ? (
        <FilterForm action={path} filters={{ q: search }} submit={words("list.search")} clear={words("list.clear")}>
          <SearchField label={t("search")} value={search} />
        </FilterForm>
      ) : null}
      {apps.length > 0 ? (
        <AppList apps={apps} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={search !== undefined}
          clear={path}
          noResults={words("list.noResults")}
          noMatch={t("noMatch", { search: search ?? "" })}
          clearLabel={t("clearSearch")}
          title={t("empty")}
        >
          {t("emptyText")}
        </ListEmpty>
      )}
      <Pager
        texts={pagerTexts(reader.locale)}
        newest={startingAfter === undefined ? null : listAddress(path, { q: search })}
        older={hasMore && last ? listAddress(path, { q: search, after: last.id }) : null}
      />
    </Messages>
  );
};

const AppList = ({ apps, reader }: { apps: readonly ConnectedApp[]; reader: Reader }) => {
  const t = translator(reader.locale, "connected-apps");
  const factsOf = ({ website, connectedAt, consentedAt, liveMandates, scopes }: ConnectedApp): string[] => [
    ...(website === null ? [] : [website]),
    t("mandates", { count: liveMandates }),
    t("connected", { date: formatDate(new Date(connectedAt), reader) }),
    ...(consentedAt === connectedAt ? [] : [t("approved", { date: formatDate(new Date(consentedAt), reader) })]),
    ...(["grant_management_query", "grant_management_revoke"] as const)
      .filter((scope) => scopes.includes(scope))
      .map((scope) => t(`scopes.${scope}`)),
  ];
  return (
    <ItemList>
      {apps.map((app) => (
        <Item
          key={app.id}
          logo={<PartyLogo name={app.name} />}
          title={app.name}
          note={<InlineList items={factsOf(app)} />}
          act={
            <div className={styles.acts}>
              <ButtonLink
                size="small"
                href={listAddress("/wallet/mandates", { q: app.name })}
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
  );
};

export default ConnectedAppsPage;
