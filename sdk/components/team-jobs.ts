import type * as pulumi from "@pulumi/pulumi";
import { Command } from "../resources/command";
import { PartitionSensor } from "../resources/partition-sensor";
import { type ByName, mapped } from "./by-name";
import type { Children } from "./children";
import type { TeamEnvironmentArgs, TeamJobArgs } from "./team-environment-args";

export interface TeamJobs {
  readonly sensors: ByName<PartitionSensor>;
  readonly jobs: ByName<Command>;
}

/** The jobs start once `everythingElse` is there, each after its partitions and the jobs that it names. */
export function createJobs(
  { jobs: given = {} }: TeamEnvironmentArgs,
  children: Children,
  everythingElse: readonly pulumi.Resource[],
): TeamJobs {
  const sensors = mapped(withSensor(given), ({ waitFor }, name) => {
    const options = children.optionsOf(`jobs.${name}.waitFor`);
    return new PartitionSensor(children.nameOf(name), { ...waitFor!, wait: waitFor!.wait ?? true }, options);
  });
  const jobs: Record<string, Command> = {};
  const submit = (name: string): Command => {
    const existing = jobs[name];
    if (existing) return existing;
    const { waitFor: _, after = [], ...command } = given[name]!;
    const first = [...everythingElse, ...(sensors[name] ? [sensors[name]] : []), ...after.map(submit)];
    const options = children.optionsOf(`jobs.${name}`, { dependsOn: first });
    jobs[name] = new Command(children.nameOf(name), command, options);
    return jobs[name];
  };
  return { sensors, jobs: mapped(given, (_, name) => submit(name)) };
}

function withSensor(jobs: ByName<TeamJobArgs>): ByName<TeamJobArgs> {
  return Object.fromEntries(Object.entries(jobs).filter(([, { waitFor }]) => waitFor !== undefined));
}
