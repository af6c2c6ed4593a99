import { Children, type ComponentProps, cloneElement, Fragment, isValidElement, type ReactNode } from "react";
import { Link } from "./link.tsx";
import styles from "./table.module.css";
import { WholeWords } from "./whole-words.tsx";

/**
 * The kind of a column decides how its heading and its cells look. Plain text wraps. `figure`: numbers and amounts, at
 * the right. `id`: an ID, in monospace. `date`: a date, a time or a period. `short`: a state or a short name. Figures
 * never wrap; dates and short texts wrap only on small screens. `acts`: the column of actions, after all others; its
 * heading is only for screen readers. `unlabelled`: text; on narrow screens, the cells don't repeat the name of the
 * column.
 */
type Column =
  | string
  | { figure: string }
  | { id: string }
  | { date: string }
  | { short: string }
  | { acts: string }
  | { unlabelled: string };

const nameOf = (column: Column): string => (typeof column === "string" ? column : (Object.values(column)[0] ?? ""));

const kindOf = (column: Column): string | undefined =>
  typeof column === "string" ? undefined : Object.keys(column)[0];

const Heading = ({ column }: { column: Column }) => {
  const kind = kindOf(column);
  return (
    <th scope="col" data-kind={kind}>
      {kind === "acts" ? (
        <span className="visuallyHidden">{nameOf(column)}</span>
      ) : (
        <WholeWords>{nameOf(column)}</WholeWords>
      )}
    </th>
  );
};

/**
 * On narrow screens, each row becomes a card: the first cell is its title, and the other cells follow with the names of
 * their columns. The last column contains figures or the state: on a card, it is to the right of the title. An optional
 * column of actions follows it: on a card, the actions are at the end. No column is hidden.
 * With `isInOrder`, the last column is also last on a card, for example if it is similar to the column before it.
 *
 * With `isAligned`, the kinds of the columns determine their widths, so that similar tables on a page are aligned.
 *
 * Text with `data-dates` may wrap between its dates, but never inside a date.
 *
 * @param children the `tbody`, whose rows and cells are plain `tr` and `td` elements
 */
export const Table = ({
  caption,
  columns,
  isInOrder = false,
  isAligned = false,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  isInOrder?: boolean;
  isAligned?: boolean;
  children: ReactNode;
}) => (
  <div className={`card ${styles.scroll}`}>
    <table
      className={styles.table}
      // biome-ignore lint/a11y/noRedundantRoles: some browsers drop the roles of tables that CSS shows as cards
      role="table"
      data-in-order={isInOrder || undefined}
      data-aligned={isAligned || undefined}
    >
      <caption className="visuallyHidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={nameOf(column)} column={column} />
          ))}
        </tr>
      </thead>
      {labelledRows(children, columns)}
    </table>
  </div>
);

type Marked = { children?: ReactNode; role?: string; "data-label"?: string; "data-kind"?: string | undefined };

const markOf = (column: Column | undefined): Marked => {
  if (column === undefined) return {};
  const kind = kindOf(column);
  const isLabelled = kind !== "acts" && kind !== "unlabelled";
  return { "data-kind": kind, ...(isLabelled ? { "data-label": nameOf(column) } : {}) };
};

/** Each cell gets the name of its column, which CSS shows on narrow screens. */
const labelledRows = (children: ReactNode, columns: readonly Column[]): ReactNode =>
  Children.map(children, (child) => {
    if (!isValidElement<Marked>(child)) return child;
    if (child.type === "tr") return cloneElement(child, { role: "row" }, labelledCells(child.props.children, columns));
    const isBody = child.type === "tbody";
    if (!isBody && child.type !== Fragment) return child;
    return cloneElement(child, isBody ? { role: "rowgroup" } : {}, labelledRows(child.props.children, columns));
  });

const labelledCells = (children: ReactNode, columns: readonly Column[]): ReactNode =>
  Children.toArray(children).map((cell, index) =>
    isValidElement<Marked>(cell) && cell.type === "td"
      ? cloneElement(cell, { role: "cell", ...markOf(columns[index]) }, <WholeWords>{cell.props.children}</WholeWords>)
      : cell,
  );

/** A second, smaller line in a cell. */
export const CellNote = ({ children }: { children: ReactNode }) => <span className={styles.under}>{children}</span>;

/** An ID in a second, smaller line. */
export const CellId = ({ children }: { children: string }) => (
  <CellNote>
    <code>{children}</code>
  </CellNote>
);

/**
 * The main link of a row: a click anywhere in the row follows it. Other links and buttons of the row still work.
 */
export const RowLink = (props: Omit<ComponentProps<typeof Link>, "className">) => (
  <Link {...props} className={styles.rowLink} />
);

/** As `RowLink`, for a page that must open as a new document. */
export const DocumentRowLink = (props: Omit<ComponentProps<"a">, "className">) => (
  <a {...props} className={styles.rowLink}>
    <WholeWords>{props.children}</WholeWords>
  </a>
);
