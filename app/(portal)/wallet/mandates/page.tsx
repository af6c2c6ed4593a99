import type { Metadata } from "next";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { MandateCard } from "#components/wallet/mandate-card.tsx";
import { byStanding, isLive } from "#components/wallet/mandate-words.ts";
import { CardGrid, PageHead, Section } from "#components/wallet/page-head.tsx";
import { SearchForm } from "#components/wallet/search-form.tsx";
import { walletPage } from "../wallet-context.ts";

export const metadata: Metadata = { title: "Mandates" };

const MandatesPage = async ({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) => {
  const { q } = await searchParams;
  const search = typeof q === "string" ? q.trim().slice(0, 100) : "";
  const { api, reader } = await walletPage("/wallet/mandates");
  const all = byStanding(await api.wallet.mandates());
  const found = all.filter(({ client, purpose, payees }) =>
    [client.name, purpose, ...payees.map((payee) => ("name" in payee ? payee.name : payee.category))]
      .join("\n")
      .toLowerCase()
      .includes(search.toLowerCase()),
  );
  const live = found.filter(isLive);
  const ended = found.filter((mandate) => !isLive(mandate));
  return (
    <>
      <PageHead title="Mandates">Who may spend your money, and within which limits.</PageHead>
      {all.length > 3 || search ? <SearchForm value={search} label="Search by app, purpose or merchant" /> : null}
      {found.length === 0 ? (
        <EmptyState title={search ? "Nothing found" : "No mandates yet"}>
          {search
            ? `No mandate mentions “${search}”. Search for an app, a purpose or a merchant.`
            : "When an app or an agent asks to pay for you and you approve, it stands here."}
        </EmptyState>
      ) : null}
      {live.length > 0 ? (
        <Section title="Active and paused">
          <CardGrid>
            {live.map((mandate) => (
              <MandateCard key={mandate.id} mandate={mandate} reader={reader} />
            ))}
          </CardGrid>
        </Section>
      ) : null}
      {ended.length > 0 ? (
        <Section title="Ended">
          <CardGrid>
            {ended.map((mandate) => (
              <MandateCard key={mandate.id} mandate={mandate} reader={reader} />
            ))}
          </CardGrid>
        </Section>
      ) : null}
    </>
  );
};

export default MandatesPage;
