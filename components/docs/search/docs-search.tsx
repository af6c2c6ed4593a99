"use client";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import styles from "./search.module.css";
import { type SearchEntry, search, withoutBackticks } from "./search.ts";

/** Searches the whole documentation in the browser. Without a query, shows its children. */
export const DocsSearch = ({ entries, children }: { entries: readonly SearchEntry[]; children: ReactNode }) => {
  const [query, setQuery] = useState("");
  // The page is rendered once for all readers, so the browser reads the query from the URL.
  useEffect(() => setQuery(new URLSearchParams(window.location.search).get("q") ?? ""), []);
  const results = useMemo(() => search(entries, query), [entries, query]);
  return (
    <>
      <search>
        <form action="/docs" onSubmit={(event) => event.preventDefault()}>
          <input
            className={`${styles.input} ${styles.large}`}
            type="search"
            name="q"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            aria-label="Search the documentation"
            placeholder="Search the documentation"
            autoComplete="off"
          />
        </form>
      </search>
      {query.trim() === "" ? children : <Results results={results} query={query.trim()} />}
    </>
  );
};

const Results = ({ results, query }: { results: readonly SearchEntry[]; query: string }) => (
  <div role="status">
    {results.length === 0 ? (
      <p className={styles.none}>No results for “{query}”.</p>
    ) : (
      <ul className={styles.results} aria-label="Results">
        {results.map(({ href, title, kind, text }) => (
          <li key={`${kind} ${href}`}>
            <a href={href}>
              <span className={styles.name}>{withoutBackticks(title)}</span>
              <span className={styles.kind}>{kind}</span>
              <span className={styles.about}>{excerpt(withoutBackticks(text))}</span>
            </a>
          </li>
        ))}
      </ul>
    )}
  </div>
);

const excerpt = (text: string): string => (text.length > 120 ? `${text.slice(0, 119).trimEnd()}…` : text);
