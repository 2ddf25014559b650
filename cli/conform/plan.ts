import { type Part, parts } from "./probes";
import type { ObjectTarget, Targets } from "./targets";

export interface Plan {
  /** What is created or changed, and removed or put back at the end. */
  readonly undone: readonly string[];
  /** What cannot be undone. */
  readonly stays: readonly string[];
}

type Line = { readonly undone: string } | { readonly stays: string };

/** What `--write` will do, before anything is sent. */
export function planOf(targets: Targets, mark: string, skipped: readonly Part[], waitSeconds: number): Plan {
  const lines = parts
    .filter((part) => !skipped.includes(part))
    .flatMap((part) => linesOf[part](targets, mark, waitSeconds));
  return {
    undone: lines.flatMap((line) => ("undone" in line ? [line.undone] : [])),
    stays: lines.flatMap((line) => ("stays" in line ? [line.stays] : [])),
  };
}

const objectText = ({ source_type, source_id }: ObjectTarget): string => `${source_type}/${source_id}`;

const linesOf: Readonly<Record<Part, (targets: Targets, mark: string, waitSeconds: number) => Line[]>> = {
  account: ({ editAccount }) =>
    editAccount ? [{ stays: "the account is edited without changes: no parameters, and the name that it has" }] : [],
  whitelist: () => [
    {
      undone:
        "6 whitelisted addresses that nobody has (192.0.2.x, 198.51.100.x, 203.0.113.x, 2001:db8::x). If whitelisting is enabled and the list is empty, users cannot log in until they are removed",
    },
  ],
  "data-stores": (_, mark) => [
    { undone: `a data store conform-${mark} with an invalid host` },
    { stays: `data store conform-${mark}, if this installation cannot delete data stores (an extended operation)` },
  ],
  access: ({ groupRole }, mark) => [
    {
      undone: `groups and roles conform-${mark}*, where the installation can create them; one user is a member for a moment`,
    },
    ...(groupRole
      ? [
          {
            undone: `role ${groupRole.role} is assigned to group ${groupRole.group}, and unassigned. Where the roles of a group cannot be listed, the group loses the role if it has it`,
          },
        ]
      : []),
  ],
  sensors: () => [{ stays: "3 partition sensors, if the platform keeps them" }],
  policies: ({ overwritable }) =>
    overwritable.map((target) => ({
      stays: `the policy of ${objectText(target)} is overwritten, and then put back as the platform showed it; if it cannot be read, it is left alone`,
    })),
  packages: ({ environment, package: name }) =>
    environment !== undefined && name !== undefined
      ? [
          {
            undone: `Python package ${name} in environment ${environment}. Where packages cannot be listed, the environment loses the package if it has it`,
          },
          { stays: `the request for it, if environment ${environment} keeps a history` },
        ]
      : [],
  folders: ({ folder }) =>
    folder
      ? [
          {
            undone: `folder ${folder.location} is renamed and back; its policy is set to what it is, if it can be seen`,
          },
        ]
      : [],
  users: ({ user }) =>
    user === undefined
      ? []
      : [
          {
            stays: `user ${user} is enabled afterwards; where users can be disabled, the user is disabled for a moment`,
          },
        ],
  commands: (_, mark, waitSeconds) => [
    {
      stays: `3 commands conform-${mark}-* in the history: two that run "select 1", one that refreshes a table that does not exist. They may start a cluster. Those that run after ${waitSeconds} s are cancelled where the installation can (an extended operation)`,
    },
  ],
};

export function planText(plan: Plan, account: string, platform: string): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  - ${line}`)];
  return [
    `--write changes account ${account} of ${platform}.`,
    ...list("Created or changed, and removed or put back at the end:", plan.undone),
    ...list("Cannot be undone:", plan.stays),
    "Accounts are never created.",
    "",
  ].join("\n");
}
