import { type Answer, errorAnswer, page } from "./answers";
import type { Operation } from "./operation";
import { accountOperations } from "./operations/accounts";
import { commandOperations } from "./operations/commands";
import { dataStoreOperations } from "./operations/data-stores";
import { folderOperations } from "./operations/folders";
import { groupRoleOperations } from "./operations/group-roles";
import { historyOperations } from "./operations/history";
import { hiveOperations } from "./operations/hive";
import { objectPolicyOperations } from "./operations/object-policies";
import { packageOperations } from "./operations/packages";
import { sensorOperations } from "./operations/sensors";
import { userOperations } from "./operations/users";
import { whitelistOperations } from "./operations/whitelist";
import type { Switches } from "./switches";
import type { World } from "./world";

interface Route {
  operation: Operation;
  slashPrinted: boolean;
  exact: RegExp;
}

interface Match {
  operation: Operation;
  rawPath: Record<string, string>;
}

function compile(operation: Operation, printed: string): Route {
  const bare = printed
    .replace(/\/$/, "")
    .replaceAll(".", "\\.")
    .replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return {
    operation,
    slashPrinted: printed.endsWith("/"),
    exact: new RegExp(`^${bare}$`),
  };
}

export function notFound(switches: Switches): Answer {
  return {
    "error body": errorAnswer(404, "no such resource", switches),
    "HTML page": page(404, "404 Not Found"),
    "200 HTML page": page(200, "Data Platform"),
    "empty 404": { status: 404 },
  }[switches.unknownPath];
}

/** Finds the operation of a request, or the answer when there is none. */
export class Router {
  private readonly routes: Route[];

  constructor(private readonly world: World) {
    const operations: readonly Operation[] = [
      ...whitelistOperations,
      ...commandOperations,
      ...historyOperations,
      ...dataStoreOperations,
      ...hiveOperations,
      ...sensorOperations(world),
      ...packageOperations,
      ...folderOperations,
      ...accountOperations,
      ...userOperations,
      ...groupRoleOperations,
      ...objectPolicyOperations,
    ];
    this.routes = operations.flatMap((operation) => operation.paths.map((path) => compile(operation, path)));
  }

  find(method: string, path: string, search: string): Match | Answer {
    const { switches } = this.world;
    const slashSent = path.endsWith("/");
    const bare = path.replace(/\/$/, "");
    const fitting = (route: Route) => route.exact.exec(bare);
    const candidates = this.routes.filter(fitting);
    const route = candidates.find((one) => one.operation.method === method);
    if (!route) return candidates.length > 0 ? this.otherMethod(candidates) : notFound(switches);
    const refused = this.slash(route, bare, slashSent, search);
    return refused ?? { operation: route.operation, rawPath: { ...fitting(route)?.groups } };
  }

  private otherMethod(candidates: Route[]): Answer {
    const allow = [...new Set(candidates.map((route) => route.operation.method))].join(", ");
    return { ...errorAnswer(405, "method not allowed", this.world.switches), headers: { allow } };
  }

  private slash(route: Route, bare: string, sent: boolean, search: string): Answer | undefined {
    const way = this.world.switches.trailingSlash;
    if (route.operation.slashOptional || way === "optional") return undefined;
    if (sent === (way === "as printed" && route.slashPrinted)) return undefined;
    return way === "308 to no slash"
      ? { status: 308, headers: { location: bare + search } }
      : notFound(this.world.switches);
  }
}
