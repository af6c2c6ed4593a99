import styles from "./search.module.css";

/** Leads to the overview, which searches. */
export const SearchForm = () => (
  <search>
    <form action="/docs">
      <input
        className={styles.input}
        type="search"
        name="q"
        aria-label="Search the documentation"
        placeholder="Search"
      />
    </form>
  </search>
);
