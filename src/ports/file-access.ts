import type { Permissions } from '../domain/restrictions.js';

declare const allowed: unique symbol;

/** A path that was checked. Only a FileAccess can make one, and file tools accept nothing else. */
export interface AllowedPath {
  readonly [allowed]: true;
  /** Absolute, without links. */
  readonly path: string;
  readonly mode: 'read' | 'write';
}

/**
 * Files, within a tool's permissions. No link, race or special file leads out of the allowed roots: what cannot
 * be shown to be inside is refused with a DeniedError.
 */
export interface FileAccess {
  resolve(path: string, mode: 'read' | 'write', scope: FileScope): Promise<AllowedPath>;
  /** Reads at most `maxBytes`; refuses what is not a regular file. */
  read(
    path: AllowedPath,
    options: { readonly maxBytes: number; readonly scope: FileScope },
  ): Promise<FileSlice>;
  /** All or nothing: a reader sees the old content or the new, also after a crash. */
  write(
    path: AllowedPath,
    content: string,
    options: { readonly append: boolean; readonly scope: FileScope },
  ): Promise<void>;
}

export interface FileScope {
  readonly workspace: string;
  readonly permissions: Permissions;
}

export interface FileSlice {
  readonly bytes: Uint8Array;
  readonly totalBytes: number;
}
