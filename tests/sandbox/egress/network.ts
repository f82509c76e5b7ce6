/** The addresses in the namespace. */
export const EGRESS = "10.9.0.1";
export const SERVER = "10.9.0.2";
export const RAW_SERVER = "10.9.0.3";
export const RESOLVER = "10.9.0.53";
