"use client";
import { useRouter } from "next/navigation";
import { type ChangeEvent, useId, useState } from "react";
import type { MerchantSettingsView } from "#server/trpc/merchant/settings/settings-views.ts";
import { reasonOf, trpc } from "../../../portal/acts/trpc-client.ts";
import { useAct } from "../../../portal/acts/use-act.tsx";
import styles from "../../../portal/portal.module.css";
import { Notice } from "../../../ui/notice.tsx";
import look from "./branding.module.css";
import { RemoveOwnLogo } from "./remove-own-logo.tsx";
import { PictureProblem, shrinkPicture } from "./shrink-picture.ts";

type Props = { merchantId: string; settings: MerchantSettingsView };

/** Uploads or removes the logo. The browser makes the picture smaller before it sends it. */
export const LogoForm = ({ merchantId, settings: { logo } }: Props) => {
  const router = useRouter();
  const [done, setDone] = useState<string | null>(null);
  const { isBusy, problem, perform, showProblem } = useAct((error) => {
    if (reasonOf(error) === "settings_changed") router.refresh();
    if (!(error instanceof PictureProblem)) return false;
    showProblem({ message: error.message, fields: {} });
    return true;
  });
  const replaces = logo?.hash ?? null;
  const upload = (file: File) =>
    perform(async () => {
      setDone(null);
      await trpc.settings.saveLogo.mutate({ merchantId, replaces, content: await shrinkPicture(file) });
      setDone("Logo saved.");
      router.refresh();
    });
  return (
    <fieldset className={look.group}>
      <legend>Logo</legend>
      <LogoFile isNew={!logo} isBusy={isBusy} error={problem?.message ?? null} onFile={upload} />
      {logo ? (
        <div className={styles.acts}>
          <RemoveOwnLogo merchantId={merchantId} replaces={logo.hash} onRemoved={() => setDone("Logo removed.")} />
        </div>
      ) : null}
      {done ? (
        <Notice tone="good" isLive>
          {done}
        </Notice>
      ) : null}
    </fieldset>
  );
};

type FileProps = { isNew: boolean; isBusy: boolean; error: string | null; onFile: (file: File) => void };

const LogoFile = ({ isNew, isBusy, error, onFile }: FileProps) => {
  const id = useId();
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // Lets the person choose the same file again.
    event.target.value = "";
    if (file) onFile(file);
  };
  return (
    <div className={look.file}>
      <label htmlFor={id}>{isNew ? "Choose a logo" : "Replace the logo"}</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-busy={isBusy || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
        onChange={onChange}
      />
      <p id={`${id}-hint`} className="tiny">
        PNG, JPEG or WebP, at least 48 × 48 pixels. The longer side may be at most five times the shorter side. A square
        picture looks best. The logo is saved immediately.
      </p>
      {error ? (
        <p id={`${id}-error`} className={look.error} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
};
