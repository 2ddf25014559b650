// A no-op plugin, using the same stubs as ours.
const { createRequire } = require("node:module");
const pulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = pulumi("@grpc/grpc-js");
const messages = pulumi("./proto/provider_pb.js");
const { PluginInfo } = pulumi("./proto/plugin_pb.js");
const { ResourceProviderService } = pulumi("./proto/provider_grpc_pb.js");
const { Struct } = pulumi("google-protobuf/google/protobuf/struct_pb.js");
const { Empty } = pulumi("google-protobuf/google/protobuf/empty_pb.js");

const outputs = { accountId: 1001, createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };
const fill = (message, values) => {
  for (const [name, value] of Object.entries(values)) message[`set${name}`](value);
  return message;
};
const withOutputs = (struct) => Struct.fromJavaScript({ ...struct.toJavaScript(), ...outputs });
const ipOf = (struct) => struct.toJavaScript().ipCidr;

const answers = {
  getPluginInfo: () => fill(new PluginInfo(), { Version: "0.0.0" }),
  getSchema: () => fill(new messages.GetSchemaResponse(), { Schema: '{"name":"noop","version":"0.0.0"}' }),
  checkConfig: (request) => fill(new messages.CheckResponse(), { Inputs: request.getNews() }),
  diffConfig: () => new messages.DiffResponse(),
  configure: () => fill(new messages.ConfigureResponse(), { Acceptsecrets: false, Supportspreview: true }),
  check: (request) => fill(new messages.CheckResponse(), { Inputs: request.getNews() }),
  diff: (request) =>
    fill(new messages.DiffResponse(), { Changes: ipOf(request.getOlds()) === ipOf(request.getNews()) ? 1 : 2 }),
  create: (request) =>
    fill(new messages.CreateResponse(), {
      Id: ipOf(request.getProperties()),
      Properties: withOutputs(request.getProperties()),
    }),
  read: (request) =>
    fill(new messages.ReadResponse(), {
      Id: request.getId(),
      Properties: request.getProperties(),
      Inputs: request.getInputs(),
    }),
  update: (request) => fill(new messages.UpdateResponse(), { Properties: withOutputs(request.getNews()) }),
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
