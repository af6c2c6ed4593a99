import { Link } from "../../ui/link.tsx";
import styles from "./range-picker.module.css";

type Range = { name: string; href: string; isCurrent: boolean };

/** Links to the ranges of time that a page can show. @param scroll false: the page keeps its position */
export const RangePicker = ({
  label = "Period",
  ranges,
  scroll = true,
}: {
  label?: string;
  ranges: readonly Range[];
  scroll?: boolean;
}) => (
  <nav className={styles.ranges} aria-label={label}>
    {ranges.map(({ name, href, isCurrent }) => (
      <Link key={href} href={href} scroll={scroll} aria-current={isCurrent ? "true" : undefined}>
        {name}
      </Link>
    ))}
  </nav>
);
