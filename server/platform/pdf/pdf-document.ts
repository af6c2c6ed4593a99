/** A document of sections, one below the other. It is plain data, so that a worker thread can draw it. */
export type PdfDocument = {
  title: string;
  /** below the title */
  subtitle: string;
  /** a line across the top of each page; null: none */
  banner: string | null;
  brand: string;
  sections: readonly PdfSection[];
  footer: string;
  /** `Page {page} of {pages}` in the reader's language */
  pageLabel: string;
  language: string;
  /** RFC 3339: the only time in the file, so that the same document has the same bytes */
  at: string;
};

export type PdfSection = {
  heading: string | null;
  rows: readonly (readonly [name: string, value: string])[];
  table?: PdfTable;
};

/** A table below the rows of a section. Numbers are aligned to the right, and have no line breaks. */
export type PdfTable = {
  columns: readonly { label: string; isNumber: boolean }[];
  rows: readonly (readonly string[])[];
  /** rows after a darker line, such as sums */
  totals: readonly (readonly string[])[];
};
