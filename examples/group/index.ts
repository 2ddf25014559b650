import * as dataplatform from "pulumi-dataplatform";

const readers = new dataplatform.Role("note-reader", {
  name: "note-reader",
  policies: [{ access: "allow", resource: "note", action: ["read"] }],
});

const reviewers = new dataplatform.Group("reviewers", {
  name: "reviewers",
  members: ["analyst@analytics.example.com", "owner@analytics.example.com"],
  roles: [readers.name],
});

export const groupId = reviewers.id;
