import * as dataplatform from "pulumi-dataplatform";

new dataplatform.PackageSet("science", {
  envId: 401,
  sourceType: "python_package",
  packages: ["pyarrow", { name: "xgboost" }, "scikit-learn==1.5.0"],
});
