import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FileApprovalInbox } from '../../src/infrastructure/approval/inbox/file-approval-inbox.js';
import { temporaryFolder } from './temporary-folder.js';

/** An inbox over a run's folder that is all there is of the run. */
export class InboxFixture {
  readonly folder = join(temporaryFolder(), 'run');
  readonly question = { runId: 'run', effectId: 'fix/1/1/review', planHash: 'hash-1' };

  constructor() {
    mkdirSync(this.folder);
  }

  get files(): string {
    return join(this.folder, 'inbox');
  }

  /** As another process would have it: nothing is shared but the folder. */
  open(): FileApprovalInbox {
    const inspect = async (runId: string) => {
      if (runId !== 'run') throw new Error('there is no such run');
      return { folder: this.folder, isHeld: true };
    };
    return new FileApprovalInbox({ inspect }, { now: () => 1 });
  }
}
