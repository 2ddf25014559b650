import * as dataplatform from "pulumi-dataplatform";

new dataplatform.PackageSet("science", {
  envId: 401,
  sourceType: "python_package",
  packages: ["pyarrow==17.0.0", { name: "xgboost", version: "2.1.1" }, "scikit-learn==1.5.0"],
});
