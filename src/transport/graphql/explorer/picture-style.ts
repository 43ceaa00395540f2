/** Style of results drawn as pictures; colours of series keep apart in light and dark. */
export const PICTURE_STYLE = `
:root { --s0: #0b7a5a; --s1: #b4541a; --s2: #3a63c2; --s3: #a03070; --s4: #7a7400; --s5: #0a84a5; --s6: #7d4fb3;
  --s7: #b02a37; --s8: #5a7d2a; --s9: #6b6b6b; }
:root[data-theme="dark"] { --s0: #4fc79b; --s1: #f0a070; --s2: #8fb0ff; --s3: #f29bc8; --s4: #d8cf5a; --s5: #6fd0ea;
  --s6: #c7a3f5; --s7: #ff8f98; --s8: #a9d172; --s9: #b5b5b5; }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) { --s0: #4fc79b; --s1: #f0a070; --s2: #8fb0ff; --s3: #f29bc8; --s4: #d8cf5a;
    --s5: #6fd0ea; --s6: #c7a3f5; --s7: #ff8f98; --s8: #a9d172; --s9: #b5b5b5; }
}
.s0 { --series: var(--s0); } .s1 { --series: var(--s1); } .s2 { --series: var(--s2); } .s3 { --series: var(--s3); }
.s4 { --series: var(--s4); } .s5 { --series: var(--s5); } .s6 { --series: var(--s6); } .s7 { --series: var(--s7); }
.s8 { --series: var(--s8); } .s9 { --series: var(--s9); }
.views { display: inline-flex; margin-left: auto; }
.views button { border-radius: 0; font-size: .85rem; padding: .1rem .6rem; }
.views button:first-child { border-radius: 6px 0 0 6px; } .views button:last-child { border-radius: 0 6px 6px 0; }
.views button[aria-pressed="true"] { background: var(--tint); border-color: var(--accent); }
.views:not([hidden]) + .quiet:last-child { margin-left: 0; }
#picture { flex: 1; min-height: 0; overflow: auto; padding: .9rem; background: var(--panel); }
#picture figure { margin: 0; }
#picture svg { width: 100%; height: auto; }
#picture svg text { fill: var(--soft); font-size: 11px; }
#picture .grid { stroke: var(--line); }
#picture .series polyline { fill: none; stroke: var(--series); stroke-width: 2; stroke-linejoin: round; }
#picture .series circle { fill: var(--series); }
#picture .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .5rem 0 0; padding: 0; font-size: .85rem; }
#picture .legend li[class]::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .4em;
  border-radius: 2px; background: var(--series); }
#picture table { border-collapse: collapse; font-size: .85rem; min-width: 100%; }
#picture th, #picture td { padding: .25rem .6rem; text-align: left; border-bottom: 1px solid var(--line); max-width: 24rem;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#picture thead th { position: sticky; top: -.9rem; background: var(--panel); }
#picture td.number { text-align: right; font-variant-numeric: tabular-nums; }
#picture td[style], #picture .step { background: linear-gradient(to right, var(--tint) var(--share), transparent var(--share)); }
#picture td.heat { background: color-mix(in srgb, var(--accent) var(--heat), transparent); text-align: right; }
#picture .step { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem .7rem; margin-bottom: .4rem;
  border: 1px solid var(--line); border-radius: 6px; }
#picture h3 { font-size: .95rem; margin: .8rem 0 .4rem; }
#picture .progress { display: grid; gap: .5rem; } #picture progress { width: 100%; accent-color: var(--accent); }
#picture figcaption { color: var(--soft); font-size: .85rem; padding: .4rem 0; }
`
