import { decodeJwt, decodeProtectedHeader } from "jose";
import type { Exchange } from "./protocol/demo-wire.ts";
import styles from "./wire-view.module.css";

/** One request and its response. Long values are folded, and tokens can be decoded. */
export const ExchangeView = ({ exchange, isOpen }: { exchange: Exchange; isOpen: boolean }) => (
  <details className={styles.exchange} open={isOpen}>
    <summary>
      <span className={styles.title}>{exchange.title}</span>
      <span className={styles.call}>
        {exchange.method} {exchange.path}
      </span>
      <span className={`${styles.status} ${exchange.status < 400 ? styles.good : styles.bad}`}>{exchange.status}</span>
      <span className={styles.time}>{exchange.milliseconds} ms</span>
    </summary>
    <div className={styles.sides}>
      <div className={styles.side}>
        <h3>Request</h3>
        <Lines entries={exchange.requestHeaders} isHeaders />
        <Lines entries={exchange.requestBody} />
      </div>
      <div className={styles.side}>
        <h3>Response {exchange.status}</h3>
        <Lines entries={exchange.responseHeaders} isHeaders />
        {exchange.responseBody.length > 0 ? <Lines entries={exchange.responseBody} /> : <p>(empty)</p>}
      </div>
    </div>
  </details>
);

const Lines = ({ entries, isHeaders = false }: { entries: readonly [string, unknown][]; isHeaders?: boolean }) => (
  <div className={isHeaders ? styles.headers : undefined}>
    {entries.map(([name, value]) => (
      <div key={name} className={styles.line}>
        {name === "" ? null : <span className={styles.name}>{name}: </span>}
        <Value value={value} />
      </div>
    ))}
  </div>
);

const foldFrom = 56;

const Value = ({ value }: { value: unknown }) => {
  if (typeof value !== "string") return <Nested value={value} />;
  const [scheme = "", token = ""] = /^(Bearer |DPoP )(.+)$/.exec(value)?.slice(1) ?? ["", value];
  const decoded = decodeToken(token);
  const embedded = decoded ? null : parseEmbedded(value);
  if (decoded) {
    return (
      <Fold short={`${scheme}${shorten(token)}`} verb="Decode">
        <span className={styles.part}>header </span>
        {JSON.stringify(decoded.header, null, 2)}
        {"\n"}
        <span className={styles.part}>payload </span>
        {JSON.stringify(decoded.payload, null, 2)}
      </Fold>
    );
  }
  if (embedded) {
    return (
      <Fold short={shorten(value)} verb="Show">
        {JSON.stringify(embedded, null, 2)}
      </Fold>
    );
  }
  return value.length > foldFrom ? (
    <Fold short={shorten(value)} verb="Show">
      {value}
    </Fold>
  ) : (
    <span>{value}</span>
  );
};

const Nested = ({ value }: { value: unknown }) => {
  const compact = JSON.stringify(value);
  return compact.length <= foldFrom ? (
    <span>{compact}</span>
  ) : (
    <Fold short={`${compact.slice(0, 44)}…`} verb="Show">
      {JSON.stringify(value, null, 2)}
    </Fold>
  );
};

const Fold = ({ short, verb, children }: { short: string; verb: string; children: React.ReactNode }) => (
  <details className={styles.fold}>
    <summary>
      {short}
      <span className={styles.more}>{verb}</span>
    </summary>
    <span className={styles.whole}>{children}</span>
  </details>
);

const shorten = (text: string): string => (text.length > foldFrom ? `${text.slice(0, 24)}…${text.slice(-8)}` : text);

const decodeToken = (text: string): { header: unknown; payload: unknown } | null => {
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return null;
  try {
    return { header: decodeProtectedHeader(text), payload: decodeJwt(text) };
  } catch {
    return null;
  }
};

const parseEmbedded = (text: string): unknown => {
  if (!text.startsWith("[{") && !text.startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
