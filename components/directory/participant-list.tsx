import type { Participant } from "#server/directory/participants/participant.wire.ts";
import { PartyLogo } from "../ui/party-logo.tsx";
import { Pill } from "../ui/pill.tsx";
import styles from "./directory.module.css";
import { roleLabels, statusLabels } from "./directory-labels.ts";

export const StatusPill = ({ status }: { status: string }) => (
  <Pill tone={statusLabels[status]?.tone ?? "neutral"}>{statusLabels[status]?.label ?? status}</Pill>
);

export const rolesText = (roles: readonly string[]): string => roles.map((role) => roleLabels[role] ?? role).join(", ");

/** @param base address of the directory's pages */
export const ParticipantList = ({ participants, base }: { participants: readonly Participant[]; base: string }) => (
  <ul className={`card ${styles.list}`} aria-label="Participants">
    {participants.map(({ id, display_name: name, roles, status, verified_domains: domains }) => (
      <li key={id}>
        <PartyLogo name={name} />
        <div>
          <a href={`${base}/${id}`} className={styles.name}>
            {name}
          </a>
          <p className="small muted">
            {rolesText(roles)}
            {domains.length > 0 ? ` · ${domains.map(({ domain }) => domain).join(", ")}` : ""}
          </p>
        </div>
        <StatusPill status={status} />
      </li>
    ))}
  </ul>
);
