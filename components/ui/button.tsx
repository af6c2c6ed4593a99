import { Button as BaseButton } from "@base-ui/react/button";
import type { ComponentProps, ReactNode } from "react";
import styles from "./button.module.css";
import { Link } from "./link.tsx";
import { WholeWords } from "./whole-words.tsx";

export type ButtonLook = {
  variant?: "plain" | "strong" | "primary" | "danger" | "dangerSolid" | "quiet";
  size?: "normal" | "small";
  isWide?: boolean;
};

export const buttonClass = ({ variant = "plain", size = "normal", isWide = false }: ButtonLook): string =>
  [styles.button, variant !== "plain" && styles[variant], size === "small" && styles.small, isWide && styles.wide]
    .filter(Boolean)
    .join(" ");

/** `isBusy`: disabled but still focusable while its action runs. */
export const Button = ({
  variant,
  size,
  isWide,
  isBusy = false,
  children,
  ...props
}: ButtonLook & { isBusy?: boolean } & Omit<ComponentProps<typeof BaseButton>, "className">) => (
  <BaseButton
    {...props}
    disabled={props.disabled || isBusy}
    focusableWhenDisabled={isBusy}
    aria-busy={isBusy || undefined}
    className={buttonClass({ ...(variant && { variant }), ...(size && { size }), ...(isWide && { isWide }) })}
  >
    <WholeWords>{children}</WholeWords>
  </BaseButton>
);

export const ButtonLink = ({
  variant,
  size,
  isWide,
  ...props
}: ButtonLook & Omit<ComponentProps<typeof Link>, "className">) => (
  <Link
    {...props}
    className={buttonClass({ ...(variant && { variant }), ...(size && { size }), ...(isWide && { isWide }) })}
  />
);

/** A link to a file. The browser downloads the file; the router doesn't handle the link. */
export const DownloadLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} download className={buttonClass({ size: "small" })}>
    {children}
  </a>
);

/** A submit button of a native form. It works without JavaScript. */
export const SubmitButton = ({
  variant,
  size,
  isWide,
  children,
  ...props
}: ButtonLook & Omit<ComponentProps<"button">, "className">) => (
  <button
    type="submit"
    {...props}
    className={buttonClass({ ...(variant && { variant }), ...(size && { size }), ...(isWide && { isWide }) })}
  >
    <WholeWords>{children}</WholeWords>
  </button>
);
