import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

const WHO = 'somebody <somebody@example.org> 1700000000 +0000';

/** A git repository with one commit, made by hand: most of what git can be told to do needs one. */
export function makeRepository(folder: string): void {
  const git = join(folder, '.git');
  for (const name of ['objects', 'refs/heads', 'refs/tags', 'hooks']) {
    mkdirSync(join(git, name), { recursive: true });
  }
  const tree = writeObject(git, 'tree', '');
  const commit = writeObject(git, 'commit', `tree ${tree}\nauthor ${WHO}\ncommitter ${WHO}\n\nfirst\n`);
  writeFileSync(join(git, 'refs/heads/main'), `${commit}\n`);
  writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(git, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
}

function writeObject(git: string, type: string, content: string): string {
  const bytes = Buffer.from(`${type} ${content.length}\0${content}`);
  const hash = createHash('sha1').update(bytes).digest('hex');
  const path = join(git, 'objects', hash.slice(0, 2), hash.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(bytes));
  return hash;
}
