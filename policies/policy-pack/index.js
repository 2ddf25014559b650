// The pack as a folder, for versions of Pulumi that do not take a program as --policy-pack.
require("../pack.js").pack();
