import { CellNote } from "../../ui/table.tsx";
import styles from "./scope-notes.module.css";

/** The scopes in a cell, one per line. If there are more than three, the cell shows their number and opens on click. */
export const ScopeNotes = ({ scopes }: { scopes: readonly string[] }) => {
  const notes = scopes.map((scope) => (
    <CellNote key={scope}>
      <span className={styles.scope}>{scope}</span>
    </CellNote>
  ));
  if (scopes.length <= 3) return <>{notes}</>;
  return (
    <details>
      <summary>{scopes.length} scopes</summary>
      {notes}
    </details>
  );
};
