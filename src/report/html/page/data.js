/** @import { Index, Story, Trial } from "./types.js" */

/** @type {Index} */
export const index = JSON.parse(document.getElementById("index")?.textContent ?? "{}");

const outcomes = new Map(index.outcomes.map((traits) => [traits.outcome, traits]));

/** The class that colours an outcome. @param {string} outcome */
export function toneOf(outcome) {
  return `tone-${outcomes.get(outcome)?.tone ?? "none"}`;
}

/** A sign besides the colour, which is never the only difference. @param {string} outcome */
export function signOf(outcome) {
  return outcomes.get(outcome)?.sign ?? "-";
}

/** @param {string} outcome */
export function isScored(outcome) {
  return outcomes.get(outcome)?.scored ?? false;
}

/** @param {string} outcome */
export function wordsOf(outcome) {
  return outcome.replaceAll("_", " ");
}

/** @type {Map<string, number>} */
const places = new Map(index.trials.map(({ trial }, place) => [trial, place]));

/** @param {string} trial */
export function findTrial(trial) {
  const place = places.get(trial);
  return place === undefined ? null : index.trials[place];
}

/**
 * Unpacks what happened in a trial.
 * @param {Trial} trial
 * @returns {Promise<Story>}
 */
export async function loadStory(trial) {
  return JSON.parse(await loadText(trial));
}

/** The same as JSON text, which is quick to search. @param {Trial} trial */
export async function loadText(trial) {
  const id = `t${places.get(trial.trial)}`;
  // The page draws before the last trials have arrived.
  if (!document.getElementById(id) && document.readyState === "loading")
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
  const packed = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
