import { Pill, type Tone } from "../../ui/pill.tsx";

const toneOf = (status: number): Tone => (status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

export const LogStatus = ({ status }: { status: number }) => <Pill tone={toneOf(status)}>{status}</Pill>;
