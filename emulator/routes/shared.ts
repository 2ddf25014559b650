import { z } from "zod";

export const statusAnswer = z.object({ status: z.object({ status_code: z.int(), message: z.string() }) });

export const done = (message: string): z.infer<typeof statusAnswer> => ({ status: { status_code: 200, message } });
