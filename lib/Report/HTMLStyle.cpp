//===- HTMLStyle.cpp - how the HTML report looks -*- C++ -*-===//
//
// Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Neither & nor < : the page is well-formed XML too.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

const llvm::StringLiteral tgc::kStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --box: #f5f6f8; --line: #d5d9df; --faint: #e4e7eb;
  --text: #1b1f24; --muted: #57606a; --accent: #0b5cad;
  --cell: #eaf1f9; --chosen: #ffd58a; --edge: #7f93a8;
  --product: #9cc3ee; --other: #d3e3f5; --copy: #f6e3b0; --ready: #edf0f3; --wait: #f9d4cf;
  --bad: #f6b9b1; --bad-text: #a3190d; --bar: #4c8bd0; --bar-measured: #35706a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --box: #1c2126; --line: #3a424b; --faint: #2a3138;
    --text: #e4e7ea; --muted: #a0a9b3; --accent: #79b4f5;
    --cell: #202b38; --chosen: #7a5410; --edge: #6c7f93;
    --product: #27568a; --other: #1d3551; --copy: #5b4a1c; --ready: #2c333b; --wait: #6b2b26;
    --bad: #7d2c25; --bad-text: #ff9d92; --bar: #5b9ae0; --bar-measured: #63b3a8;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 76rem; padding: 2rem 2rem 4rem; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
code, .source td:nth-child(2) {
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.87em;
}
a { color: var(--accent); }
h1 { font-size: 1.5rem; font-weight: 600; margin: 0; }
h2 { font-size: 1.3rem; font-weight: 600; margin: 0 0 0.25rem; }
h3 { font-size: 1.02rem; font-weight: 600; margin: 0; display: inline; }
h4 { font-size: 0.95rem; font-weight: 600; margin: 1.25rem 0 0.4rem; }
p { margin: 0.4rem 0 0.8rem; max-width: 48rem; }
.sub, small, figcaption { color: var(--muted); }
header .sub { max-width: none; }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.1rem; margin-bottom: 1.5rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; padding: 0; margin: 0.8rem 0 0; }
section.kernel { border-top: 3px solid var(--line); padding-top: 1.4rem; margin-top: 3rem; }
section.kernel:first-child { border-top: 0; padding-top: 0; margin-top: 0; }
details { margin-top: 1.6rem; }
summary { cursor: pointer; border-bottom: 1px solid var(--faint); padding: 0.2rem 0; margin-bottom: 0.8rem; }
summary:focus-visible, .scroll:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
dl.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1px; margin: 1rem 1px;
}
dl.figures div { background: var(--box); box-shadow: 0 0 0 1px var(--line); padding: 0.6rem 0.8rem; }
dl.figures dt { color: var(--muted); font-size: 0.82rem; }
dl.figures dd { margin: 0; font-size: 1.12rem; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.92rem; width: 100%; }
th, td {
  text-align: left; vertical-align: top; padding: 0.28rem 0.9rem 0.28rem 0; border-bottom: 1px solid var(--faint);
  overflow-wrap: break-word;
}
th { font-weight: 500; }
thead th { color: var(--muted); font-size: 0.84rem; vertical-align: bottom; }
td.n { text-align: right; white-space: nowrap; }
th.n { text-align: right; }
th small { display: block; font-size: 0.82em; font-weight: 400; }
td.bar { width: 45%; min-width: 4rem; vertical-align: middle; }
svg.bar { display: block; width: 100%; height: 0.7rem; }
svg.bar + svg.bar { margin-top: 2px; }
.groups { columns: 2 24rem; column-gap: 2.5rem; }
.groups section { break-inside: avoid; }
.groups section h4 { margin-top: 0; }
.groups section { padding-bottom: 1.1rem; }
.source th, .source td { padding-right: 0; padding-left: 0.9rem; overflow-wrap: normal; }
.source td:nth-child(2) { white-space: pre-wrap; width: 44%; min-width: 21rem; overflow-wrap: anywhere; }
.source .idle td { color: var(--muted); }
.source .gap td { color: var(--muted); text-align: center; padding: 0; }
.tag { border: 1px solid var(--line); border-radius: 3px; padding: 0 0.35em; font-size: 0.84em; white-space: nowrap; }
.tag.declined { color: var(--bad-text); border-color: var(--bad-text); font-weight: 600; }
.scroll { overflow-x: auto; max-width: 100%; }
figure { margin: 0.4rem 0 1.4rem; }
figcaption { font-size: 0.87rem; max-width: 48rem; margin-top: 0.4rem; }
.panels { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; align-items: flex-end; }
.panels figure { flex: 0 1 16.2rem; margin: 0 0 0.6rem; }
.panels figcaption { min-height: 4.2em; }
.panels svg { max-width: 100%; height: auto; }
.legend {
  list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; padding: 0; margin: 0.5rem 0 0.9rem;
  font-size: 0.87rem;
}
.legend svg.symbol { margin-right: 0.45em; vertical-align: -1px; }
.key {
  display: inline-block; width: 1.1em; height: 0.8em; border: 1px solid var(--edge); margin-right: 0.45em;
  vertical-align: -0.05em;
}
.key.copy { background: var(--copy); } .key.ready { background: var(--ready); }
.key.product { background: var(--product); } .key.wait { background: var(--wait); border-style: dashed; }
.key.first { background: var(--cell); } .key.bad { background: var(--bad); border: 2px solid var(--bad-text); }
svg { display: block; }
.legend svg { display: inline-block; }
svg text {
  font: 11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums;
  fill: var(--text);
}
svg text.muted { fill: var(--muted); }
svg text.strong { font-weight: 600; }
svg .start { text-anchor: start; } svg .middle { text-anchor: middle; } svg .end { text-anchor: end; }
svg .thin { stroke: var(--faint); fill: none; } svg .thick { stroke: var(--edge); fill: none; }
svg .frame { fill: none; stroke: var(--edge); stroke-width: 1.5; }
svg .cell { fill: var(--cell); stroke: var(--edge); stroke-width: 0.5; }
svg .chosen { fill: var(--chosen); stroke: var(--edge); }
svg .free { fill: none; stroke: var(--faint); }
svg .bad { fill: var(--bad); stroke: var(--bad-text); stroke-width: 1.5; }
svg .copy { fill: var(--copy); stroke: var(--edge); } svg .ready { fill: var(--ready); stroke: var(--edge); }
svg .product { fill: var(--product); stroke: var(--edge); } svg .product.other { fill: var(--other); }
svg .wait { fill: var(--wait); stroke: var(--bad-text); stroke-dasharray: 3 2; }
svg .roof { stroke: var(--text); stroke-width: 2; fill: none; }
svg .roof.l2 { stroke: var(--muted); stroke-width: 1.5; stroke-dasharray: 7 3; }
svg .asked { stroke: var(--edge); stroke-dasharray: 2 3; }
svg .intensity { stroke: var(--accent); stroke-dasharray: 5 3; }
svg .point { stroke: var(--text); } svg .point.hollow { fill: var(--page); }
svg .track { fill: var(--faint); }
svg .attainable { fill: var(--bar); } svg .measured { fill: var(--bar-measured); }
.key.attainable { background: var(--bar); } .key.measured { background: var(--bar-measured); }
@media (max-width: 40rem) {
  body { padding: 1.2rem 0.9rem 2.5rem; font-size: 0.9rem; }
  dl.figures { grid-template-columns: 1fr 1fr; }
  th, td { padding-right: 0.6rem; }
  td.bar { width: 26%; }
  .panels { flex-direction: column; align-items: stretch; }
  .panels figure { flex: none; }
  .panels figcaption { min-height: 0; }
  .groups { columns: 1; }
}
@media print {
  :root {
    color-scheme: light; font-size: 10pt;
    --page: #ffffff; --box: #f7f7f8; --line: #c4c9cf; --faint: #dde0e4;
    --text: #000000; --muted: #454c54; --accent: #0b4a8c;
    --cell: #eaf1f9; --chosen: #ffd58a; --edge: #6b7d90;
    --product: #9cc3ee; --other: #d3e3f5; --copy: #f6e3b0; --ready: #edf0f3; --wait: #f9d4cf;
    --bad: #f6b9b1; --bad-text: #8f150a; --bar: #4c8bd0; --bar-measured: #35706a;
  }
  body { max-width: none; padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav { display: none; }
  summary { list-style: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .scroll { overflow: visible; }
  .scroll svg { max-width: 100%; height: auto; }
  table { font-size: 0.85rem; }
  .source td:nth-child(2) { min-width: 0; width: 40%; }
  .source th, .source td { padding-left: 0.4rem; }
  figure, tr, dl.figures, .groups section { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  section.kernel { break-before: page; border-top: 0; margin-top: 0; }
  .groups { columns: 2; }
}
)css";
