import { type Answer, errorAnswer, page } from "./answers";
import type { Operation } from "./operation";
import { accountOperations } from "./operations/accounts";
import { commandOperations } from "./operations/commands";
import { historyOperations } from "./operations/history";
import { policyOperations } from "./operations/policies";
import { thingOperations } from "./operations/things";
import { updateOperations } from "./operations/updates";
import { userOperations } from "./operations/users";
import { whitelistOperations } from "./operations/whitelist";
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
  return { operation, slashPrinted: printed.endsWith("/"), exact: new RegExp(`^${bare}$`) };
}

/** Finds the operation of a request, or the answer when there is none. */
export class Router {
  private readonly routes: Route[];

  constructor(private readonly world: World) {
    const operations: readonly Operation[] = [
      ...[...whitelistOperations, ...commandOperations, ...historyOperations, ...thingOperations(world)],
      ...[...updateOperations, ...accountOperations, ...userOperations, ...policyOperations],
    ];
    this.routes = operations.flatMap((operation) => operation.paths.map((path) => compile(operation, path)));
  }

  find(method: string, path: string, search: string): Match | Answer {
    const bare = path.replace(/\/$/, "");
    const candidates = this.routes.filter(({ exact }) => exact.test(bare));
    const route = candidates.find((one) => one.operation.method === method);
    if (!route) return candidates.length > 0 ? this.otherMethod(candidates) : this.notFound();
    const refused = this.slash(route, bare, path.endsWith("/"), search);
    return refused ?? { operation: route.operation, rawPath: { ...route.exact.exec(bare)?.groups } };
  }

  private notFound(): Answer {
    const { switches } = this.world;
    return {
      "error body": errorAnswer(404, "no such resource", switches),
      "HTML page": page(404, "404 Not Found"),
      "200 HTML page": page(200, "Data Platform"),
      "empty 404": { status: 404 },
    }[switches.unknownPath];
  }

  private otherMethod(candidates: Route[]): Answer {
    const allow = [...new Set(candidates.map((route) => route.operation.method))].join(", ");
    return { ...errorAnswer(405, "method not allowed", this.world.switches), headers: { allow } };
  }

  private slash(route: Route, bare: string, sent: boolean, search: string): Answer | undefined {
    const way = this.world.switches.trailingSlash;
    if (route.operation.slashOptional || way === "optional") return undefined;
    if (sent === (way === "as printed" && route.slashPrinted)) return undefined;
    return way === "308 to no slash" ? { status: 308, headers: { location: bare + search } } : this.notFound();
  }
}
