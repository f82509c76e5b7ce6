export const EXIT = { ok: 0, below: 1, usage: 2, infra: 3, interrupted: 130 } as const;
