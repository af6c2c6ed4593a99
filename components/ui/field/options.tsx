/** The options of a `Select`: for each value its label, in the order of the object. */
export const Options = ({ labels }: { labels: Readonly<Record<string, string | { label: string }>> }) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {typeof label === "string" ? label : label.label}
    </option>
  ));
