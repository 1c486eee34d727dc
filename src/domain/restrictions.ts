/** What a `restrictions:` block says, as written: patterns are not resolved, and what is missing is missing. */
export interface Restrictions {
  readonly paths?: PathRules;
  readonly commands?: 'any' | readonly string[];
  readonly hosts?: readonly string[];
  /** Private addresses that are meant; none unless listed. */
  readonly privateHosts?: readonly string[];
  /** Names of environment variables that are passed on. */
  readonly env?: readonly string[];
  readonly protect?: readonly string[];
  /** Only the listed commands exist for it, and nothing it can write can be run. */
  readonly strict?: boolean;
  readonly memoryBytes?: number;
  readonly pids?: number;
  readonly maxOutputBytes?: number;
}

export interface PathRules {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly deny: readonly string[];
}

/** What a tool may do, with every default filled in and every pattern absolute. An empty list allows nothing. */
export interface Permissions {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly deny: readonly string[];
  /** Read-only even where writing is allowed, beside the built-in list. */
  readonly protect: readonly string[];
  /** `any`: no list; `system`: whatever the system directories hold; else names or absolute paths. */
  readonly commands: 'any' | 'system' | readonly string[];
  readonly hosts: readonly string[];
  readonly privateHosts: readonly string[];
  readonly env: readonly string[];
  /** Only the listed commands exist for it, and nothing it can write can be run; only the kernel can hold that. */
  readonly strict: boolean;
  readonly limits: Limits;
}

export interface Limits {
  readonly memoryBytes: number;
  readonly pids: number;
  readonly maxOutputBytes: number;
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  memoryBytes: 512 * 1024 * 1024,
  pids: 64,
  maxOutputBytes: 64 * 1024,
});

/** What a tool gets that nobody gave anything. */
export const NO_PERMISSIONS: Permissions = Object.freeze({
  read: [],
  write: [],
  deny: [],
  protect: [],
  commands: [],
  hosts: [],
  privateHosts: [],
  env: [],
  strict: false,
  limits: DEFAULT_LIMITS,
});
