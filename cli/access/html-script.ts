/**
 * The matrix, after the script of the report, whose helpers it uses. Only the visible cells are in the page, so that its
 * size does not matter, and the classes of an object's users are unpacked when the object is first shown.
 */
export const script = `{
const data = JSON.parse(byId("data").textContent);
const grid = byId("grid"), sheet = byId("sheet"), why = byId("why"), account = byId("account");
const marks = { allowed: "\\u2713", denied: "\\u2717", "not-said": "?", unknown: "!" };
const inWords = (state) => state.replace("-", " ");
const view = { action: document.querySelector("[data-action][aria-pressed=true]").dataset.action, rows: [], columns: [], row: 0, column: 0 };
const make = (tag, name, text, attributes = {}) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const people = () => data.accounts[account ? Number(account.value) : 0].people;

/** For each person of the account, the index of the row that says what applies. */
function unpack(side, count) {
  if (side.of) return side.of;
  side.of = new Uint16Array(count).fill(side.rest);
  side.rows.forEach((row, index) => { for (const person of row.p) side.of[person] = index; });
  return side.of;
}
function verdict(object, person, action, side) {
  if (!side || !object.actions.includes(action)) return undefined;
  if (side.unknown !== undefined) return { state: "unknown", reason: side.unknown };
  const found = side.rows[unpack(side, people().length)[person]];
  const judged = found && found.v[object.actions.indexOf(action)];
  if (!judged) return undefined;
  const [state, reason, by] = judged;
  return { state, reason, element: by === null ? undefined : side.policy[by] };
}
/** What applies after the plan, and before it if that differs. */
function both(object, person, action) {
  const now = verdict(object, person, action, object.now);
  if (!object.after) return { shown: now };
  const after = verdict(object, person, action, object.after);
  return now && after && now.state !== after.state ? { shown: after, before: now } : { shown: after };
}
/** The actions about which the plan changes something. */
const changes = (object, person) => object.actions.filter((action) => both(object, person, action).before);

function filter() {
  const at = account ? Number(account.value) : 0;
  const all = people();
  const own = data.objects.filter((object) => object.account === at);
  const [who, what] = [wordsIn("who"), wordsIn("what")];
  const isChanged = byId("changed") && byId("changed").checked;
  view.columns = own.filter((object) => (isChanged ? object.after : object.actions.includes(view.action)) && matches(object.title.toLowerCase(), what));
  view.rows = [...all.keys()].filter((person) => matches((all[person].label + " " + all[person].more).toLowerCase(), who));
  if (isChanged) {
    const changed = (object, person) => object.after.unknown !== undefined || changes(object, person).length > 0;
    view.rows = view.rows.filter((person) => view.columns.some((object) => changed(object, person)));
    view.columns = view.columns.filter((object) => view.rows.some((person) => changed(object, person)));
  }
  view.longest = { name: widest(view.rows.map((person) => all[person].label)), column: widest(view.columns.map(({ title }) => title)) };
  view.row = Math.min(view.row, Math.max(0, view.rows.length - 1));
  view.column = Math.min(view.column, Math.max(0, view.columns.length - 1));
  byId("count").textContent = view.rows.length + " of " + all.length + " people, " + view.columns.length + " of " + own.length + " objects";
  byId("nothing").hidden = view.rows.length > 0 && view.columns.length > 0;
  grid.hidden = !byId("nothing").hidden;
  grid.setAttribute("aria-rowcount", String(view.rows.length + 1));
  grid.setAttribute("aria-colcount", String(view.columns.length + 1));
  draw();
}

const pen = document.createElement("canvas").getContext("2d");
/** With the padding of a cell. */
function widest(texts) {
  const { fontSize, fontFamily } = getComputedStyle(grid);
  pen.font = fontSize + " " + fontFamily;
  return Math.ceil(texts.reduce((most, text) => Math.max(most, pen.measureText(text).width), 0)) + 24;
}
/** Names are in full where there is room: people have what objects leave free, and objects what people do. */
function sizes() {
  const style = getComputedStyle(document.documentElement);
  const least = (name) => parseFloat(style.getPropertyValue(name)) * parseFloat(style.fontSize);
  const [room, count] = [grid.clientWidth, Math.max(1, view.columns.length)];
  const name = Math.floor(Math.min(view.longest.name, Math.max(room * 0.4, room - count * least("--col"))));
  const column = Math.floor(Math.max(least("--col"), Math.min(view.longest.column, Math.max(room * 0.12, (room - name) / count))));
  return { name, column, row: least("--row"), head: least("--head") };
}

function visible(from, length, size, count) {
  const first = Math.max(0, Math.floor(from / size) - 2);
  return [first, Math.min(count, Math.ceil((from + length) / size) + 2)];
}

function draw() {
  const size = sizes();
  sheet.style.width = size.name + view.columns.length * size.column + "px";
  sheet.style.setProperty("--name", size.name + "px");
  sheet.style.setProperty("--column", size.column + "px");
  sheet.style.height = size.head + view.rows.length * size.row + "px";
  const [top, bottom] = visible(grid.scrollTop, grid.clientHeight || innerHeight, size.row, view.rows.length);
  const [left, right] = visible(grid.scrollLeft, grid.clientWidth || innerWidth, size.column, view.columns.length);
  const lines = [header(left, right, size)];
  for (let row = top; row < bottom; row++) lines.push(line(row, left, right, size));
  sheet.replaceChildren(...lines);
  const active = byId("cell-" + view.row + "-" + view.column);
  if (active) grid.setAttribute("aria-activedescendant", active.id);
  else grid.removeAttribute("aria-activedescendant");
}

function header(left, right, size) {
  const head = make("div", "head", "", { role: "row", "aria-rowindex": 1 });
  const corner = make("div", "who", "", { role: "columnheader" });
  corner.append(make("span", "", view.action));
  head.append(corner);
  for (let column = left; column < right; column++) {
    const title = make("div", "object", "", { role: "columnheader", "aria-colindex": column + 2 });
    title.append(make("span", "", view.columns[column].title));
    title.title = view.columns[column].title + ": " + view.columns[column].source;
    title.style.left = size.name + column * size.column + "px";
    head.append(title);
  }
  return head;
}

function line(row, left, right, size) {
  const person = people()[view.rows[row]];
  const element = make("div", "line", "", { role: "row", "aria-rowindex": row + 2 });
  element.style.top = size.head + row * size.row + "px";
  element.style.width = sheet.style.width;
  const name = make("div", "who", "", { role: "rowheader" });
  name.title = person.label + (person.more ? ": " + person.more : "");
  name.append(make("span", person.disabled ? "off" : "", person.label));
  element.append(name);
  for (let column = left; column < right; column++) element.append(cell(row, column, size));
  return element;
}

function cell(row, column, size) {
  const object = view.columns[column];
  const { shown, before } = both(object, view.rows[row], view.action);
  const others = changes(object, view.rows[row]).filter((action) => action !== view.action).join(", ");
  const state = shown ? shown.state : undefined;
  const element = make("div", "cell " + (state || "none") + (before ? " changed" : "") + (row === view.row && column === view.column ? " active" : ""));
  element.id = "cell-" + row + "-" + column;
  element.dataset.row = row;
  element.dataset.column = column;
  element.dataset.mark = state ? (before ? marks[before.state] + " \\u2192 " : "") + marks[state] : "\\u2013";
  element.setAttribute("role", "gridcell");
  element.setAttribute("aria-colindex", String(column + 2));
  element.setAttribute("aria-label", (state ? view.action + " " + (before ? inWords(before.state) + ", then " : "") + inWords(state) : "not applicable") + (others && "; the plan changes " + others));
  if (others) element.append(make("span", "", others));
  element.style.left = size.name + column * size.column + "px";
  return element;
}

function explain() {
  const object = view.columns[view.column];
  const index = view.rows[view.row];
  if (!object || index === undefined) return;
  byId("why-title").textContent = people()[index].label + " on " + object.title;
  byId("why-source").textContent = [object.source, ...object.notes].join("; ");
  const list = byId("why-list");
  list.replaceChildren();
  for (const action of object.actions) {
    const { shown, before } = both(object, index, action);
    if (!shown) continue;
    const text = make("dd", "", shown.reason);
    if (before) text.append(make("small", "", "before: " + inWords(before.state) + ", " + before.reason));
    if (shown.element) text.append(make("small", "", "the element: " + shown.element));
    list.append(make("dt", "", action + ": " + inWords(shown.state)), text);
  }
  why.hidden = false;
  document.body.classList.add("explaining");
  draw();
  uncover();
}
/** On a small screen the explanation covers the lower half. */
function uncover() {
  const chosen = byId("cell-" + view.row + "-" + view.column);
  const [top, left] = [why.getBoundingClientRect().top, why.getBoundingClientRect().left];
  const below = chosen ? chosen.getBoundingClientRect().bottom - top + 8 : 0;
  if (left < 1 && below > 0) scrollBy(0, below);
}
function close() {
  why.hidden = true;
  document.body.classList.remove("explaining");
  draw();
  grid.focus();
}

function move(row, column) {
  view.row = Math.max(0, Math.min(view.rows.length - 1, row));
  view.column = Math.max(0, Math.min(view.columns.length - 1, column));
  const size = sizes();
  const [x, y] = [view.column * size.column, view.row * size.row];
  const [width, height] = [grid.clientWidth - size.name - size.column, grid.clientHeight - size.head - size.row];
  grid.scrollLeft = Math.max(Math.min(grid.scrollLeft, x), x - Math.max(0, width));
  grid.scrollTop = Math.max(Math.min(grid.scrollTop, y), y - Math.max(0, height));
  draw();
  if (!why.hidden) explain();
}

const page = () => Math.max(1, Math.floor(grid.clientHeight / sizes().row) - 2);
const keys = {
  ArrowDown: () => move(view.row + 1, view.column),
  ArrowUp: () => move(view.row - 1, view.column),
  ArrowRight: () => move(view.row, view.column + 1),
  ArrowLeft: () => move(view.row, view.column - 1),
  PageDown: () => move(view.row + page(), view.column),
  PageUp: () => move(view.row - page(), view.column),
  Home: (event) => move(event.ctrlKey ? 0 : view.row, 0),
  End: (event) => move(event.ctrlKey ? view.rows.length : view.row, view.columns.length),
  Enter: explain,
  " ": explain,
};
grid.addEventListener("keydown", (event) => {
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act(event);
});
grid.addEventListener("click", (event) => {
  const target = event.target.closest(".cell");
  if (!target) return;
  move(Number(target.dataset.row), Number(target.dataset.column));
  explain();
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !why.hidden) close(); });
byId("close").addEventListener("click", close);
let pending = false;
function later() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => { pending = false; draw(); });
}
grid.addEventListener("scroll", later, { passive: true });
addEventListener("resize", later);
for (const id of ["who", "what"]) byId(id).addEventListener("input", filter);
for (const control of [account, byId("changed")]) if (control) control.addEventListener("change", filter);
for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => {
    view.action = button.dataset.action;
    for (const other of document.querySelectorAll("[data-action]")) other.setAttribute("aria-pressed", String(other === button));
    filter();
  });
}
filter();
}
`;
