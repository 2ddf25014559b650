import { expect, test } from "vitest";
import { readSettings, type SettingName } from "../../../provider/api/settings";

const good = { baseUrl: "https://api.example.com/", apiToken: "secret-token-value" };
const read = (config: Partial<Record<SettingName, string>>, env: NodeJS.ProcessEnv = {}) =>
  readSettings((name) => config[name], env);
const message = (config: Partial<Record<SettingName, string>>, env: NodeJS.ProcessEnv = {}): string => {
  try {
    read(config, env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("should have failed");
};

test("config comes before the environment, and both before the defaults", () => {
  expect(read(good, { DATAPLATFORM_API_TOKEN: "other", DATAPLATFORM_RETRIES: "2" })).toEqual({
    baseUrl: "https://api.example.com",
    apiToken: "secret-token-value",
    requestTimeoutSeconds: 30,
    retries: 2,
    connections: 32,
    requestsPerSecond: 0,
    extendedApi: false,
  });
});

test("missing settings are one error, with the key, the variable and how to start the emulator", () => {
  const text = message({});
  expect(text).toContain("pulumi config set dataplatform:baseUrl <value>");
  expect(text).toContain("DATAPLATFORM_BASE_URL");
  expect(text).toContain("pulumi config set --secret dataplatform:apiToken <value>");
  expect(text).toContain("DATAPLATFORM_API_TOKEN");
  expect(text).toContain("npx --no-install dataplatform emulator");
  expect(message({ baseUrl: good.baseUrl })).not.toContain("dataplatform:baseUrl");
});

test.each(["http://127.0.0.1:4010", "http://localhost", "http://[::1]:80", "http://127.9.9.9"])(
  "%s is this machine: plain http is allowed",
  (baseUrl) => {
    expect(read({ ...good, baseUrl }).baseUrl).toBe(baseUrl.replace(":80", ""));
  },
);

test.each([
  "http://api.example.com",
  "http://10.0.0.1",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
])("%s is another host: plain http is rejected", (baseUrl) => {
  expect(message({ ...good, baseUrl })).toMatch(/plain http would send the token unencrypted.*allowInsecureHttp/);
  expect(read({ ...good, baseUrl, allowInsecureHttp: "true" }).baseUrl).toBe(baseUrl);
});

test("all that is wrong is one error", () => {
  const text = message({ baseUrl: "api.example.com", apiToken: "two words", retries: "many", extendedApi: "yes" });
  expect(text.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "dataplatform:baseUrl",
    "dataplatform:apiToken",
    "dataplatform:retries",
    "dataplatform:extendedApi",
  ]);
});

const wrong: [Partial<Record<SettingName, string>>, RegExp][] = [
  [{ baseUrl: "api.example.com" }, /dataplatform:baseUrl \(or DATAPLATFORM_BASE_URL\)/],
  [{ baseUrl: "ftp://api.example.com" }, /expected an http or https URL/],
  [{ baseUrl: "127.0.0.1:4020" }, /; did you mean http:\/\/127\.0\.0\.1:4020\?$/],
  [{ baseUrl: "api.example.com/api" }, /; did you mean https:\/\/api\.example\.com\/api\?$/],
  [{ baseUrl: "https://api.example.com/?x=1" }, /without a query/],
  [{ baseUrl: "https://user:hunter22@api.example.com" }, /user name or password/],
  [{ baseUrl: "https://user:a/hunter22@api.example.com:x" }, /\*\*\*/],
  [{ apiToken: "two words" }, /dataplatform:apiToken.*cannot be sent in a header/],
  [{ apiToken: "line\nbreak" }, /cannot be sent in a header/],
  [{ retries: "many" }, /"many"; expected a number from 0 to 20/],
  [{ connections: "0" }, /from 1 to 256/],
  [{ requestTimeoutSeconds: "601" }, /from 1 to 600/],
  [{ allowInsecureHttp: "yes" }, /expected true or false/],
];
test.each(["https://api.example.com/api", "https://api.example.com/api/v1.2/", "https://api.example.com/"])(
  "%s is the platform at its root",
  (baseUrl) => expect(read({ ...good, baseUrl }).baseUrl).toBe("https://api.example.com"),
);

test("a token is sent to the hosts that the environment allows, whatever the configuration says", () => {
  const allowed = { DATAPLATFORM_TOKEN_HOSTS: "other.example.com:8443, API.example.com" };
  expect(read(good, allowed).baseUrl).toBe("https://api.example.com");
  expect(read({ ...good, baseUrl: "https://other.example.com:8443" }, allowed).baseUrl).toContain(":8443");
  for (const baseUrl of ["https://evil.example.com", "https://api.example.com.evil.org", "https://other.example.com"])
    expect(message({ ...good, baseUrl }, allowed)).toMatch(
      /DATAPLATFORM_TOKEN_HOSTS allows sending the token only to other.example.com:8443, api.example.com; nothing was sent/,
    );
  expect(message(good, { DATAPLATFORM_TOKEN_HOSTS: "" })).toContain("is empty, so it allows no host; nothing was sent");
});

test.each([
  ["http://api.example.com", "api.example.com", /over https \(http:\/\/api\.example\.com would allow plain http\)/],
  ["http://api.example.com", "https://api.example.com", /only to https:\/\/api\.example\.com; nothing was sent/],
  ["http://api.example.com:8080", "http://api.example.com", /only to http:\/\/api\.example\.com; nothing was sent/],
  ["https://api.example.com", "http://api.example.com", /only to http:\/\/api\.example\.com; nothing was sent/],
  ["http://127.0.0.1.evil.org", "127.0.0.1.evil.org", /over https/],
  ["http://api.example.com", "other.example.com, http://API.example.com/", undefined],
  ["https://api.example.com", "https://api.example.com", undefined],
  ["http://127.0.0.1:8080", "127.0.0.1:8080", undefined],
  ["http://localhost:8080", "localhost:8080", undefined],
])("a token for %s, where the environment allows %s", (baseUrl, hosts, refused) => {
  const config = { ...good, baseUrl, allowInsecureHttp: "true" };
  const env = { DATAPLATFORM_TOKEN_HOSTS: hosts };
  if (refused) expect(message(config, env)).toMatch(refused);
  else expect(read(config, env).baseUrl).toBe(baseUrl);
});

test.each(wrong)("%j is rejected", (config, says) => {
  const text = message({ ...good, ...config });
  expect(text).toMatch(says);
  expect(text).not.toMatch(/hunter22|two words|secret-token/);
});
