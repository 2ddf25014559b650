import { expect } from "vitest";
import { request } from "../harness/http";
import type { ExtendedLife } from "../harness/lifecycle";
import { storesIn } from "./data-store";

export const password = "canary-password";
export const args = {
  name: "sales",
  dbType: "postgresql",
  dbHost: "db.example.com",
  dbName: "sales",
  dbUser: "reader",
  dbPasswd: password,
  dbLocation: "us-east-1",
  skipValidation: true,
};
export const gateway = {
  ...args,
  dbLocation: "on-premise",
  gatewayIp: "gate.example.com",
  gatewayUsername: "tunnel",
  gatewayPrivateKey: "canary-key",
};

export const extended: ExtendedLife = {
  type: "DataStore",
  args,
  present: (state, id) => {
    const found = storesIn(state).find((store) => String(store.id) === id);
    expect(found).toMatchObject({ db_host: "db.example.com", db_name: "sales", db_user: "reader" });
  },
  drift: {
    make: async (platform) => {
      const { id } = storesIn(platform.state())[0]!;
      await request(platform, "PUT", `/api/v1.2/db_taps/${id}`, { db_user: "intruder" });
    },
  },
  disappear: (platform, id) => request(platform, "DELETE", `/api/v1.2/db_taps/${id}`),
  changes: [
    {
      what: "another host and a rotated password",
      args: { ...args, dbHost: "db2.example.com", dbPasswd: "canary-rotated" },
      expect: "update",
      after: (state) =>
        expect(storesIn(state)).toMatchObject([{ db_host: "db2.example.com", db_passwd: "canary-rotated" }]),
    },
    {
      what: "a port and a gateway",
      args: { ...gateway, port: 5433 },
      expect: "update",
      after: (state) =>
        expect(storesIn(state)).toMatchObject([
          { port: 5433, gateway_ip: "gate.example.com", gateway_private_key: "canary-key" },
        ]),
    },
  ],
  absent: (state) => expect(storesIn(state)).toEqual([]),
};
