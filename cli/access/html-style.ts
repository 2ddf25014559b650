/** The matrix; the script reads its sizes. */
export const style = `
:root { --width: 110rem; --name: 17rem; --col: 8.5rem; --row: 2.2rem; --head: 3.4rem; }
@media (max-width: 700px) { :root { --name: 8.6rem; --col: 5.4rem; } }
.tools { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem 1rem; margin-bottom: .7rem; }
.tools label { display: grid; gap: .15rem; font-size: .8rem; color: var(--soft); flex: 1 1 10rem; min-width: 0; }
.tools label.check { display: flex; align-items: center; gap: .4rem; flex: 0 0 auto; font-size: .9rem; padding-bottom: .4rem; }
.tools input[type=search], .tools select { width: 100%; min-width: 0; font: inherit; font-size: 1rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .4rem .7rem; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem; }
legend { font-size: .8rem; color: var(--soft); padding: 0; margin-bottom: .15rem; }
fieldset button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--ground); }
#grid { position: relative; overflow: auto; max-height: 70vh; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; overscroll-behavior: contain; }
#sheet { position: relative; }
.head { position: sticky; top: 0; z-index: 3; height: var(--head); background: var(--card); border-bottom: 1px solid var(--line); }
.line { position: absolute; left: 0; height: var(--row); border-bottom: 1px solid var(--line); }
.who { position: sticky; left: 0; z-index: 2; width: var(--name); height: 100%; display: flex; align-items: center; padding: 0 .6rem; background: var(--card); border-right: 1px solid var(--line); font-size: .9rem; }
.who span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.off { color: var(--soft); text-decoration: line-through; }
.object, .cell { position: absolute; top: 0; width: var(--col); height: 100%; display: flex; align-items: center; justify-content: center; }
.object { padding: .2rem .4rem; font-size: .8rem; line-height: 1.2; text-align: center; overflow: hidden; overflow-wrap: anywhere; }
.cell { cursor: pointer; gap: .3rem; font-size: .9rem; }
.cell::before { content: attr(data-mark); font-weight: 700; }
.cell.allowed { background: var(--green-ground); color: var(--green); }
.cell.denied { background: var(--red-ground); color: var(--red); }
.cell.not-said { color: var(--soft); }
.cell.unknown { background: var(--amber-ground); color: var(--amber); }
.cell.changed { box-shadow: inset 0 0 0 2px var(--accent); }
.cell.active { outline: 3px solid var(--accent); outline-offset: -3px; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .6rem 0 0; padding: 0; list-style: none; color: var(--soft); font-size: .85rem; }
#why { position: fixed; z-index: 5; left: 0; right: 0; bottom: 0; max-height: 55vh; overflow: auto; background: var(--card); border-top: 2px solid var(--accent); padding: .9rem 1.25rem 1.2rem; box-shadow: 0 -.5rem 1.5rem rgb(0 0 0 / .25); }
body.explaining { padding-bottom: 55vh; }
@media (min-width: 1100px) {
  #why { left: auto; top: 0; width: 27rem; max-height: none; border-top: 0; border-left: 2px solid var(--accent); }
  body.explaining { padding: 0 27rem 0 0; }
}
#why header { display: flex; align-items: start; justify-content: space-between; gap: 1rem; }
#why h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
#why dl { margin: .5rem 0 0; }
#why dt { font-weight: 600; }
#why dd { margin: 0 0 .7rem; overflow-wrap: anywhere; }
#why small { display: block; color: var(--soft); }
#nothing { padding: 1rem; color: var(--soft); }
@media print { #grid { max-height: none; } #why, .tools { display: none; } }
`;
