/**
 * The program of the compatibility tests: resources and functions in both modes, in one stack. A CommonJS or ESM entry
 * passes in its modules, and its types are checked against each version too.
 * @param {typeof import("@pulumi/pulumi")} pulumi
 * @param {typeof import("pulumi-dataplatform")} dataplatform
 */
module.exports = (pulumi, dataplatform) => {
  /**
   * All in one mode: dynamic without a provider, through the plugin with one.
   * @param {string} mode
   * @param {{ ipCidr: string, sourceId: string, groupId: number }} ids
   * @param {import("pulumi-dataplatform").Provider} [provider]
   */
  function declare(mode, { ipCidr, sourceId, groupId }, provider) {
    const opts = provider ? { provider } : {};
    const site = new pulumi.ComponentResource("test:Site", `${mode}-site`);
    new dataplatform.WhitelistedIp(`${mode}-office`, { ipCidr }, { ...opts, parent: site });
    const note = new dataplatform.ObjectPolicy(
      `${mode}-note`,
      {
        sourceType: "note",
        sourceId,
        policy: [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }, { access: "deny" }],
      },
      opts,
    );

    const account = dataplatform.getAccount({}, opts);
    const accountOutput = dataplatform.getAccountOutput({}, opts);
    const tables = dataplatform.getHiveTablesOutput({ filter: pulumi.secret("^page_") }, opts);
    const list = dataplatform.getWhitelistedIpsOutput({}, { ...opts, dependsOn: site });
    // Its arguments are known at preview, but the resource they come from does not exist yet.
    const found = dataplatform.getObjectPolicyOutput({ sourceType: "note", sourceId: note.sourceId }, opts);
    const spark = { sql: "select 1" };
    const submitted = dataplatform.submitCommand({ spark }, opts);
    const submittedOutput = dataplatform.submitCommandOutput({ spark, tags: [note.sourceId] }, opts);

    const role = list.whitelistedIps.apply((entries) => (entries.length > 0 ? "analyst" : "nobody"));
    new dataplatform.GroupRoleAssignment(`${mode}-role`, { groupId, role }, opts);
    return {
      name: account.then((result) => result.name),
      keyInPromise: account.then((result) => typeof result.storageSecretKey),
      keyInOutput: accountOutput.apply((result) => result.storageSecretKey),
      filteredBySecret: tables.apply((result) => result.tables[0]?.name),
      listed: list.apply((result) => result.whitelistedIps.some((entry) => entry.ipCidr === ipCidr)),
      elements: found.apply((result) => result.policy?.length),
      submitted: submitted.then((result) => result.status),
      submittedOutput: submittedOutput.apply((result) => result.status),
    };
  }

  return {
    node: process.versions.node,
    pulumi: require("@pulumi/pulumi/package.json").version,
    dynamic: declare("dynamic", { ipCidr: "203.0.113.7", sourceId: "501", groupId: 203 }),
    plugin: declare(
      "plugin",
      { ipCidr: "203.0.113.8", sourceId: "502", groupId: 204 },
      new dataplatform.Provider("platform"),
    ),
  };
};
