import { z } from "zod";

/** AWS regions in which the platform has accounts. */
export const awsRegion = z.enum([
  "us-east-1",
  "us-east-2",
  "us-west-1",
  "us-west-2",
  "eu-west-1",
  "eu-west-2",
  "sa-east-1",
  "ap-south-1",
  "ap-southeast-1",
  "ap-northeast-1",
  "ap-northeast-2",
  "ca-central-1",
]);
