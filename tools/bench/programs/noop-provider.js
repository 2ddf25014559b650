const outputs = { accountId: 1001, createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };

module.exports = {
  async check(_olds, news) {
    return { inputs: news };
  },
  async diff(_id, olds, news) {
    const changes = olds.ipCidr !== news.ipCidr;
    return { changes, replaces: changes ? ["ipCidr"] : [] };
  },
  async create(inputs) {
    return { id: inputs.ipCidr, outs: { ipCidr: inputs.ipCidr, ...outputs } };
  },
  async read(id, props) {
    return { id, props, inputs: { ipCidr: props.ipCidr } };
  },
  async update(_id, _olds, news) {
    return { outs: { ipCidr: news.ipCidr, ...outputs } };
  },
  async delete() {},
};
