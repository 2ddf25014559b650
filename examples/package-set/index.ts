import * as dataplatform from "pulumi-dataplatform";

const science = new dataplatform.PackageSet("science", {
  envId: 401,
  sourceType: "python_package",
  packages: ["pyarrow", "scikit-learn==1.5.0", { name: "xgboost", version: "2.1.1" }],
});

const statistics = new dataplatform.PackageSet("statistics", {
  envId: 402,
  sourceType: "r_package",
  packages: ["data.table", "lme4==1.1"],
  repoPackages: [{ name: "forecast", repoUrl: "https://cran.r-project.org" }],
});

export const scienceId = science.id;
export const statisticsId = statistics.id;
