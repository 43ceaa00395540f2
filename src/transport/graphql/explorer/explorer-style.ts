/** Style of the explorer: light and dark by the system's wish or the button. */
export const EXPLORER_STYLE = `
:root {
  --ground: #f6f7f4; --panel: #ffffff; --ink: #1c2420; --soft: #5d6b63; --line: #d9dfd9; --accent: #0b6b4f;
  --on-accent: #ffffff; --tint: #e5f1ec; --bad: #a8261d; --key: #0a5c85; --text: #6d3b8f; --number: #9a4d00;
  --word: #0b6b4f; --variable: #a03070; --comment: #7b877f; --focus: #0a84c6; color-scheme: light;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
:root[data-theme="dark"] {
  --ground: #121614; --panel: #191f1c; --ink: #e3eae6; --soft: #9aa8a0; --line: #2e3833; --accent: #4fc79b;
  --on-accent: #06251a; --tint: #1d3029; --bad: #ff8f85; --key: #7cc4ec; --text: #d3a6ee; --number: #f0b072;
  --word: #6fd6ae; --variable: #f29bc8; --comment: #7d8b83; --focus: #5bb9f0; color-scheme: dark;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {
    --ground: #121614; --panel: #191f1c; --ink: #e3eae6; --soft: #9aa8a0; --line: #2e3833; --accent: #4fc79b;
    --on-accent: #06251a; --tint: #1d3029; --bad: #ff8f85; --key: #7cc4ec; --text: #d3a6ee; --number: #f0b072;
    --word: #6fd6ae; --variable: #f29bc8; --comment: #7d8b83; --focus: #5bb9f0; color-scheme: dark;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body { margin: 0; display: grid; grid-template-rows: auto 1fr; background: var(--ground); color: var(--ink); }
h1 { font-size: 1.05rem; margin: 0; white-space: nowrap; }
h1 small { color: var(--soft); font-weight: 400; }
h2 { font-size: .85rem; margin: 0; padding: .5rem .75rem; border-top: 1px solid var(--line); }
h2 small, .hint { color: var(--soft); font-weight: 400; font-size: .85rem; }
.mark { display: inline-block; width: .7em; height: .7em; margin-right: .5em; background: var(--accent);
  clip-path: polygon(50% 0, 100% 100%, 50% 78%, 0 100%); }
button, input, select { font: inherit; color: inherit; }
button { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .7rem;
  cursor: pointer; }
button:hover { border-color: var(--accent); }
button.primary { background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 600; }
button.primary[data-running] { background: var(--bad); border-color: var(--bad); color: var(--panel); }
button.quiet, a.quiet { border-color: transparent; background: none; color: var(--soft); text-decoration: none; }
a.quiet:hover { color: var(--accent); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
kbd { font: .75em/1 ui-monospace, monospace; opacity: .75; margin-left: .35em; }
input { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .25rem .5rem; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center; padding: .5rem .9rem;
  background: var(--panel); border-bottom: 1px solid var(--line); }
.key { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; flex: 1; margin: 0; }
.key label { color: var(--soft); font-size: .85rem; }
.key input { width: min(26rem, 40vw); font-family: ui-monospace, monospace; font-size: .85rem; }
.key output { font-size: .85rem; color: var(--soft); }
.key output[data-state="good"] { color: var(--accent); }
.key output[data-state="bad"] { color: var(--bad); }
main { display: grid; grid-template-columns: minmax(16rem, 22rem) minmax(20rem, 1fr) minmax(20rem, 1fr); min-height: 0; }
main > * { min-width: 0; min-height: 0; border-right: 1px solid var(--line); }
.side { display: flex; flex-direction: column; background: var(--panel); }
.side section { overflow: auto; padding: .75rem; flex: 1; }
.tabs { display: flex; border-bottom: 1px solid var(--line); }
.tabs button { flex: 1; border: 0; border-radius: 0; border-bottom: 2px solid transparent; background: none;
  padding: .5rem; color: var(--soft); }
.tabs button[aria-selected="true"] { border-color: var(--accent); color: var(--ink); font-weight: 600; }
#search { width: 100%; margin-bottom: .6rem; }
.work, .result { display: flex; flex-direction: column; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem .75rem; min-height: 3rem;
  border-bottom: 1px solid var(--line); background: var(--panel); }
.tools .quiet:last-child { margin-left: auto; }
.editor { position: relative; flex: 1; min-height: 0; background: var(--panel); }
.editor.small { flex: 0 0 22%; }
.editor pre, .editor textarea, #output { margin: 0; padding: .75rem; border: 0; width: 100%; height: 100%;
  font: 13px/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace; tab-size: 2; white-space: pre; overflow: auto; }
.editor pre { position: absolute; inset: 0; pointer-events: none; overflow: hidden; }
.editor textarea { position: absolute; inset: 0; resize: none; background: none; color: transparent;
  caret-color: var(--ink); }
.editor textarea::selection { background: color-mix(in srgb, var(--focus) 35%, transparent); }
.editor textarea:focus-visible { outline-offset: -2px; }
#output { flex: 1; background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere; }
.t-key { color: var(--key); } .t-text { color: var(--text); } .t-number { color: var(--number); }
.t-word { color: var(--word); } .t-variable { color: var(--variable); } .t-comment { color: var(--comment); }
.suggestions { position: absolute; z-index: 2; margin: 0; padding: .2rem; list-style: none; min-width: 12rem;
  max-width: 26rem; max-height: 14rem; overflow: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; box-shadow: 0 8px 24px #0004; font-size: .85rem; }
.suggestions li { padding: .15rem .5rem; border-radius: 5px; cursor: pointer; display: flex; gap: .8rem;
  justify-content: space-between; }
.suggestions li[aria-selected="true"] { background: var(--tint); }
.suggestions code, .suggestions small { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.suggestions small { color: var(--soft); }
.meter { position: relative; display: inline-flex; align-items: center; height: 1.4rem; padding: 0 .5rem;
  border: 1px solid var(--line); border-radius: 99px; overflow: hidden; font-size: .8rem; }
.meter #cost-bar { position: absolute; inset: 0 auto 0 0; background: var(--tint); }
.meter #cost-text { position: relative; }
#outcome[data-state="bad"] { color: var(--bad); }
.docs-path { display: flex; flex-wrap: wrap; gap: .3rem; margin-bottom: .5rem; font-size: .85rem; }
.docs-path button { padding: 0 .3rem; border: 0; background: none; color: var(--accent); }
.docs-title { font: 600 1rem/1.3 ui-monospace, monospace; margin: 0 0 .3rem; }
.docs-group { margin: .9rem 0 .3rem; font-size: .75rem; letter-spacing: .05em; text-transform: uppercase;
  color: var(--soft); border: 0; padding: 0; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: .35rem 0; border-top: 1px solid var(--line); }
.fields p, .docs-text { margin: .1rem 0 0; color: var(--soft); font-size: .85rem; }
.signature { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.link { border: 0; background: none; padding: 0; color: var(--key); font: inherit; text-align: left; }
.link:hover { text-decoration: underline; }
.link.type { color: var(--word); }
.try { float: right; font-size: .75rem; padding: 0 .5rem; margin-left: .4rem; color: var(--accent); }
.examples { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
.examples button { width: 100%; text-align: left; padding: .5rem .7rem; }
.examples small { display: block; color: var(--soft); }
@media (max-width: 64rem) {
  body { height: auto; }
  main { grid-template-columns: 1fr; }
  main > * { border-right: 0; border-bottom: 1px solid var(--line); }
  .side { max-height: 24rem; } .editor { min-height: 16rem; } .editor.small { flex-basis: 8rem; min-height: 8rem; }
  #output { min-height: 16rem; }
  .result { scroll-margin-top: .5rem; min-height: 60vh; }
}
@media (max-width: 40rem) {
  h1 { flex: 1; }
  .key { order: 1; flex-basis: 100%; }
  .key input { flex: 1; width: 0; min-width: 9rem; }
  .key output { flex-basis: 100%; }
}
@media (prefers-reduced-motion: no-preference) { button, .meter #cost-bar { transition: all .15s; } }
`
