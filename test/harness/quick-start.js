// Loaded first by every Node process of a test stack, to start it sooner. @pulumi/pulumi loads the TypeScript compiler
// and npm's tree reader when it is loaded, two thirds of the time it takes, for programs that serialize functions.
// Here both load at their first use, which in our programs never comes.
const { existsSync } = require("node:fs");
/** @type {any} Its loader is not part of the types. */
const Module = require("node:module");

// The Node host that can be built here always asks for the compiler, whatever Pulumi.yaml says.
if (process.env.PULUMI_NODEJS_TYPESCRIPT && !existsSync("index.ts")) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

const heavy = new Set(["typescript", "@npmcli/arborist"]);
const load = Module._load;

Module._load = (
  /** @type {string} */ request,
  /** @type {NodeJS.Module | undefined} */ parent,
  /** @type {boolean} */ isMain,
) => {
  const now = () => load(request, parent, isMain);
  return heavy.has(request) && /@pulumi[\\/]pulumi[\\/]/.test(parent?.filename ?? "") ? atFirstUse(now) : now();
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
      get: (_, key) => (key === "__esModule" ? true : module()[key]),
      has: (_, key) => key in module(),
      ownKeys: () => Reflect.ownKeys(module()),
      getOwnPropertyDescriptor: (_, key) => ({ ...Object.getOwnPropertyDescriptor(module(), key), configurable: true }),
    },
  );
}
