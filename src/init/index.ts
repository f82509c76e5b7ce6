export { scaffold } from "./scaffold.js";
