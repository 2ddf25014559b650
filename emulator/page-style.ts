/**
 * The look of every page: the console's, and that of the reports of the command line. One width, four sizes of type, the
 * system's light or dark theme. Loads nothing external.
 */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --width: 80rem; --h1: 1.5rem; --h2: 1.125rem; --text: .9375rem; --small: .8125rem;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  --ground: light-dark(#f6f7f9, #12161c); --card: light-dark(#ffffff, #1a2029); --line: light-dark(#dfe3e9, #2c3542);
  --ink: light-dark(#1c2430, #e6eaf0); --soft: light-dark(#5c6878, #97a3b4);
  --accent: light-dark(#2457c5, #8ab0ff); --accent-ground: light-dark(#e3ebfb, #1d2b47);
  --good: light-dark(#17663a, #86dba6); --good-ground: light-dark(#ddf3e4, #163524);
  --warning: light-dark(#8a5200, #ffc966); --warning-ground: light-dark(#fff1d6, #3d2f12);
  --bad: light-dark(#a3212b, #ff9a9a); --bad-ground: light-dark(#fde4e4, #43202a);
  --quiet: light-dark(#4d5866, #b4bfcc); --quiet-ground: light-dark(#e8ebf0, #2a323d);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: var(--text)/1.5 var(--sans); }
main, footer { max-width: var(--width); margin: 0 auto; padding: 1rem 1.25rem; }
h1, h2, h3, p { margin: 0; font-size: 1em; }
h1 { font-size: var(--h1); line-height: 1.2; }
h2 { font-size: var(--h2); line-height: 1.3; }
code, pre, .mono { font-family: var(--mono); font-size: var(--small); }
small, th, output, label, legend { font-size: var(--small); color: var(--soft); }
button, select, input:not([type="checkbox"]) { font: var(--text)/1.4 var(--sans); color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: .45rem; padding: .25rem .65rem; max-width: 100%; min-height: 2rem; }
input, select { min-width: 0; }
button { flex: none; cursor: pointer; }
button.small { min-height: 0; padding: 0 .5rem; font-size: var(--small); }
button.main, button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--ground); }
button:disabled { cursor: default; opacity: .5; }
summary { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; }
.good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); } .quiet, .plain { color: var(--quiet); }
.pill, .headline { background: var(--quiet-ground); border-radius: .45rem; }
.pill { display: inline-block; padding: 0 .5rem; font-size: var(--small); }
.good:is(.pill, .headline) { background: var(--good-ground); } .warning:is(.pill, .headline) { background: var(--warning-ground); } .bad:is(.pill, .headline) { background: var(--bad-ground); }
`;
