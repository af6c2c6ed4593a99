import styles from "./search.module.css";

/** Opens the overview, which runs the search. */
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
