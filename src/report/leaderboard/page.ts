/** Readable in dark and light, from a phone to a wide screen. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de;
  --page: #ffffff; --range: #54aeff; --mark: #0a3069; --doubt: #7d4e00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9ba5b0; --line: #3d444d; --page: #0d1117; --range: #1f6feb;
    --mark: #cae8ff; --doubt: #e3b341; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 80rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, button:focus-visible { outline: 3px solid var(--range); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--quiet); padding-bottom: .5rem; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.left, td.left { text-align: left; }
th.right, td.right { text-align: right; }
tbody th { font-weight: 600; }
thead button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0;
  padding: .2rem 0; min-height: 1.5rem; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
.bar { width: 7rem; height: .7rem; margin-right: .6rem; vertical-align: middle; }
.ends { display: inline-block; min-width: 7.5rem; }
.track { fill: var(--line); } .range { fill: var(--range); } .mark { fill: var(--mark); }
h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
figure { margin: 1rem 0; } figcaption { color: var(--quiet); }
.plot { width: 100%; max-width: 40rem; height: auto; }
.plot text { fill: var(--text); font-size: 12px; }
.plot .end { text-anchor: end; } .plot .middle { text-anchor: middle; }
.grid { stroke: var(--line); } .frontier { fill: none; stroke: var(--range); stroke-width: 2; }
.best { fill: var(--mark); } .other { fill: var(--quiet); }
.quiet, ul { color: var(--quiet); } .doubt { color: var(--doubt); }
ul { padding-left: 1.2rem; }
`;

/** Sorts by the column whose button was clicked; unknown values stay at the end. */
export const SCRIPT = `
for (const section of document.querySelectorAll("section")) {
  const body = section.querySelector("tbody");
  const heads = [...section.querySelectorAll("thead th")];
  heads.forEach((head, index) => {
    head.querySelector("button").addEventListener("click", () => {
      const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const rows = [...body.rows].map((row) => ({ row, value: row.cells[index].dataset.value }));
      const numeric = rows.every(({ value }) => value === "" || !Number.isNaN(Number(value)));
      rows.sort((a, b) => {
        if (a.value === "" || b.value === "") return (a.value === "") - (b.value === "");
        const order = numeric ? a.value - b.value : a.value.localeCompare(b.value);
        return order * direction;
      });
      body.append(...rows.map(({ row }) => row));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      section.querySelector("[role=status]").textContent =
        "Sorted by " + head.textContent + (direction === 1 ? ", ascending" : ", descending");
    });
  });
}
`;
