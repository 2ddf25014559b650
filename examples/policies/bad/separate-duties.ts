import * as dataplatform from "pulumi-dataplatform";

new dataplatform.Role("jack-of-all-trades", {
  name: "jack-of-all-trades",
  policies: [
    { access: "allow", resource: "command", action: ["create"] },
    { access: "allow", resource: "svc_user", action: ["update"] },
  ],
});

const doorkeeper = new dataplatform.Role("doorkeeper", {
  name: "doorkeeper",
  policies: [{ access: "allow", resource: "svc_user", action: ["update"] }],
});

// Neither role has both rights, but the members of this group have.
new dataplatform.Group("helpers", { name: "helpers", roles: ["analyst", doorkeeper.name] });
