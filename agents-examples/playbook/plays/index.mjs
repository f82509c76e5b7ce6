// A play has a name, a pattern its task's instruction matches, and a generator `solve`: it yields
// { command, text }, gets the next request for it, and returns the text of the last answer.
import * as cBuildfix from "./c-buildfix.mjs";
import * as fixPermissions from "./fix-permissions.mjs";
import * as helloWorld from "./hello-world.mjs";
import * as logReport from "./log-report.mjs";
import * as resilientScript from "./resilient-script.mjs";

export const plays = [helloWorld, logReport, fixPermissions, resilientScript, cBuildfix];
