// A plugin that does nothing, over the same stubs as ours.
const { createRequire } = require("node:module");
const pulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = pulumi("@grpc/grpc-js");
const messages = pulumi("./proto/provider_pb.js");
const { PluginInfo } = pulumi("./proto/plugin_pb.js");
const { ResourceProviderService } = pulumi("./proto/provider_grpc_pb.js");
const { Struct } = pulumi("google-protobuf/google/protobuf/struct_pb.js");
const { Empty } = pulumi("google-protobuf/google/protobuf/empty_pb.js");

const shown = { accountId: 1001, createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };
const made = (message, values) => {
  for (const [name, value] of Object.entries(values)) message[`set${name}`](value);
  return message;
};
const withShown = (struct) => Struct.fromJavaScript({ ...struct.toJavaScript(), ...shown });
const ipOf = (struct) => struct.toJavaScript().ipCidr;

const answers = {
  getPluginInfo: () => made(new PluginInfo(), { Version: "0.0.0" }),
  getSchema: () => made(new messages.GetSchemaResponse(), { Schema: '{"name":"noop","version":"0.0.0"}' }),
  checkConfig: (request) => made(new messages.CheckResponse(), { Inputs: request.getNews() }),
  diffConfig: () => new messages.DiffResponse(),
  configure: () => made(new messages.ConfigureResponse(), { Acceptsecrets: false, Supportspreview: true }),
  check: (request) => made(new messages.CheckResponse(), { Inputs: request.getNews() }),
  diff: (request) =>
    made(new messages.DiffResponse(), { Changes: ipOf(request.getOlds()) === ipOf(request.getNews()) ? 1 : 2 }),
  create: (request) =>
    made(new messages.CreateResponse(), {
      Id: ipOf(request.getProperties()),
      Properties: withShown(request.getProperties()),
    }),
  read: (request) =>
    made(new messages.ReadResponse(), {
      Id: request.getId(),
      Properties: request.getProperties(),
      Inputs: request.getInputs(),
    }),
  update: (request) => made(new messages.UpdateResponse(), { Properties: withShown(request.getNews()) }),
  delete: () => new Empty(),
  cancel: () => new Empty(),
  attach: () => new Empty(),
};

const service = Object.fromEntries(
  Object.keys(ResourceProviderService).map((name) => [
    name,
    (call, reply) =>
      answers[name]
        ? reply(null, answers[name](call.request))
        : reply({ code: grpc.status.UNIMPLEMENTED, details: name }),
  ]),
);

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(ResourceProviderService, service);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});
