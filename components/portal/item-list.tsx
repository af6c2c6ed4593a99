import type { ReactNode } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import styles from "./item-list.module.css";

export const ItemList = ({ children }: { children: ReactNode }) => (
  <ul className={`card ${styles.list}`}>{children}</ul>
);

export const Item = ({
  icon,
  logo,
  title,
  note,
  act,
}: {
  icon?: IconName;
  /** the logo of a client or merchant, in place of the icon */
  logo?: ReactNode;
  title: ReactNode;
  note: ReactNode;
  act?: ReactNode;
}) => (
  <li className={styles.item}>
    {icon ? (
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
    ) : (
      logo
    )}
    <div>
      <h2 className="small">{title}</h2>
      <p className="tiny">{note}</p>
    </div>
    <div className={styles.act}>{act}</div>
  </li>
);
