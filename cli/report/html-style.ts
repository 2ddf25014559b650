/** Follows the system's light or dark theme, prints well, loads nothing external. */
export const style = `
:root {
  --ground: #f6f7f9; --card: #ffffff; --ink: #1c2430; --soft: #5c6878; --line: #dfe3e9; --accent: #2457c5;
  --amber: #8a5200; --amber-ground: #fff1d6; --red: #a3212b; --red-ground: #fde4e4;
  --green: #17663a; --green-ground: #ddf3e4; --grey: #4d5866; --grey-ground: #e8ebf0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c; --card: #1a2029; --ink: #e6eaf0; --soft: #97a3b4; --line: #2c3542; --accent: #8ab0ff;
    --amber: #ffc966; --amber-ground: #3d2f12; --red: #ff9a9a; --red-ground: #43202a;
    --green: #86dba6; --green-ground: #163524; --grey: #b4bfcc; --grey-ground: #2a323d;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, footer { max-width: var(--width, 62rem); margin: 0 auto; padding: 1.5rem 1.25rem 1rem; overflow-wrap: anywhere; }
footer { padding: 1rem 1.25rem 3rem; color: var(--soft); font-size: .85rem; }
code, del, ins, .diff span { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; }
.kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: .1rem 0 .3rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2rem 0 .8rem; font-size: 1.2rem; }
.meta { margin: 0 0 1.2rem; color: var(--soft); }
.headline { margin: 0 0 1rem; padding: .9rem 1.1rem; border-radius: .6rem; font-size: 1.1rem; font-weight: 600; }
.headline, .pill { background: var(--grey-ground); color: var(--grey); }
.headline.warning, .pill.warning { background: var(--amber-ground); color: var(--amber); }
.headline.bad, .pill.bad { background: var(--red-ground); color: var(--red); }
.headline.good, .pill.good { background: var(--green-ground); color: var(--green); }
.tile.warning b { color: var(--amber); } .tile.bad b { color: var(--red); } .tile.good b { color: var(--green); } .tile.quiet b { color: var(--grey); }
.steps { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.steps li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding: .75rem 1rem; }
.steps li + li { border-top: 1px solid var(--line); }
.steps .say { flex: 1 1 20rem; }
.steps h3 { margin: 0; font-size: 1rem; }
.steps p { margin: .1rem 0 0; color: var(--soft); font-size: .9rem; }
.command { display: flex; align-items: center; gap: .5rem; max-width: 100%; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; padding: .35rem .35rem .35rem .7rem; }
.command code { white-space: nowrap; overflow-x: auto; }
.card .command { width: fit-content; max-width: calc(100% - 1.8rem); margin: 0 .9rem .8rem; }
button { font: inherit; color: inherit; cursor: pointer; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .8rem; }
.copy { border-radius: .3rem; padding: .1rem .6rem; font-size: .8rem; min-width: 4.6rem; }
.tiles { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.tile { text-align: left; border-radius: .6rem; padding: .6rem .9rem; font-size: .9rem; }
.tile b { display: block; font-size: 1.6rem; line-height: 1.2; }
.tile:disabled { cursor: default; opacity: .5; }
.tile[aria-pressed="true"] { outline: 2px solid var(--accent); outline-offset: -1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.search { display: flex; align-items: center; gap: .8rem; margin: .8rem 0; }
.search input { flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; }
output { color: var(--soft); font-size: .9rem; white-space: nowrap; }
.card, .block { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .45rem; }
.block { padding: .5rem .9rem; margin-top: .8rem; }
.block ul { margin: .4rem 0 0; padding-left: 1.2rem; color: var(--soft); }
summary { cursor: pointer; font-weight: 600; }
.row { display: flex; align-items: baseline; flex-wrap: wrap; gap: .3rem .7rem; padding: .6rem .9rem; font-weight: 400; }
summary.row { list-style: none; }
summary.row::-webkit-details-marker { display: none; }
summary.row::after { content: "▸"; margin-left: auto; color: var(--soft); }
details[open] > summary.row::after { content: "▾"; }
.what { min-width: 0; flex: 1; }
.pill { min-width: 7.4rem; text-align: center; border-radius: 1rem; padding: .05rem .65rem; font-size: .78rem; font-weight: 600; }
.remark { margin: 0; padding: 0 .9rem .8rem; color: var(--soft); }
.scroll { overflow-x: auto; padding: 0 .9rem .9rem; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
.diff { table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid var(--line); }
thead th { color: var(--soft); font-size: .78rem; font-weight: 600; border-top: 0; }
.diff thead th:first-child { width: 22%; }
del, ins, .diff span { display: block; text-decoration: none; border-radius: .25rem; padding: .1rem .4rem; margin-bottom: .2rem; }
del { background: var(--red-ground); color: var(--red); }
ins { background: var(--green-ground); color: var(--green); }
@media (max-width: 40rem) { .diff thead { display: none; } .diff tr, .diff th, .diff td { display: block; width: auto; } .diff td { border-top: 0; padding-top: 0; } td.declared::before { content: "declared"; } td.actual::before { content: "on the platform"; } td::before { color: var(--soft); font-size: .78rem; } }
#none { color: var(--soft); }
@media print { .copy, .search, .tile:disabled { display: none; } body { background: none; } .card { break-inside: avoid; } }
`;
