import { accessReadings } from "./readings-access";
import { workReadings } from "./readings-work";

/** What is not known about the extended operations, and the emulator's choices. */
export const extendedReadings = { ...accessReadings, ...workReadings };
