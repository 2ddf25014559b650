import { pageStyle } from "../../emulator/page-style";

/** A report, on a screen of any width and on paper. */
export const style = `${pageStyle}
main, footer { overflow-wrap: anywhere; }
.kicker, .meta, footer { color: var(--soft); font-size: var(--small); }
.headline { margin-top: .7rem; padding: .5rem .9rem; font-weight: 600; }
section { margin-top: 1.2rem; }
.tools { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem; margin: .5rem 0 .6rem; }
.tools > input { flex: 1 1 12rem; }
.tools output { align-self: center; }
.tiles, fieldset { display: flex; flex-wrap: wrap; gap: .4rem; }
.tile b { font-size: var(--h2); line-height: 1; }
.tile:not([aria-pressed="true"]) { color: var(--ink); }
.tile:not([aria-pressed="true"]) b { color: var(--tone, inherit); }
.tile.good { --tone: var(--good); } .tile.warning { --tone: var(--warning); } .tile.bad { --tone: var(--bad); }
.card, .block { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .45rem; }
.block { margin-top: .7rem; padding: .4rem .9rem; }
.block > summary { font-weight: 600; }
.block ul { margin: .3rem 0 0; padding-left: 1.2rem; color: var(--soft); }
.steps { list-style: none; margin: 0; padding: 0; }
.steps li { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1.5rem; padding: .6rem 0; }
.steps li + li { border-top: 1px solid var(--line); }
.say { flex: 1 1 20rem; }
.say p, .remark { color: var(--soft); }
.command { display: flex; align-items: center; gap: .5rem; max-width: 100%; background: var(--ground); border: 1px solid var(--line); border-radius: .45rem; padding: .25rem .25rem .25rem .6rem; }
.copy { min-width: 4.6rem; }
.row { display: flex; align-items: baseline; gap: .3rem .7rem; padding: .5rem .9rem; }
summary.row { list-style: none; }
summary.row::-webkit-details-marker { display: none; }
summary.row::after { content: "▸"; color: var(--soft); }
details[open] > summary.row::after { content: "▾"; }
.what { min-width: 0; flex: 1; }
.row .pill { min-width: 7rem; text-align: center; font-weight: 600; }
.remark { padding: 0 .9rem .6rem; }
.card .command { width: fit-content; max-width: calc(100% - 1.8rem); margin: 0 .9rem .6rem; }
.scroll { overflow-x: auto; overflow-wrap: break-word; }
.card .scroll { padding: 0 .9rem .5rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-top: 1px solid var(--line); }
tbody th { color: var(--ink); }
thead th { border-top: 0; }
.diff { table-layout: fixed; }
.diff thead th:first-child { width: 22%; }
del, ins, .diff span { display: block; margin-bottom: .2rem; padding: .1rem .4rem; border-radius: .25rem; font: var(--small)/1.5 var(--mono); text-decoration: none; }
del { background: var(--bad-ground); color: var(--bad); }
ins { background: var(--good-ground); color: var(--good); }
#none { color: var(--soft); }
@media (max-width: 40rem) {
  th, td { padding-inline: .3rem; } .row { flex-wrap: wrap; } .what { flex-basis: 80%; }
  .diff thead { display: none; } .diff tr, .diff th, .diff td { display: block; width: auto; } .diff td { border-top: 0; padding-top: 0; }
  td::before { color: var(--soft); font-size: var(--small); } td.declared::before { content: "declared"; } td.actual::before { content: "on the platform"; }
}
@media print {
  body { background: none; } .card { break-inside: avoid; } details::details-content { content-visibility: visible; }
  .copy, .tools, summary.row::after { display: none; }
}
`;
