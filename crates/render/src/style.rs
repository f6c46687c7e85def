//! How pages look: light or dark as the reader likes, on wide and narrow screens and on paper.

/// The style sheet. It names no address, so nothing is loaded.
pub(crate) const STYLE: &str = "
:root{color-scheme:light dark;--paper:#fff;--ink:#1c2127;--soft:#59636e;--rule:#dfe3e8;--link:#1f5fa8;--code:#f3f5f7;--good:#1a7f37}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e4e8ec;--soft:#a3adb8;--rule:#323a43;--link:#6fb0f2;--code:#1f262d;--good:#57c26c}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
main,footer{max-width:50rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.55rem;line-height:1.3;margin:0 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;line-height:1.3;margin:2.5rem 0 0;padding-bottom:.4rem;border-bottom:1px solid var(--rule)}
h3{font-size:1rem;margin:0}
h4,h5,h6,.text h2,.text h3{font-size:1rem;margin:1.25rem 0 .5rem;padding:0;border:0}
a{color:var(--link)}
.facts{color:var(--soft);font-size:.875rem;margin:0}
.dot{margin:0 .15em}
.tags{display:flex;flex-wrap:wrap;gap:.35rem;list-style:none;margin:.6rem 0 0;padding:0;font-size:.8125rem}
.tags li{background:var(--code);border:1px solid var(--rule);border-radius:4px;padding:0 .45rem}
.text{overflow-x:auto;overflow-y:hidden;overflow-wrap:break-word;padding-bottom:.25rem}
.text>:first-child{margin-top:.75rem}
.text>:last-child{margin-bottom:.25rem}
.text p{margin:.75rem 0}
.text ul,.text ol{padding-left:1.6rem}
.text blockquote{margin:.75rem 0;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--rule)}
.text pre{background:var(--code);border-radius:4px;padding:.6rem .8rem;overflow-x:auto;overflow-wrap:normal}
.text code,.text kbd{font:.875em/1.5 ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;background:var(--code);border-radius:3px;padding:.05em .25em}
.text pre code{background:none;padding:0}
.text table{display:block;max-width:100%;overflow-x:auto;border-collapse:collapse;margin:.75rem 0}
.text th,.text td{border:1px solid var(--rule);padding:.2rem .6rem;text-align:left}
.text hr{border:0;border-top:1px solid var(--rule);margin:1.25rem 0}
.outside{text-decoration:underline dotted var(--soft);text-underline-offset:.15em}
li.absent{color:var(--soft);font-size:.875rem}
.answer{padding:1.25rem 0 1rem;border-bottom:1px solid var(--rule)}
.answer:last-child{border-bottom:0}
.answer header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem 1rem}
.answer>header h3{color:var(--soft);font-weight:600}
.accepted>header h3,.tick{color:var(--good)}
.comments{margin:1rem 0 0;padding-left:1rem;border-left:3px solid var(--rule);font-size:.9rem}
.comments>h2,.comments>h4{margin:0;padding:0;border:0;font-size:.8125rem;font-weight:600;color:var(--soft)}
.comments ol{list-style:none;margin:0;padding:0}
.comments li{padding:.4rem 0;border-top:1px solid var(--rule)}
.comments ol>li:first-child{border-top:0}
.comments .text>*{margin:.25rem 0}
.comments .text ul,.comments .text ol{list-style:revert;padding-left:1.6rem}
.comments .text li{border:0;padding:0}
.linked ul{padding-left:1.2rem}
.linked li{margin:.35rem 0;overflow-wrap:anywhere}
small{color:var(--soft)}
footer{color:var(--soft);font-size:.8125rem;border-top:1px solid var(--rule)}
math{font-size:1.06em;font-family:'Latin Modern Math','STIX Two Math','STIX Math','Cambria Math','Libertinus Math','TeX Gyre Termes Math','Noto Sans Math','DejaVu Math TeX Gyre',math}
h1 math,.linked math{font-size:1em}
.block{display:block;overflow-x:auto;overflow-y:hidden;padding:.15rem 0;margin:.5rem 0}
.math-container.w3{display:inline-flex;max-width:100%;overflow-x:auto;overflow-y:hidden;padding:.1em 0}
.math-container.w3 math{flex:none}
.hit{background:#FFFF00;color:#000;border-radius:2px}
.math-container:target{outline:2px solid var(--link);outline-offset:2px}
article:target>header,.comments li:target{box-shadow:-4px 0 0 var(--link)}
.hits{font-size:.875rem;margin-bottom:1rem}
.hits::before{content:'';display:inline-block;width:.8em;height:.8em;margin-right:.4em;background:#FFFF00;border:1px solid var(--soft)}
.hyp-opaque{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:.85em}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (hover:none){.text .outside[title]::after{content:' (' attr(title) ')';font-size:.8em;color:var(--soft);overflow-wrap:anywhere}}
@media (max-width:30rem){.math-container.w2{display:inline-flex;max-width:100%;overflow-x:auto;overflow-y:hidden;padding:.1em 0}.math-container.w2 math{flex:none}h1{font-size:1.3rem}main,footer{padding:1rem .75rem}.comments{padding-left:.6rem}}
@media print{
:root{--paper:#fff;--ink:#000;--soft:#444;--rule:#bbb;--link:#000;--code:#f3f3f3;--good:#000}
body{font-size:10.5pt}
main,footer{max-width:none;padding:0}
.text,.text table,.block,.math-container{overflow:visible}
h1,h2,h3,h4,header{break-after:avoid}
.math-container.block,.comments li,pre,tr{break-inside:avoid}
.hit{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.text .outside[title]::after{content:' (' attr(title) ')';font-size:.8em;overflow-wrap:anywhere}
}
";
