/** The matrix; the script reads its least sizes. */
export const style = `
:root { --col: 6rem; --row: 2.3rem; --head: 3.6rem; }
.tools label { flex: 1 1 10rem; min-width: 0; }
.tools input[type="search"], .tools select { display: block; width: 100%; }
.tools .check { flex: none; display: flex; gap: .4rem; padding-bottom: .35rem; }
fieldset { border: 0; margin: 0; padding: 0; }
#grid { position: relative; overflow: auto; max-height: 70vh; margin-top: .2rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overscroll-behavior: contain; font-size: var(--small); line-height: 1.25; }
#sheet { position: relative; }
.head { position: sticky; top: 0; z-index: 3; height: var(--head); background: var(--card); border-bottom: 1px solid var(--line); }
.line { position: absolute; left: 0; height: var(--row); border-bottom: 1px solid var(--line); }
.who { position: sticky; left: 0; z-index: 2; width: var(--name); height: 100%; display: flex; align-items: center; padding: 0 .6rem; background: var(--card); border-right: 1px solid var(--line); }
.line span, .head span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
.who span { word-break: break-all; }
.head span { -webkit-line-clamp: 3; }
.off { color: var(--soft); text-decoration: line-through; }
.object, .cell { position: absolute; top: 0; width: var(--column); height: 100%; display: flex; align-items: center; justify-content: center; padding: 0 .4rem; text-align: center; }
.cell { cursor: pointer; gap: .4rem; }
.cell::before { content: attr(data-mark); font-weight: 700; }
.cell.allowed { background: var(--good-ground); color: var(--good); }
.cell.denied { background: var(--bad-ground); color: var(--bad); }
.cell.not-said { color: var(--soft); }
.cell.unknown { background: var(--warning-ground); color: var(--warning); }
.cell span { color: var(--accent); }
.cell.changed { box-shadow: inset 0 0 0 2px var(--accent); }
#grid:focus-visible .active, .explaining .active { outline: 3px solid var(--accent); outline-offset: -3px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .5rem 0 0; padding: 0; list-style: none; color: var(--soft); font-size: var(--small); }
#why { position: fixed; z-index: 5; left: 0; right: 0; bottom: 0; max-height: 55vh; margin: 0; overflow: auto; background: var(--card); border-top: 2px solid var(--accent); padding: .9rem 1.25rem 1.2rem; box-shadow: 0 -.5rem 1.5rem rgb(0 0 0 / .25); }
.explaining { padding-bottom: 55vh; }
@media (min-width: 1100px) {
  #why { left: auto; top: 0; width: 27rem; max-height: none; border-top: 0; border-left: 2px solid var(--accent); }
  .explaining { padding: 0 27rem 0 0; }
}
#why header { display: flex; align-items: start; justify-content: space-between; gap: 1rem; }
#why h2, #why dd { overflow-wrap: anywhere; }
#why dl { margin: .5rem 0 0; }
#why dt { font-weight: 600; }
#why dd { margin: 0 0 .7rem; }
#why small { display: block; }
#nothing { padding: 1rem; color: var(--soft); }
@media print { #grid { max-height: none; } #why { display: none; } }
`;
