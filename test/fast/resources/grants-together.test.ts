import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { policyEditsOf } from "../../../provider/platform/policies/edits";
import { objects, viewPolicy } from "../../../provider/platform/policies/objects";
import { folderGrant } from "../../../provider/resources/folder-grant";
import { folderPolicy } from "../../../provider/resources/folder-policy";
import { objectGrant } from "../../../provider/resources/object-grant";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { hasGrant, withGrant } from "../../../provider/values/grant";
import type { Policy } from "../../../provider/values/policy";
import { found, policyOf } from "../../cases/object-grant";
import { answers, freshEmulator } from "../../harness/emulators";
import { createdBy, inOneRun, inProcess } from "../../harness/in-process";
import type { Args } from "../../harness/lifecycle";

const source = { sourceType: "note", sourceId: "501" };
const grant = { ...source, user: 104, allow: ["read"] };
const ours = { access: "allow", action: ["read"], condition: { svc_users: [104] } };
const whole = { ...source, policy: [{ access: "allow", action: ["read"], condition: { svcUsers: [104] } }] };

const emulator = freshEmulator({ extended: true });
const note = (): unknown => policyOf(emulator.state({ secrets: true }));
const run = () => inOneRun(emulator, { extended: true });

const declaring = (who: string) => ({ who, name: who });
/** A grant, a policy or the like of an earlier run. */
const earlier = (definition: AnyResource, inputs: Args) => inProcess(definition, emulator).life.create(inputs);
/** One that is declared and made in a run. */
async function makes(of: ReturnType<typeof run>, definition: AnyResource, inputs: Args, name: string) {
  const it = of(definition);
  it.life.check(inputs, declaring(name));
  return createdBy(it, inputs);
}

describe("in one program", () => {
  const folder = { type: "notes", location: "Common/reports" };
  const part = { ...folder, location: "/Common/reports", group: 204, allow: ["read"] };

  test.each([
    [objectPolicy, whole, objectGrant, grant, "policy of note/501"],
    [folderPolicy, { ...folder, policy: [] }, folderGrant, part, "policy of folder notes/Common/reports"],
  ] as const)(
    "a policy and a grant: an error that names both, whichever comes first",
    (policy, its, one, given, key) => {
      const [byWhole, byPart] = [declaring("whole"), declaring("part")];
      const declared = run();
      declared(policy).life.check(its, byWhole);
      const adds = `adds to the ${key}, but ${policy.type} "whole" in this program manages all of it and would remove this; declare it there, or remove that resource`;
      const { failures } = declared(one).life.check(given, byPart);
      expect(failures).toEqual([{ property: one.keys!.property, reason: adds }]);
      const again = run();
      again(one).life.check(given, byPart);
      const manages = `manages all of the ${key} and would remove what ${one.type} "part" in this program adds to it; declare that here, or remove one of the two`;
      const { failures: found } = again(policy).life.check(its, byWhole);
      expect(found).toEqual([{ property: policy.keys!.property, reason: manages }]);
    },
  );

  test("grants of several principals go together", () => {
    const declared = run();
    for (const [who, other] of [{}, { user: 106 }, { user: undefined, group: 104 }, { sourceId: "502" }].entries())
      expect(declared(objectGrant).life.check({ ...grant, ...other }, declaring(`${who}`)).failures).toEqual([]);
  });
});

describe("moving", () => {
  const other = { ...grant, user: 106 };
  const theirs = { ...ours, condition: { svc_users: [106] } };

  test("renamed without an alias: the grant stays, and nothing is written", async () => {
    const { state, id } = await earlier(objectGrant, grant);
    emulator.clearRequests();
    const { life: its, said, ...created } = await makes(run(), objectGrant, grant, "new");
    await its.delete(id, state);
    expect(emulator.requests().counts["objectPolicy.set"]).toBeUndefined();
    expect(said.infos).toEqual([expect.stringContaining('grant of user 104 on note/501 (ObjectGrant "new")')]);
    await inProcess(objectGrant, emulator).life.delete(created.id, created.state);
    expect(note()).toEqual([found]);
  });

  test("--replace, delete before create: the grant is there in the end", async () => {
    const { state, id } = await earlier(objectGrant, grant);
    const { life: its } = run()(objectGrant);
    its.check(grant, declaring("a"));
    await its.delete(id, state);
    expect(note()).toEqual([found]);
    await its.create(grant);
    expect(note()).toEqual([found, ours]);
  });

  test("from a grant to the whole policy: the policy keeps it", async () => {
    const { state, id } = await earlier(objectGrant, grant);
    const of = run();
    await makes(of, objectPolicy, whole, "p");
    const { life: its, said } = of(objectGrant);
    await its.delete(id, state);
    expect(note()).toEqual([ours]);
    expect(said.infos).toEqual([expect.stringContaining('because ObjectPolicy "p" now manages the whole policy')]);
    expect(said.warnings).toEqual([expect.stringContaining("destroy brings the grant back")]);
  });

  test("grants that swap their users: what another one gives up is taken over, also if that is said late", async () => {
    const updating = { ...other, allow: ["update"] };
    const [first, second] = [await earlier(objectGrant, grant), await earlier(objectGrant, updating)];
    const { life: its } = run()(objectGrant);
    const early = { ...updating, user: 104 };
    its.check(other, { ...declaring("a"), old: grant });
    await its.delete(first.id, first.state);
    its.check(other, declaring("a"));
    const created = its.create(other);
    await new Promise((resolve) => setTimeout(resolve, 20));
    its.check(early, { ...declaring("b"), old: updating });
    its.check(early, declaring("b"));
    await created;
    await its.delete(second.id, second.state);
    await its.create(early);
    expect(note()).toEqual([found, theirs, { ...ours, action: ["update"] }]);
  });

  test("a policy that is taken over before its resource is known: what was there before is named at least", async () => {
    const { id, state } = await earlier(objectPolicy, whole);
    const closed = { ...whole, policy: [{ access: "deny" }] };
    const { life: policy, said } = await makes(run(), objectPolicy, closed, "p");
    await policy.delete(id, state);
    const says = /destroy will not bring back the policy that note\/501 had before.* It was: \[\{"access"/;
    expect(said.warnings.join()).toMatch(says);
    const { life: next, said: heard } = run()(objectPolicy);
    next.check(closed, declaring("p"));
    next.diff(state, closed);
    await next.create(closed);
    await next.delete(id, state);
    expect(heard.warnings).toEqual([]);
  });

  test.each(["restore", "clear"])("from the whole policy (%s) to a grant: the grant stays", async (onDestroy) => {
    const { state, id } = await earlier(objectPolicy, { ...whole, onDestroy });
    const of = run();
    await makes(of, objectGrant, other, "g");
    const { life: policy, said } = of(objectPolicy);
    await policy.delete(id, state);
    expect(note()).toEqual([ours, theirs]);
    const says = 'stays as last set, because ObjectGrant "g" now adds to it';
    expect(said.warnings).toEqual([expect.stringContaining(says)]);
  });

  test("a grant of this run that is not there yet does not keep the old policy from being restored", async () => {
    const { state, id } = await earlier(objectPolicy, whole);
    const of = run();
    of(objectGrant).life.check(other, declaring("g"));
    await of(objectPolicy).life.delete(id, state);
    expect(note()).toEqual([found]);
  });
});

describe("another writer", () => {
  // Only a folder's place warns of something.
  const itself = objects.placeOf({} as never, { sourceType: "note", sourceId: source.sourceId });
  /** The policy of the note, with somebody who does something right before or after each of the first writes. */
  const interrupted = (times: number, when: "before" | "after", theirs: (policy: Policy) => Policy) => {
    const { client: api } = inProcess(objectGrant, emulator, { hurried: true });
    const other = inProcess(objectGrant, emulator).client;
    let left = times;
    const interrupt = async (now: string) => {
      if (now === when && left-- > 0) await itself.write(other, theirs(await viewPolicy(other, source)));
    };
    const wanted = { user: 104, allow: ["read"] };
    const place = {
      ...itself,
      read: (client: typeof api) => viewPolicy(client, source),
      write: async (client: typeof api, policy: Policy) => {
        await interrupt("before");
        await itself.write(client, policy);
        await interrupt("after");
      },
    };
    return policyEditsOf(api).edit({
      place,
      api,
      merge: (policy) => withGrant(policy, wanted),
      isDone: (policy) => hasGrant(policy, wanted),
    });
  };
  const theirGrant = { user: 106, allow: ["update"] };
  const theirElement = { access: "allow", action: ["update"], condition: { svc_users: [106] } };

  test("who overwrites ours is noticed, and both are there in the end", async () => {
    emulator.clearRequests();
    await interrupted(1, "after", () => [{ access: "allow", action: ["update"], condition: { svcUsers: [106] } }]);
    expect(note()).toEqual([theirElement, ours]);
    expect(emulator.requests().counts["objectPolicy.set"]).toBe(3);
  });

  test("who writes between our read and our write is overwritten, and their own check notices", async () => {
    await interrupted(1, "before", (policy) => withGrant(policy, theirGrant));
    expect(note()).toEqual([found, ours]);
    const { life: its } = inProcess(objectGrant, emulator);
    const state = { ...source, ...theirGrant };
    await expect(its.read("note/501/user:106", state)).resolves.toBeUndefined();
    await its.create(state);
    expect(note()).toEqual([found, ours, theirElement]);
  });

  test("who never stops: an error that says so, whose outcome is open", async () => {
    await expect(interrupted(99, "after", () => [])).rejects.toMatchObject({
      code: "conflict",
      outcome: "open",
      message: expect.stringContaining(
        "could not change the policy of note/501: the platform accepted the change, but does not show it",
      ),
    });
  });

  test("two processes at once: nothing is lost", async () => {
    const both = [104, 106].map((user) => inProcess(objectGrant, emulator).life.create({ ...grant, user }));
    const [one, other] = await Promise.all(both);
    for (const { id, state } of [one!, other!]) {
      const { life: its } = inProcess(objectGrant, emulator);
      if (!(await its.read(id, state))) await its.create(state);
    }
    expect(note()).toHaveLength(3);
  });

  test("a platform that shows a write late: it is not written again", async () => {
    answers(emulator, "objectPolicy.view", 200, [found], { nth: [2, 3] });
    await inProcess(objectGrant, emulator, { hurried: true }).life.create(grant);
    const { counts } = emulator.requests();
    expect([counts["objectPolicy.view"], counts["objectPolicy.set"]]).toEqual([4, 1]);
    expect(note()).toEqual([found, ours]);
  });
});
