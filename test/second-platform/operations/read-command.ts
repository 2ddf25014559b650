/** The result of parsing one command type. */
export interface ReadCommand {
  commandType: string;
  command: Record<string, unknown>;
  pool?: string | null;
  template?: string | null;
}

/** Parameters of 4.2, common to all submissions. */
export const commonNames = ["command_type", "label", "name", "tags", "macros", "timeout"];
