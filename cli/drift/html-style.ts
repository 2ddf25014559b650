import { palette } from "../report/html-palette";

/** The report's styles: follows the system's light or dark theme, prints well, loads nothing external. */
export const style = `
${palette}* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 1rem; }
footer { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; color: var(--soft); font-size: .85rem; }
code, del, ins, table span { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; }
.kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: .1rem 0 .3rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
.slash { color: var(--soft); font-weight: 400; margin: 0 .2em; }
h2 { margin: 2.2rem 0 .8rem; font-size: 1.2rem; }
.meta { margin: 0 0 1.2rem; color: var(--soft); overflow-wrap: anywhere; }
.headline { margin: 0; padding: .9rem 1.1rem; border-radius: .6rem; font-size: 1.1rem; font-weight: 600; }
.headline.drift { background: var(--amber-ground); color: var(--amber); }
.headline.failed { background: var(--red-ground); color: var(--red); }
.headline.calm { background: var(--green-ground); color: var(--green); }
.steps { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.steps li { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.5rem; padding: .75rem 1rem; }
.steps li + li { border-top: 1px solid var(--line); }
.steps .say { flex: 1 1 20rem; }
.steps h3 { margin: 0; font-size: 1rem; }
.steps p { margin: .1rem 0 0; color: var(--soft); font-size: .9rem; }
.command { display: flex; align-items: center; gap: .5rem; max-width: 100%; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; padding: .35rem .35rem .35rem .7rem; }
.command code { white-space: nowrap; overflow-x: auto; }
button { font: inherit; color: inherit; cursor: pointer; }
.copy { border: 1px solid var(--line); background: var(--card); border-radius: .3rem; padding: .1rem .6rem; font-size: .8rem; min-width: 4.6rem; }
.tiles { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.tile { text-align: left; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .9rem; font-size: .9rem; }
.tile b { display: block; font-size: 1.6rem; line-height: 1.2; }
.tile:disabled { cursor: default; opacity: .5; }
.tile[aria-pressed="true"] { outline: 2px solid var(--accent); outline-offset: -1px; }
.tile.drifted b { color: var(--amber); } .tile.gone b, .tile.error b { color: var(--red); } .tile.as-declared b { color: var(--green); } .tile.unverifiable b { color: var(--grey); }
button:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.search { display: flex; align-items: center; gap: .8rem; margin: .8rem 0; }
.search input { flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .8rem; }
.search output { color: var(--soft); font-size: .9rem; white-space: nowrap; }
.resource { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .45rem; }
.row { display: flex; align-items: baseline; flex-wrap: wrap; gap: .3rem .7rem; padding: .6rem .9rem; }
summary.row { cursor: pointer; list-style: none; }
summary.row::-webkit-details-marker { display: none; }
summary.row::after { content: "▸"; margin-left: auto; color: var(--soft); }
details[open] > summary.row::after { content: "▾"; }
.what { overflow-wrap: anywhere; min-width: 0; }
.type, .id { color: var(--soft); }
.lost { color: var(--red); }
.note { color: var(--soft); font-size: .85rem; }
.pill { min-width: 7.4rem; text-align: center; border-radius: 1rem; padding: .05rem .65rem; font-size: .78rem; font-weight: 600; white-space: nowrap; }
.pill.drifted { background: var(--amber-ground); color: var(--amber); }
.pill.gone, .pill.error { background: var(--red-ground); color: var(--red); }
.pill.as-declared { background: var(--green-ground); color: var(--green); }
.pill.unverifiable { background: var(--grey-ground); color: var(--grey); }
.reason { margin: 0; padding: 0 .9rem .8rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; padding: 0 .9rem .9rem; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--soft); font-size: .78rem; font-weight: 600; border-top: 0; }
thead th:first-child { width: 22%; }
del, ins, table span { display: block; text-decoration: none; border-radius: .25rem; padding: .1rem .4rem; margin-bottom: .2rem; }
del { background: var(--red-ground); color: var(--red); }
ins { background: var(--green-ground); color: var(--green); }
@media (max-width: 40rem) { thead { display: none; } tr, th, td { display: block; width: auto; } td { border-top: 0; padding-top: 0; } td.declared::before { content: "declared"; } td.actual::before { content: "on the platform"; } td::before { color: var(--soft); font-size: .78rem; } }
#nothing { color: var(--soft); }
@media print { .copy, .search, .tile:disabled { display: none; } body { background: none; } .resource { break-inside: avoid; } }
`;
