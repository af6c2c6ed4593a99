import type { Metadata } from "next";
import { DemoPage } from "../demo-page.tsx";

export const metadata: Metadata = { title: "Demo", robots: { index: false } };

// Where the consent page's answer arrives; the demo reads it from the address and goes on.
export default DemoPage;
