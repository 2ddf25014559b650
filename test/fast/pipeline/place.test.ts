import { expect, test } from "vitest";
import { newKeys } from "../../../cli/pipeline/keys";
import * as place from "../../../cli/pipeline/place";

const { requireApprovals, requireOwnMachine, requireTrusted, requireUntrusted, signingKey, verifyKeys } = place;
const hosts = { DATAPLATFORM_TOKEN_HOSTS: "platform.example.com" };
const gitHub = { GITHUB_ACTIONS: "true", ...hosts };
const gitLab = { GITLAB_CI: "true", CI_CONFIG_PATH: "gitlab-ci.yml@team/pipelines", ...hosts };

test("a trusted job is one whose code and settings no pull request decides", () => {
  for (const env of [gitHub, gitLab, {}, { NODE_OPTIONS: "--inspect" }])
    expect(() => requireTrusted(env)).not.toThrow();
});

test.each([
  ["Node's options", { ...gitHub, NODE_OPTIONS: "--require ./evil.js" }, /NODE_OPTIONS is set/],
  ["Node's options on GitLab", { ...gitLab, NODE_OPTIONS: "--require ./evil.js" }, /NODE_OPTIONS is set/],
  ["a file in the repository", { ...gitLab, CI_CONFIG_PATH: ".gitlab-ci.yml" }, /a merge request can change it/],
  ["no configuration's name", { ...gitLab, CI_CONFIG_PATH: undefined }, /in the repository/],
  ["no host", { GITHUB_ACTIONS: "true" }, /DATAPLATFORM_TOKEN_HOSTS is not set/],
  ["no host on another CI", { CI: "true" }, /DATAPLATFORM_TOKEN_HOSTS is not set/],
  ["a library before all others", { ...gitLab, LD_PRELOAD: "./evil.so" }, /LD_PRELOAD is set/],
])("with %s it is refused", (_what, env, why) => {
  expect(() => requireTrusted(env)).toThrow(why);
});

test.each([
  ...["DATAPLATFORM_SIGNING_KEY", "PULUMI_BACKEND_URL", "PULUMI_ACCESS_TOKEN"],
  ...["GITHUB_TOKEN", "REPORT_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"],
])("the program of a pull request does not run in a job that holds %s", (name) => {
  expect(() => requireUntrusted({ ...gitHub, [name]: "canary" })).toThrow(new RegExp(`could read ${name}; remove it`));
  expect(() => requireUntrusted({ ...gitHub, [name]: "canary" })).not.toThrow(/canary/);
});

test("it runs with what it needs, and not without a bound host", () => {
  const needed = { DATAPLATFORM_API_TOKEN: "t", PULUMI_CONFIG_PASSPHRASE: "p" };
  expect(() => requireUntrusted({ ...gitHub, ...needed })).not.toThrow();
  expect(() => requireUntrusted({ GITHUB_ACTIONS: "true", ...needed })).toThrow("DATAPLATFORM_TOKEN_HOSTS is not set");
});

test("on GitHub, approvals are those of the job's environment", () => {
  expect(() => requireApprovals(gitHub)).toThrow("set it to none there");
  for (const env of [{ ...gitHub, DATAPLATFORM_APPROVED_RULES: "none" }, gitLab, {}])
    expect(() => requireApprovals(env)).not.toThrow();
});

test("a forge needs keys, and jobs of their own; one's own machine does not", () => {
  expect(() => signingKey(gitHub)).toThrow("DATAPLATFORM_SIGNING_KEY is not set");
  expect(() => verifyKeys(gitLab)).toThrow("DATAPLATFORM_VERIFY_KEY is not set");
  expect(() => verifyKeys({ CI: "1" })).toThrow("DATAPLATFORM_VERIFY_KEY is not set");
  expect(() => requireOwnMachine("repair", gitHub)).toThrow(/runs all phases in one process/);
  expect([signingKey({}), verifyKeys({})]).toEqual([undefined, undefined]);
  expect(() => requireOwnMachine("repair", {})).not.toThrow();
});

test("a signing key whose other half does not count is refused before anything is sealed with it", () => {
  const [one, other] = [newKeys(), newKeys()];
  const env = (verify: string) => ({
    ...gitHub,
    DATAPLATFORM_SIGNING_KEY: one.signing,
    DATAPLATFORM_VERIFY_KEY: verify,
  });
  expect(signingKey(env(`${other.verify},${one.verify}`))).toBe(one.signing);
  expect(() => signingKey(env(other.verify))).toThrow('are not of one pair, so "apply" would refuse');
});
