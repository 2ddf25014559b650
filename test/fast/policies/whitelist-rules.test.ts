import { unknownYet } from "../../../policies";
import { casesOf } from "./cases";
import { resource } from "./resource";

const ip = (ipCidr: unknown, name = "it") => resource("WhitelistedIp", { ipCidr }, { name });
const list = (properties: object, name = "it", provider?: string) =>
  resource("IpWhitelist", { ...properties }, { name, ...(provider && { provider }) });
casesOf("whole-internet", [
  ["everything", [ip("0.0.0.0/0"), ip("::/0")], ["it ipCidr", "it ipCidr"]],
  [
    "a half, and a quarter",
    [list({ addresses: ["128.0.0.0/1", "64.0.0.0/2"] })],
    ["it addresses[0]", "it addresses[1]"],
  ],
  ["all IPv6 addresses in use", [ip("2000::/3")], ["it ipCidr"]],
  [
    "a /8, a /16 of IPv6 and single addresses are fine",
    [list({ addresses: ["10.0.0.0/8", "2001::/16", "203.0.113.7", "2001:db8::1"] })],
    [],
  ],
  [
    "narrower limits",
    [list({ addresses: ["10.0.0.0/8", "2001:db8::/32"] })],
    ["it addresses[0]", "it addresses[1]"],
    { options: { minIpv4Prefix: 16, minIpv6Prefix: 48 } },
  ],
  ["no limit", [ip("0.0.0.0/0")], [], { options: { minIpv4Prefix: 0 } }],
  ["what is no address is for the provider to refuse", [ip("anywhere"), ip(7)], []],
  ["unknown items beside known ones", [list({ addresses: [unknownYet, "0.0.0.0/0"] })], ["it addresses[1]"]],
]);

const vpn = { options: { addresses: ["198.51.100.10"] } };
casesOf("way-back-in", [
  [
    "an exclusive list without keep, or with an empty one",
    [list({ exclusive: true, addresses: [] }), list({ exclusive: true, addresses: [], keep: [] })],
    ["it keep", "it keep"],
  ],
  [
    "an exclusive list with keep, also one that is unknown",
    [list({ exclusive: true, addresses: [], keep: ["192.0.2.1"] }), list({ exclusive: true, keep: unknownYet })],
    [],
  ],
  ["other lists remove only their own", [list({ addresses: ["192.0.2.1"] }), list({ exclusive: unknownYet })], []],
  ["the required address is missing", [ip("192.0.2.1")], ["it the"], vpn],
  ["a range that contains it is enough", [ip("192.0.2.1"), list({ addresses: ["198.51.100.0/24"] })], [], vpn],
  ["an exclusive list with it needs no keep", [list({ exclusive: true, addresses: ["198.51.100.10"] })], [], vpn],
  ["keep does not put it on the list", [list({ addresses: ["192.0.2.1"], keep: ["198.51.100.10"] })], ["it the"], vpn],
  ["an unknown address may be it", [ip("192.0.2.1"), ip(unknownYet)], [], vpn],
]);

casesOf("one-exclusive-whitelist", [
  [
    "two in one stack",
    [list({ exclusive: true }, "a"), list({ exclusive: true }, "b")],
    ["a exclusive", "b exclusive"],
  ],
  ["one beside others", [list({ exclusive: true }, "a"), list({}, "b"), list({ exclusive: unknownYet }, "c")], []],
  [
    "two of two providers, which may be two accounts",
    [list({ exclusive: true }, "a", "urn:x"), list({ exclusive: true }, "b", "urn:y")],
    [],
  ],
  [
    "in another stack than the owner's",
    [list({ exclusive: true })],
    ["it exclusive"],
    { options: { ownerStack: "prod" } },
  ],
  [
    "in the owner's, with and without the project",
    [list({ exclusive: true })],
    [],
    { options: { ownerStack: "project/dev" } },
  ],
  ["in the owner's", [list({ exclusive: true })], [], { options: { ownerStack: "dev" } }],
]);
