// Loaded first by every Node process of a test stack, to start it sooner. @pulumi/pulumi loads the TypeScript compiler,
// npm's tree reader and the Automation API when it is loaded, three quarters of the time it takes, for programs that
// serialize functions or drive other stacks. Here they load at their first use, which in our programs never comes.
const { existsSync } = require("node:fs");
/** @type {any} Its loader is not part of the types. */
const Module = require("node:module");

// The Node host that can be built here always asks for the compiler, whatever Pulumi.yaml says.
if (process.env.PULUMI_NODEJS_TYPESCRIPT && !existsSync("index.ts")) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

const whenUsed = new Set(["typescript", "@npmcli/arborist", "normalize-package-data", "./automation"]);

/** What these do is not needed here: spans of a trace, lines of Pulumi's own sources, functions to serialize. */
const span = { setAttribute() {}, addEvent() {}, end() {} };
/** @type {Record<string, object>} */
const instead = {
  "./tracing": { newSpan: () => span },
  "source-map-support/register": {},
  "../../runtime/closure/v8Hooks": { isInitializedAsync: async () => {} },
};
const load = Module._load;

Module._load = (
  /** @type {string} */ request,
  /** @type {NodeJS.Module | undefined} */ parent,
  /** @type {boolean} */ isMain,
) => {
  const now = () => load(request, parent, isMain);
  if (!/@pulumi[\\/]pulumi[\\/]/.test(parent?.filename ?? "")) return now();
  return instead[request] ?? (whenUsed.has(request) ? atFirstUse(now) : now());
};

/** @param {() => any} load */
function atFirstUse(load) {
  /** @type {any} */
  let loaded;
  const module = () => {
    loaded ??= load();
    return loaded;
  };
  return new Proxy(
    {},
    {
      // The importing code asks for this at once; "yes" makes it use the module as it is.
      get(_, key) {
        if (key === "__esModule") return true;
        return key === "default" && !module().__esModule ? module() : module()[key];
      },
      has: (_, key) => key in module(),
      ownKeys: () => Reflect.ownKeys(module()),
      getOwnPropertyDescriptor: (_, key) => ({ ...Object.getOwnPropertyDescriptor(module(), key), configurable: true }),
    },
  );
}
