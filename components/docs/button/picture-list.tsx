import styles from "./button-page.module.css";

const pictures = [
  { name: "button", text: "Continue with Paygrant" },
  { name: "button-de", text: "Weiter mit Paygrant" },
  { name: "badge", text: "Accepts Paygrant" },
  { name: "logo", text: "Paygrant" },
] as const;

/** Each picture on the background that it is made for. The pictures are loaded from the host of the page. */
export const PictureList = ({ cdnUrl }: { cdnUrl: string }) => (
  <div className={styles.pictures}>
    {pictures.flatMap(({ name, text }) =>
      (["light", "dark"] as const).map((theme) => (
        <figure key={`${name}-${theme}`} className={styles.picture}>
          <div className={`${styles.ground} ${styles[theme]}`}>
            {/* biome-ignore lint/performance/noImgElement: images aren't optimized (next.config.mjs) */}
            <img src={`/cdn/v1/${name}-${theme}.svg`} alt={text} />
          </div>
          <figcaption>
            <code>{`${cdnUrl}/v1/${name}-${theme}.svg`}</code>
          </figcaption>
        </figure>
      )),
    )}
  </div>
);
