// Every resource and function, as a Go programmer writes them.
package main

import (
	"example.com/pulumi-dataplatform/sdk/go/dataplatform"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		shown := pulumi.Map{}
		if err := whitelist(ctx, shown); err != nil {
			return err
		}
		if err := stores(ctx, shown); err != nil {
			return err
		}
		if err := permissions(ctx, shown); err != nil {
			return err
		}
		if err := data(ctx, shown); err != nil {
			return err
		}
		if err := commands(ctx, shown); err != nil {
			return err
		}
		if err := lookups(ctx, shown); err != nil {
			return err
		}
		ctx.Export("shown", shown)
		return nil
	})
}

func whitelist(ctx *pulumi.Context, shown pulumi.Map) error {
	revision := config.Require(ctx, "revision")
	office, err := dataplatform.NewWhitelistedIp(ctx, "office", &dataplatform.WhitelistedIpArgs{
		IpCidr: pulumi.String("203.0.113.7"),
	})
	if err != nil {
		return err
	}
	shown["officeAddress"] = office.IpCidr
	_, err = dataplatform.NewIpWhitelist(ctx, "whitelist", &dataplatform.IpWhitelistArgs{
		Addresses: pulumi.StringArray{pulumi.String("198.51.100.9"), pulumi.String("198.51.100." + revision)},
	}, pulumi.DependsOn([]pulumi.Resource{office}))
	return err
}

func stores(ctx *pulumi.Context, shown pulumi.Map) error {
	password := config.RequireSecret(ctx, "password")
	team, err := dataplatform.NewAccount(ctx, "team", &dataplatform.AccountArgs{
		Name:                     pulumi.String("Team"),
		ApiVersion:               dataplatform.AccountApiVersionV2,
		Defloc:                   pulumi.String("s3://team/logs"),
		AwsRegion:                pulumi.String("eu-west-1"),
		StorageAccessKey:         pulumi.String("team-storage-access"),
		StorageSecretKey:         password,
		IdleClusterTimeoutInSecs: pulumi.Int(3600),
	})
	if err != nil {
		return err
	}
	shown["teamRegion"] = team.AwsRegion
	warehouse, err := dataplatform.NewDataStore(ctx, "warehouse", &dataplatform.DataStoreArgs{
		Name:       pulumi.String("warehouse"),
		DbType:     dataplatform.DataStoreDbTypePostgresql,
		DbHost:     pulumi.String("db.example.com"),
		DbName:     pulumi.String("sales"),
		DbUser:     pulumi.String("reader"),
		DbPasswd:   password,
		DbLocation: pulumi.String("eu-west-1"),
		Port:       pulumi.Int(5432),
	})
	if err != nil {
		return err
	}
	shown["warehouseName"] = warehouse.AssignedName
	return nil
}

func permissions(ctx *pulumi.Context, shown pulumi.Map) error {
	reader, err := dataplatform.NewRole(ctx, "reader", &dataplatform.RoleArgs{
		Name: pulumi.String("reader"),
		Policies: dataplatform.RolePolicyElementArray{dataplatform.RolePolicyElementArgs{
			Access:   pulumi.String("allow"),
			Resource: pulumi.String("note"),
			Action:   pulumi.StringArray{pulumi.String("read")},
		}},
	})
	if err != nil {
		return err
	}
	shown["roleName"] = reader.Name
	analysts, err := dataplatform.NewGroup(ctx, "analysts", &dataplatform.GroupArgs{
		Name:    pulumi.String("new-analysts"),
		Members: pulumi.Array{pulumi.Int(102), pulumi.String("104")},
		Roles:   pulumi.Array{reader.Name},
	})
	if err != nil {
		return err
	}
	if err := groups(ctx); err != nil {
		return err
	}
	if err := policies(ctx); err != nil {
		return err
	}
	if _, err := dataplatform.NewObjectGrant(ctx, "scratch", &dataplatform.ObjectGrantArgs{
		SourceType: dataplatform.ObjectSourceTypeNote,
		SourceId:   pulumi.Int(502),
		Group:      analysts.ID(),
		Allow:      pulumi.StringArray{dataplatform.PolicyActionRead, dataplatform.PolicyActionUpdate},
		Deny:       pulumi.StringArray{pulumi.String("delete")},
	}); err != nil {
		return err
	}
	_, err = dataplatform.NewFolderGrant(ctx, "weekly", &dataplatform.FolderGrantArgs{
		Type:     pulumi.String("notes"),
		Location: pulumi.String("Common/reports/weekly"),
		Group:    analysts.ID(),
		Allow:    pulumi.StringArray{pulumi.String("read")},
	})
	return err
}

func groups(ctx *pulumi.Context) error {
	if _, err := dataplatform.NewGroupMembership(ctx, "operators", &dataplatform.GroupMembershipArgs{
		Group: pulumi.Int(205),
		Users: pulumi.Array{pulumi.String("102"), pulumi.String("106")},
	}); err != nil {
		return err
	}
	if _, err := dataplatform.NewGroupRoleAssignment(ctx, "operators", &dataplatform.GroupRoleAssignmentArgs{
		GroupId: pulumi.Int(205),
		Role:    pulumi.String("analyst"),
	}); err != nil {
		return err
	}
	_, err := dataplatform.NewGroupRoles(ctx, "engineers", &dataplatform.GroupRolesArgs{
		GroupId: pulumi.String("206"),
		Roles:   pulumi.StringArray{pulumi.String("analyst"), pulumi.String("302")},
		Adopt:   pulumi.Bool(true),
	})
	return err
}

func policies(ctx *pulumi.Context) error {
	who := dataplatform.PolicyConditionArgs{
		SvcUsers:  pulumi.Array{pulumi.Int(101)},
		SvcGroups: pulumi.Array{pulumi.Int(204)},
	}
	if _, err := dataplatform.NewObjectPolicy(ctx, "notebook", &dataplatform.ObjectPolicyArgs{
		SourceType: pulumi.String("note"),
		SourceId:   pulumi.String("501"),
		Policy: dataplatform.PolicyElementArray{
			dataplatform.PolicyElementArgs{
				Access:    dataplatform.PolicyAccessAllow,
				Action:    pulumi.StringArray{pulumi.String("read"), pulumi.String("update")},
				Condition: who,
			},
			dataplatform.PolicyElementArgs{
				Access:    pulumi.String("deny"),
				Action:    pulumi.StringArray{pulumi.String("all")},
				Condition: who,
			},
		},
	}); err != nil {
		return err
	}
	readers := dataplatform.PolicyConditionArgs{SvcGroups: pulumi.Array{pulumi.Int(204)}}
	_, err := dataplatform.NewFolderPolicy(ctx, "reports", &dataplatform.FolderPolicyArgs{
		Type:     pulumi.String("notes"),
		Location: pulumi.String("Common/reports"),
		Policy: dataplatform.FolderPolicyElementArray{
			dataplatform.FolderPolicyElementArgs{
				Access:    pulumi.String("allow"),
				Action:    pulumi.StringArray{pulumi.String("read"), pulumi.String("write")},
				Condition: readers,
			},
			dataplatform.FolderPolicyElementArgs{
				Access:    pulumi.String("deny"),
				Action:    pulumi.StringArray{pulumi.String("all")},
				Condition: readers,
			},
		},
		OnDestroy: pulumi.String("clear"),
	})
	return err
}

func data(ctx *pulumi.Context, shown pulumi.Map) error {
	revision := config.Require(ctx, "revision")
	if _, err := dataplatform.NewPackageSet(ctx, "packages", &dataplatform.PackageSetArgs{
		EnvId:      pulumi.Int(403),
		SourceType: pulumi.String("python_package"),
		Packages: pulumi.Array{
			pulumi.String("pyarrow"),
			pulumi.String("scikit-learn==1." + revision + ".0"),
			dataplatform.PackageArgs{Name: pulumi.String("xgboost"), Version: pulumi.String("2.1.1")},
		},
	}); err != nil {
		return err
	}
	if _, err := dataplatform.NewPackageSet(ctx, "statistics", &dataplatform.PackageSetArgs{
		EnvId:      pulumi.Int(402),
		SourceType: pulumi.String("r_package"),
		RepoPackages: dataplatform.RepoPackageArray{dataplatform.RepoPackageArgs{
			Name:    pulumi.String("dplyr"),
			RepoUrl: pulumi.String("https://r.example.com"),
		}},
	}); err != nil {
		return err
	}
	ticks, err := dataplatform.NewPartitionSensor(ctx, "ticks", &dataplatform.PartitionSensorArgs{
		Schema: pulumi.String("default"),
		Table:  pulumi.String("daily_ticks"),
		Columns: dataplatform.PartitionColumnArray{dataplatform.PartitionColumnArgs{
			Column: pulumi.String("dt"),
			Values: pulumi.StringArray{pulumi.String("2024-01-01"), pulumi.String("2024-01-02")},
		}},
		Wait: dataplatform.SensorWaitArgs{TimeoutSeconds: pulumi.Float64(60), IntervalSeconds: pulumi.Float64(1)},
	})
	if err != nil {
		return err
	}
	shown["ready"] = ticks.Ready
	if _, err := dataplatform.NewPartitionSensor(ctx, "clicks", &dataplatform.PartitionSensorArgs{
		Schema: pulumi.String("events"),
		Table:  pulumi.String("clicks"),
		Columns: dataplatform.PartitionColumnArray{dataplatform.PartitionColumnArgs{
			Column: pulumi.String("hour"),
			Values: pulumi.IntArray{pulumi.Int(0), pulumi.Int(1)},
		}},
		Wait: pulumi.Bool(true),
	}); err != nil {
		return err
	}
	return people(ctx, shown)
}

func people(ctx *pulumi.Context, shown pulumi.Map) error {
	enabled, err := dataplatform.NewEnabledUser(ctx, "enabled", &dataplatform.EnabledUserArgs{
		SvcUserId: pulumi.String("disabled@analytics.example.com"),
	})
	if err != nil {
		return err
	}
	boards, err := dataplatform.NewFolder(ctx, "boards", &dataplatform.FolderArgs{
		FolderId: pulumi.Int(704),
		Type:     dataplatform.FolderTypeNotebookDashboards,
		Name:     pulumi.String("panels"),
		Location: pulumi.String("Common/boards"),
	})
	if err != nil {
		return err
	}
	shown["userId"] = enabled.UserId
	shown["boards"] = boards.CurrentLocation
	return nil
}

func commands(ctx *pulumi.Context, shown pulumi.Map) error {
	wait := dataplatform.CommandWaitArgs{TimeoutSeconds: pulumi.Float64(60), IntervalSeconds: pulumi.Float64(1)}
	query, err := dataplatform.NewCommand(ctx, "query", &dataplatform.CommandArgs{
		Spark: dataplatform.SparkCommandArgs{
			Sql: pulumi.String("SELECT dt, count(*) FROM page_views GROUP BY dt"),
		},
		Name:     pulumi.String("query"),
		Tags:     pulumi.StringArray{pulumi.String("nightly")},
		Macros:   pulumi.StringMapArray{pulumi.StringMap{"first_day": pulumi.String("Date.now")}},
		Triggers: pulumi.StringArray{pulumi.String("revision " + config.Require(ctx, "revision"))},
		Wait:     wait,
	})
	if err != nil {
		return err
	}
	copied, err := dataplatform.NewCommand(ctx, "copy", &dataplatform.CommandArgs{
		S3DistCp: dataplatform.S3DistCpCommandArgs{
			Src:                    pulumi.String("s3://analytics-logs/new"),
			Dest:                   pulumi.String("s3://analytics-logs/all"),
			SrcPattern:             pulumi.String(`.*\.gz`),
			OutputCodec:            pulumi.String("gz"),
			S3ServerSideEncryption: pulumi.Bool(true),
			S3SSEAlgorithm:         dataplatform.S3DistCpEncryptionAES256,
		},
		Triggers: pulumi.StringMap{"data_version": pulumi.String("7")},
		Wait:     pulumi.Bool(true),
	}, pulumi.DependsOn([]pulumi.Resource{query}))
	if err != nil {
		return err
	}
	refresh := dataplatform.SubmitCommandOutput(ctx, dataplatform.SubmitCommandOutputArgs{
		TableRefresh: dataplatform.TableRefreshCommandArgs{
			DbName:       pulumi.String("default"),
			HiveTable:    pulumi.String("page_views"),
			LoaderStable: pulumi.Int(1),
		},
		Name: pulumi.Sprintf("after %s", copied.Status),
		Wait: wait,
	})
	results := dataplatform.GetCommandResultsOutput(ctx, dataplatform.GetCommandResultsOutputArgs{Id: query.ID()})
	log := dataplatform.GetCommandLogOutput(ctx, dataplatform.GetCommandLogOutputArgs{
		Id:        query.ID(),
		LastLines: pulumi.Int(5),
	})
	shown["queryStatus"] = query.Status
	shown["copyTriggers"] = copied.Triggers
	shown["refreshStatus"] = refresh.Status()
	shown["inline"] = pulumi.Unsecret(results.Inline())
	shown["log"] = pulumi.Unsecret(log.Log().ApplyT(func(string) string { return "string" }))
	return nil
}

func lookups(ctx *pulumi.Context, shown pulumi.Map) error {
	limit, since, daily, schema, no := 5, "2024-01-01T00:00:00Z", "daily", "default", false
	history, err := dataplatform.GetCommandHistory(ctx, &dataplatform.GetCommandHistoryArgs{Limit: &limit, StartDate: &since})
	if err != nil {
		return err
	}
	done := true
	for _, command := range history.Commands {
		done = done && command.Status == "done"
	}
	shown["historyStatus"] = pulumi.Bool(done)
	users, err := dataplatform.GetUsers(ctx, &dataplatform.GetUsersArgs{IncludeTokens: &no})
	if err != nil {
		return err
	}
	shown["firstUser"] = pulumi.StringPtrFromPtr(users.Users[0].Email)
	tables, err := dataplatform.GetHiveTables(ctx, &dataplatform.GetHiveTablesArgs{Filter: &daily})
	if err != nil {
		return err
	}
	shown["tables"] = pulumi.ToStringArray(tables.Names)
	definition, err := dataplatform.GetTableDefinition(ctx, &dataplatform.GetTableDefinitionArgs{Table: "page_views"})
	if err != nil {
		return err
	}
	shown["column"] = pulumi.String(definition.Columns[0].Type)
	partitions, err := dataplatform.GetTablePartitions(ctx, &dataplatform.GetTablePartitionsArgs{
		Schema: &schema,
		Table:  "daily_ticks",
	})
	if err != nil {
		return err
	}
	shown["day"] = pulumi.String(partitions.Partitions[0].Values["dt"])
	policy, err := dataplatform.LookupObjectPolicy(ctx, &dataplatform.LookupObjectPolicyArgs{
		SourceType: "cluster",
		SourceId:   "511",
	})
	if err != nil {
		return err
	}
	shown["action"] = pulumi.ToStringArray(policy.Policy[0].Action)
	checked, err := dataplatform.CheckPartition(ctx, &dataplatform.CheckPartitionArgs{
		Schema:  "sales",
		Table:   "orders",
		Columns: []dataplatform.PartitionColumn{{Column: "region", Values: []string{"emea"}}},
	})
	if err != nil {
		return err
	}
	shown["checked"] = pulumi.Bool(checked.Ready)
	return lists(ctx, shown)
}

func lists(ctx *pulumi.Context, shown pulumi.Map) error {
	account := dataplatform.LookupAccountOutput(ctx, dataplatform.LookupAccountOutputArgs{})
	shown["accountName"] = pulumi.Unsecret(account.Name())
	pending, err := dataplatform.GetPendingUsers(ctx, &dataplatform.GetPendingUsersArgs{})
	if err != nil {
		return err
	}
	shown["firstPending"] = pulumi.StringPtrFromPtr(pending.Users[0].Email)
	emails, err := dataplatform.GetUserEmails(ctx, &dataplatform.GetUserEmailsArgs{})
	if err != nil {
		return err
	}
	shown["email"] = pulumi.String(emails.Emails[0])
	groups, err := dataplatform.GetGroups(ctx, &dataplatform.GetGroupsArgs{})
	if err != nil {
		return err
	}
	shown["group"] = pulumi.StringPtrFromPtr(groups.Groups[0].Name)
	roles, err := dataplatform.GetRoles(ctx, &dataplatform.GetRolesArgs{})
	if err != nil {
		return err
	}
	shown["role"] = pulumi.StringPtrFromPtr(roles.Roles[0].Name)
	listed, err := dataplatform.GetWhitelistedIps(ctx, &dataplatform.GetWhitelistedIpsArgs{})
	if err != nil {
		return err
	}
	shown["listed"] = pulumi.Bool(len(listed.WhitelistedIps) <= 3)
	stores, err := dataplatform.GetDataStores(ctx, &dataplatform.GetDataStoresArgs{})
	if err != nil {
		return err
	}
	shown["stores"] = pulumi.Bool(len(stores.DataStores) <= 1)
	return nil
}
