import styles from "./title-text.module.css";

/** The text of a title. Keeps `e-mail` on one line, because browsers may break a line after its hyphen. */
export const TitleText = ({ text }: { text: string }) =>
  text.split(/(e-mail)/i).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
      <span key={index} className={styles.word}>
        {part}
      </span>
    ) : (
      part
    ),
  );
