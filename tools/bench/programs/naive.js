// What tutorials teach: a provider class with an inline client, created for each resource, and a list call per read.
const pulumi = require("@pulumi/pulumi");

class NaiveProvider {
  constructor(baseUrl, token) {
    this.baseUrl = baseUrl;
    this.token = token;
  }
  async call(method, path, body) {
    const answer = await fetch(`${this.baseUrl}/api/v1.2/whitelist_ip${path}`, {
      method,
      headers: { "x-auth-token": this.token, "content-type": "application/json", accept: "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer.json();
  }
  async find(test) {
    const { account_whitelisted_ips: entries } = await this.call("GET", "");
    return entries.find(test);
  }
  async create(inputs) {
    await this.call("POST", "", { ip_cidr: inputs.ipCidr });
    const entry = await this.find((candidate) => candidate.ip_cidr === inputs.ipCidr);
    return {
      id: String(entry.id),
      outs: { ...inputs, accountId: entry.account_id, createdAt: entry.created_at, updatedAt: entry.updated_at },
    };
  }
  async read(id, props) {
    const entry = await this.find((candidate) => String(candidate.id) === id);
    return entry ? { id, props: { ...props, ipCidr: entry.ip_cidr } } : { id: "", props: {} };
  }
  async diff(_id, olds, news) {
    return { changes: olds.ipCidr !== news.ipCidr, replaces: olds.ipCidr === news.ipCidr ? [] : ["ipCidr"] };
  }
  async delete(id) {
    await this.call("DELETE", `/${id}`);
  }
}

class NaiveIp extends pulumi.dynamic.Resource {
  constructor(name, ipCidr) {
    super(new NaiveProvider(process.env.DATAPLATFORM_BASE_URL, process.env.DATAPLATFORM_API_TOKEN), name, {
      ipCidr,
      accountId: undefined,
      createdAt: undefined,
      updatedAt: undefined,
    });
  }
}

for (let index = 0; index < Number(process.env.BENCH_SIZE); index++) {
  new NaiveIp(`ip-${index}`, `10.0.${index >> 8}.${index & 255}`);
}
