import { ButtonLink } from "../ui/button.tsx";
import styles from "./attention.module.css";

export type AttentionItem = { key: string; title: string; text: string; href: string; verb: string };

/** The items that need attention, each with a link to the page where the person can act. */
export const Attention = ({ items, label = "Needs attention" }: { items: readonly AttentionItem[]; label?: string }) =>
  items.length === 0 ? null : (
    <section aria-label={label}>
      <ul className={styles.list}>
        {items.map(({ key, title, text, href, verb }) => (
          <li key={key} className={styles.item}>
            <div>
              <h2 className="small">{title}</h2>
              <p className="small muted">{text}</p>
            </div>
            <ButtonLink href={href} size="small">
              {verb}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
