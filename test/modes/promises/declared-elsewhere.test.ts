import { beforeAll, describe, expect, test } from "vitest";
import { accountOf, addressesOf, sharedEmulator, writesTo } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, mode, sharedStack, story } from "../../harness/stacks";
import { everyOne, flagged, messagesOf, quick, renamed, urnsIn } from "./shared";

/** A run never removes what it also declares, even if it is renamed, replaced, moved or interrupted. */

const policy = [{ access: "allow", action: ["read"], condition: { svcGroups: [204] } }];

/** One of every type that has its own key on the platform. */
const keyed: Program = {
  role: { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" } },
  packages: {
    type: "PackageSet",
    args: { envId: 403, sourceType: "python_package", packages: ["pyarrow==15.0.0", "polars"] },
  },
  note: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "502", policy, onDestroy: "clear" } },
  boards: {
    type: "FolderPolicy",
    args: { type: "notebook_dashboards", location: "Common/boards", policy, onDestroy: "clear" },
  },
  offices: { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "198.51.100.2"], adopt: true } },
  home: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.1", adopt: true } },
  user: { type: "EnabledUser", args: { svcUserId: "107" } },
  folder: {
    type: "Folder",
    args: { folderId: "702", type: "notes", name: "monthly", location: "Common/reports/weekly" },
  },
};
const plain: Program = { plain: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.9" } } };
const sets = (west: readonly string[], east: readonly string[]): Program => ({
  west: { type: "IpWhitelist", args: { addresses: west } },
  east: { type: "IpWhitelist", args: { addresses: east } },
});
const unchanged: Program = { ...plain, ...sets(["192.0.2.1", "192.0.2.2"], ["192.0.2.3"]) };
const size = (...programs: readonly Program[]) => programs.flatMap(Object.keys).length;
const isKeyed = ({ urn }: { readonly urn: string }) => !/::(plain|west|east)$/.test(urn);

describe(`in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });
  beforeAll(async () => {
    await expectOk(stack.up({ ...keyed, ...unchanged }));
    expectEverythingKept();
  });

  function found() {
    const { groups, objects, folders, users, environments } = accountOf(emulator);
    const at = <T extends { id: number }>(list: readonly T[], id: number) => list.find((one) => one.id === id)!;
    return {
      roles: at(groups, 205).roles,
      packages: Object.keys(at(environments, 403).python_package).sort(),
      notePolicy: at(objects, 502).policy?.length,
      folderPolicy: at(folders, 704).policy?.length,
      addresses: addressesOf(emulator).sort(),
      user: at(users, 107).status,
      folder: at(folders, 702).name,
    };
  }

  function expectEverythingKept(): void {
    expect(found()).toEqual({
      roles: [301],
      packages: ["polars", "pyarrow"],
      notePolicy: 1,
      folderPolicy: 1,
      addresses: [
        ...["192.0.2.1", "192.0.2.2", "192.0.2.3"],
        ...["198.51.100.1", "198.51.100.2"],
        ...["203.0.113.1", "203.0.113.9"],
      ],
      user: "enabled",
      folder: "monthly",
    });
  }

  /**
   * A replaced WhitelistedIp is created before the old one is deleted, so that a changed address locks nobody out. A
   * forced replacement without `adopt` therefore finds its own address listed: an error, and nothing is lost.
   */
  const replaceable = async () => (await urnsIn(stack)).filter((urn) => !urn.endsWith("::plain"));

  const left = /left on the (platform|list),? because this run declares it elsewhere: /;

  let before: readonly object[] = [];

  const chapter = story();
  chapter("renaming without aliases", async () => {
    before = (await stack.exportState()).resources.filter(isKeyed);
    const outcome = await expectOk(stack.up({ ...renamed(keyed, "2"), ...unchanged }));
    expect(outcome.changed).toEqual({ ...everyOne(keyed, "delete"), ...everyOne(renamed(keyed, "2"), "create") });
    expectEverythingKept();
    const messages = messagesOf(outcome);
    expect(messages.match(new RegExp(left, "g"))).toHaveLength(size(keyed));
    expect(messages).toContain('(ObjectPolicy "note-2")');
  });

  chapter("the next run finishes one that was interrupted between creates and deletes", async () => {
    const current = (await stack.exportState()).resources;
    stack.editState((resources) => [
      ...resources,
      ...before,
      // Leftovers of replacements have the names of their replacements.
      ...current.filter(isKeyed).map((one) => ({ ...one, delete: true })),
    ]);
    const outcome = await expectOk(stack.up());
    expect(outcome.steps).toMatchObject({ same: size(keyed, unchanged) });
    expect(await urnsIn(stack)).toHaveLength(size(keyed, unchanged));
    expectEverythingKept();
    expect(messagesOf(outcome)).toMatch(left);
  });

  chapter("pulumi up --replace, of everything at once", async () => {
    const replaced = flagged("--replace", await replaceable());
    const outcome = await expectOk(stack.operate("up", "--yes", "--skip-preview", ...replaced));
    expect(Object.keys(outcome.changed)).toHaveLength(size(keyed, unchanged) - 1);
    expectEverythingKept();
  });

  chapter("targeting only the new names, then everything", async () => {
    const last = renamed(keyed, "3");
    stack.write({ ...last, ...unchanged });
    const urns = (await urnsIn(stack)).filter((urn) => urn.endsWith("-2")).map((urn) => urn.replace(/-2$/, "-3"));
    const targeted = await expectOk(stack.operate("up", "--yes", "--skip-preview", ...flagged("--target", urns)));
    expect(targeted.changed).toEqual(everyOne(last, "create"));
    const full = await expectOk(stack.up());
    // Nothing else, because earlier replacements are complete.
    expect(full.changed).toEqual(everyOne(renamed(keyed, "2"), "delete"));
    expectEverythingKept();
  });

  // From one mode to the other and back: once is enough, from dynamic mode.
  if (mode === "dynamic")
    chapter("renamed without aliases in the run that changes the mode or the provider: other processes", async () => {
      // Another token of the same account.
      const args = { baseUrl: emulator.url, apiToken: { $secret: emulator.tokens["user"] } };
      const provided = (program: Program): Program =>
        Object.fromEntries(Object.entries(program).map(([name, one]) => [name, { ...one, opts: { provider: "own" } }]));
      for (const [now, suffix, provider] of [
        ["plugin", "4", {}],
        [mode, "5", { own: { type: "Provider", args } }],
        [mode, "3", {}],
      ] as const) {
        stack.configure({ mode: now });
        const all = { ...renamed(keyed, suffix), ...unchanged };
        const outcome = await expectOk(stack.up({ ...provider, ...("own" in provider ? provided(all) : all) }));
        expect(outcome.steps).toMatchObject({ create: size(keyed), delete: size(keyed) });
        expect(messagesOf(outcome).match(new RegExp(left, "g"))).toHaveLength(size(keyed));
        expectEverythingKept();
      }
    });

  chapter("a WhitelistedIp without adopt cannot be renamed without an alias, and nothing is lost", async () => {
    const { plain: _, ...others } = unchanged;
    const outcome = await stack.up({ ...renamed(keyed, "3"), ...others, ...renamed(plain, "2") });
    expect(outcome.code).not.toBe(0);
    expect(outcome.text).toMatch(/203\.0\.113\.9 is already whitelisted .*alias with its old name.*adopt: true/);
    expectEverythingKept();
    expect(await urnsIn(stack)).toEqual(expect.arrayContaining([expect.stringMatching(/::plain$/)]));
  });

  chapter("addresses and packages that move between resources stay on the platform", async () => {
    const { "home-3": _, "packages-3": packages, ...others } = renamed(keyed, "3");
    const first = { ...packages!.args, packages: ["pyarrow==15.0.0"] };
    const second = { ...packages!.args, packages: ["polars"] };
    emulator.clearRequests();
    await expectOk(
      stack.up({
        ...others,
        "packages-3": { type: "PackageSet", args: first },
        "more-packages": { type: "PackageSet", args: second },
        ...sets(["192.0.2.1"], ["192.0.2.2", "192.0.2.3"]),
        gathered: { type: "IpWhitelist", args: { addresses: ["203.0.113.1", "203.0.113.9"], adopt: true } },
      }),
    );
    expectEverythingKept();
    expect(Object.keys(emulator.requests().counts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/delete|remove|unassign/)]),
    );
    expect((await expectOk(stack.preview())).changed).toEqual({});
  });

  // The engine runs no checks for either, so nothing counts as declared.
  const program = mode === "plugin" ? ["--run-program"] : [];
  chapter(`pulumi destroy ${program} removes everything that the stack created`, async () => {
    await expectOk(stack.operate("destroy", "--yes", "--skip-preview", ...program));
    const { roles, packages, notePolicy, folderPolicy, addresses } = found();
    expect({ roles, packages, notePolicy, folderPolicy, addresses }).toEqual({
      roles: [],
      packages: [],
      notePolicy: 0,
      folderPolicy: 0,
      addresses: [],
    });
    expect(await urnsIn(stack)).toEqual([]);
  });

  test("what is declared twice fails at preview, the error names both, and nothing is sent: siblings.test.ts has every key", async () => {
    emulator.clearRequests();
    const outcome = await stack.preview({
      one: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.1" } },
      two: { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "203.0.113.1/32"] } },
    });
    expect(outcome.code).not.toBe(0);
    // The engine decides which of the two comes first.
    const failure = outcome.diagnostics.find(({ message }) => message.includes("declares the address 203.0.113.1"));
    const [loser, winner] = failure?.urn?.endsWith("::one")
      ? ["one", 'IpWhitelist "two"']
      : ["two", 'WhitelistedIp "one"'];
    expect(failure?.message).toContain(`resource '${loser}'`);
    expect(failure?.message).toContain(`which ${winner} in this program also declares`);
    expect(writesTo(emulator)).toEqual([]);
  });
});
