import type { ReactNode } from "react";
import { PageHead } from "../../../portal/page-head.tsx";
import { ButtonLink } from "../../../ui/button.tsx";

/** The frame of the pages to which Stripe redirects: the heading, the content and the way back to the settings. */
export const ProcessorFrame = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <>
    <PageHead title={title}>{text}</PageHead>
    {children}
    <div>
      <ButtonLink href="/merchant/settings" size="small">
        All settings
      </ButtonLink>
    </div>
  </>
);
