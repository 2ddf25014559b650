import * as dataplatform from "pulumi-dataplatform";

const notebook = { sourceType: "note", sourceId: "501" } as const;

// The rest of the notebook's policy is left alone.
const analysts = new dataplatform.ObjectGrant("analysts", { ...notebook, group: 204, allow: ["read", "update"] });

// Everything but delete, for a user: presumably the id that getUsers returns, not the ordinary user id.
const owner = new dataplatform.ObjectGrant("owner", { ...notebook, user: 106, allow: ["all"], deny: ["delete"] });

export const grants = [analysts.id, owner.id];
