import { areas, type OpenPoint } from "./open-point";
import { accessPoints } from "./points-access";
import { commandPoints } from "./points-commands";
import { copyPoints } from "./points-copies";
import { listPoints } from "./points-lists";
import { requestPoints } from "./points-requests";
import { thingPoints } from "./points-things";

const all: readonly OpenPoint[] = [
  ...requestPoints,
  ...listPoints,
  ...commandPoints,
  ...copyPoints,
  ...thingPoints,
  ...accessPoints,
];

/** Every disagreement between the two platforms, with its reason, in the order of docs/open-points.md. */
export const openPoints: readonly OpenPoint[] = areas.flatMap((area) => all.filter((point) => point.area === area));
