import type { LeaderboardEntry } from "../../score/index.js";
import { formatCost, formatPercent } from "../format.js";
import { escapeHtml } from "../markup.js";
import { cleanLine } from "../text.js";
import { costOf, FRONTIER, listFrontier, listPriced } from "./frontier.js";

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 56;
const RIGHT = 24;
const TOP = 24;
const BOTTOM = 44;
const MAX_NAME = 24;

/** Cost against pass rate, with the frontier as a line; empty unless several costs are known. */
export function drawFrontier(entries: readonly LeaderboardEntry[]): string {
  const frontier = listFrontier(entries);
  if (frontier.length === 0) return "";
  const priced = listPriced(entries);
  const most = Math.max(...priced.map(costOf)) || 1;
  const x = (cost: number) => LEFT + (cost / most) * (WIDTH - LEFT - RIGHT);
  const y = (rate: number) => TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM);
  const at = (entry: LeaderboardEntry) => ({
    x: x(costOf(entry)).toFixed(1),
    y: y(entry.pass_rate.value ?? 0).toFixed(1),
  });
  return `<figure>
<figcaption>${FRONTIER}.</figcaption>
<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${describe(frontier)}">
${[0, 0.25, 0.5, 0.75, 1].map((rate) => drawLine(rate, y(rate))).join("\n")}
${[0, 0.5, 1].map((share) => drawCost(share * most, x(share * most), share)).join("\n")}
<path class="frontier" d="${drawSteps(frontier.map(at))}"/>
${priced.map((entry) => drawAgent(entry, at(entry))).join("\n")}
</svg>
</figure>`;
}

/** Between two agents of the frontier, the cheaper one's rate is all that the money buys. */
function drawSteps(points: readonly { x: string; y: string }[]): string {
  const [first, ...others] = points;
  return [`M${first?.x} ${first?.y}`, ...others.map(({ x, y }) => `H${x}V${y}`)].join("");
}

function drawLine(rate: number, y: number): string {
  const line = `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/>`;
  return `${line}<text class="end" x="${LEFT - 8}" y="${y + 4}">${rate * 100} %</text>`;
}

function drawCost(cost: number, x: number, share: number): string {
  const anchor = share === 1 ? "end" : "middle";
  return `<text class="${anchor}" x="${x}" y="${HEIGHT - BOTTOM + 22}">${formatCost(cost)}</text>`;
}

function drawAgent(entry: LeaderboardEntry, { x, y }: { x: string; y: string }): string {
  const name = cleanLine(entry.agent);
  const short = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
  const isRight = Number(x) > WIDTH * 0.6;
  const tone = entry.on_frontier ? "best" : "other";
  const title = `<title>${escapeHtml(describeOne(entry))}</title>`;
  const label =
    `<text class="${isRight ? "end" : "start"}" x="${Number(x) + (isRight ? -8 : 8)}" ` +
    `y="${Number(y) + (isRight ? -8 : 16)}">${escapeHtml(short)}</text>`;
  return `<circle class="${tone}" cx="${x}" cy="${y}" r="5">${title}</circle>${label}`;
}

function describe(frontier: readonly LeaderboardEntry[]): string {
  return escapeHtml(`Cost and pass rate. On the frontier: ${frontier.map(describeOne).join("; ")}`);
}

function describeOne(entry: LeaderboardEntry): string {
  const rate = `${formatPercent(entry.pass_rate.value ?? 0)} %`;
  return `${cleanLine(entry.agent)}: ${rate} for ${formatCost(costOf(entry))} a trial`;
}
