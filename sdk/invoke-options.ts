import type * as pulumi from "@pulumi/pulumi";

/** Options of a function's Output form: those of `pulumi.InvokeOutputOptions`. */
export interface OutputFunctionOptions extends pulumi.InvokeOptions {
  /** Resources that must exist before the function runs. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}
