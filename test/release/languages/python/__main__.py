"""Every resource and function, as a Python programmer writes them."""

import pulumi
import pulumi_dataplatform as dataplatform

config = pulumi.Config()
revision = config.require("revision")

office = dataplatform.WhitelistedIp("office", ip_cidr="203.0.113.7")
dataplatform.IpWhitelist(
    "whitelist",
    addresses=["198.51.100.9", f"198.51.100.{revision}"],
    opts=pulumi.ResourceOptions(depends_on=[office]),
)
team = dataplatform.Account(
    "team",
    name="Team",
    api_version="v2",
    defloc="s3://team/logs",
    aws_region="eu-west-1",
    storage_access_key="team-storage-access",
    storage_secret_key=config.require_secret("password"),
    idle_cluster_timeout_in_secs=3600,
)
warehouse = dataplatform.DataStore(
    "warehouse",
    name="warehouse",
    db_type=dataplatform.DataStoreDbType.POSTGRESQL,
    db_host="db.example.com",
    db_name="sales",
    db_user="reader",
    db_passwd=config.require_secret("password"),
    db_location="eu-west-1",
    port=5432,
)
reader = dataplatform.Role(
    "reader",
    name="reader",
    policies=[{"access": "allow", "resource": "note", "action": ["read"]}],
)
analysts = dataplatform.Group("analysts", name="new-analysts", members=[102, "104"], roles=[reader.name])
dataplatform.GroupMembership("operators", group=205, users=["102", "106"])
dataplatform.GroupRoleAssignment("operators", group_id=205, role="analyst")
dataplatform.GroupRoles("engineers", group_id="206", roles=["analyst", "302"], adopt=True)
dataplatform.ObjectPolicy(
    "notebook",
    source_type="note",
    source_id="501",
    policy=[
        {
            "access": "allow",
            "action": ["read", "update"],
            "condition": {"svc_users": [101], "svc_groups": [204]},
        },
        dataplatform.PolicyElementArgs(
            access=dataplatform.PolicyAccess.DENY,
            action=[dataplatform.PolicyAction.ALL],
            condition=dataplatform.PolicyConditionArgs(svc_users=[101], svc_groups=[204]),
        ),
    ],
)
dataplatform.ObjectGrant(
    "scratch",
    source_type="note",
    source_id=502,
    group=analysts.id,
    allow=["read", "update"],
    deny=["delete"],
)
dataplatform.FolderPolicy(
    "reports",
    type="notes",
    location="Common/reports",
    policy=[
        {"access": "allow", "action": ["read", "write"], "condition": {"svc_groups": [204]}},
        {"access": "deny", "action": ["all"], "condition": {"svc_groups": [204]}},
    ],
    on_destroy="clear",
)
dataplatform.FolderGrant(
    "weekly",
    type="notes",
    location="Common/reports/weekly",
    group=analysts.id,
    allow=["read"],
)
dataplatform.PackageSet(
    "packages",
    env_id=403,
    source_type="python_package",
    packages=["pyarrow", f"scikit-learn==1.{revision}.0", {"name": "xgboost", "version": "2.1.1"}],
)
dataplatform.PackageSet(
    "statistics",
    env_id=402,
    source_type="r_package",
    repo_packages=[{"name": "dplyr", "repo_url": "https://r.example.com"}],
)
ticks = dataplatform.PartitionSensor(
    "ticks",
    schema="default",
    table="daily_ticks",
    columns=[{"column": "dt", "values": ["2024-01-01", "2024-01-02"]}],
    wait={"timeout_seconds": 60, "interval_seconds": 1},
)
dataplatform.PartitionSensor(
    "clicks",
    schema="events",
    table="clicks",
    columns=[dataplatform.PartitionColumnArgs(column="hour", values=[0, 1])],
    wait=True,
)
enabled = dataplatform.EnabledUser("enabled", svc_user_id="disabled@analytics.example.com")
boards = dataplatform.Folder(
    "boards",
    folder_id=704,
    type="notebook_dashboards",
    name="panels",
    location="Common/boards",
)
query = dataplatform.Command(
    "query",
    spark={"sql": "SELECT dt, count(*) FROM page_views GROUP BY dt"},
    name="query",
    tags=["nightly"],
    macros=[{"first_day": "Date.now"}],
    triggers=[f"revision {revision}"],
    wait=dataplatform.CommandWaitArgs(timeout_seconds=60, interval_seconds=1),
)
copy = dataplatform.Command(
    "copy",
    s3_dist_cp={
        "src": "s3://analytics-logs/new",
        "dest": "s3://analytics-logs/all",
        "src_pattern": r".*\.gz",
        "output_codec": "gz",
        "s3_server_side_encryption": True,
        "s3_sse_algorithm": "AES256",
    },
    triggers={"data_version": "7"},
    wait=True,
    opts=pulumi.ResourceOptions(depends_on=[query]),
)

refresh = dataplatform.submit_command_output(
    table_refresh={"db_name": "default", "hive_table": "page_views", "loader_stable": 1},
    name=pulumi.Output.concat("after ", copy.status),
    wait={"timeout_seconds": 60, "interval_seconds": 1},
)
results = dataplatform.get_command_results_output(id=query.id)
log = dataplatform.get_command_log_output(id=query.id, last_lines=5)
history = dataplatform.get_command_history_output(limit=5, start_date="2024-01-01T00:00:00Z")
account = dataplatform.get_account_output()
users = dataplatform.get_users(include_tokens=False)
pending = dataplatform.get_pending_users()
emails = dataplatform.get_user_emails().emails
groups = dataplatform.get_groups().groups
roles = dataplatform.get_roles().roles
whitelisted_ips = dataplatform.get_whitelisted_ips_output().whitelisted_ips
tables = dataplatform.get_hive_tables(filter="daily")
definition = dataplatform.get_table_definition(table="page_views")
partitions = dataplatform.get_table_partitions(schema="default", table="daily_ticks").partitions
data_stores = dataplatform.get_data_stores_output().data_stores
policy = dataplatform.get_object_policy(source_type="cluster", source_id="511").policy
checked = dataplatform.check_partition(
    schema="sales",
    table="orders",
    columns=[{"column": "region", "values": ["emea"]}],
)

pulumi.export(
    "shown",
    {
        "officeAddress": office.ip_cidr,
        "teamRegion": team.aws_region,
        "warehouseName": warehouse.assigned_name,
        "roleName": reader.name,
        "ready": ticks.ready,
        "userId": enabled.user_id,
        "boards": boards.current_location,
        "queryStatus": query.status,
        "copyTriggers": copy.triggers,
        "refreshStatus": refresh.status,
        "inline": pulumi.Output.unsecret(results.inline),
        "log": pulumi.Output.unsecret(log.log.apply(lambda text: "string" if isinstance(text, str) else "undefined")),
        "historyStatus": history.commands.apply(lambda found: all(one.status == "done" for one in found)),
        "accountName": pulumi.Output.unsecret(account.name),
        "firstUser": users.users[0].email,
        "firstPending": pending.users[0].email,
        "email": emails[0],
        "group": groups[0].name,
        "role": roles[0].name,
        "listed": whitelisted_ips.apply(lambda found: len(found) <= 3),
        "tables": tables.names,
        "column": definition.columns[0].type,
        "day": partitions[0].values["dt"],
        "stores": data_stores.apply(lambda found: len(found) <= 1),
        "action": policy[0].action,
        "checked": checked.ready,
    },
)
