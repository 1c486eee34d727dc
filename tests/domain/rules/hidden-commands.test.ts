import { describe, expect, it } from '@jest/globals';
import { hiddenCommandProblem } from '../../../src/domain/rules/hidden-commands.js';
import { commandLine } from './rule-fixture.js';

const problemOf = (line: string) => commandLine(line).commands?.map(hiddenCommandProblem).find(Boolean);

describe('hiddenCommandProblem', () => {
  it.each([
    'stdbuf -o0 git push',
    'chronic git push',
    'setpriv git push',
    'linux64 git push',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/git push',
    "xterm -e 'git push'",
    "sqlite3 x '.shell git push'",
    'ed x',
    'sh /dev/stdin',
    'python3 /proc/self/fd/0',
    'deno eval 1',
    'bun exec id',
    'python3 -m timeit 1',
    'elixir -e 1',
    'find . -delete',
    'find . -fprintf x y',
    'sort --comp=sh f',
    'sort -uo f f',
    'tar cIf id a.tar f',
    'tar --checkpoint-act=exec=id -cf x y',
    "make -E '1'",
    "make 'A=$(shell id)'",
    'make -f - all',
    'make -f/dev/stdin',
    'git -c a=b status',
    'git -C x -ca.b=c status',
    'git --exec-path=x status',
    'git clone -u id x y',
    'git clone --config a=b x',
    'git init --template=x',
    'git rebase -x id',
    'git rebase --exe id',
    'git submodule --quiet foreach id',
    'git bisect run id',
    'git grep -nOid x',
    'git log --output=x',
    'git difftool',
    'git config --global alias.p push',
    'git config core.pager id',
    'sed 1eid f',
    "sed '1e id' f",
    "sed -n 'x;eid' f",
    "sed 's/a/id/e' f",
    "sed 's,a,id,ge' f",
    "sed '$!{s/a/b/;e id' f",
    'sed -l 5 1eid f',
    "sed -e p -e '/x/w out' f",
    "sed -ne 's/a/b/w out' f",
    "npm exec -c 'git push'",
    'go test -exec id',
    'zip -TT id x y',
    'split --filter=id f',
    'scp -oProxyCommand=id a b:',
    "vim -c '!id' f",
    "nvim '+!id'",
    'gcc -wrapper sh,-c,id x.c',
  ])('tells that there may be more to it: %s', (line) => {
    expect(problemOf(line)).toEqual(expect.any(String));
  });

  it.each([
    'git status -s',
    'git -C x log --oneline',
    'git switch -c new',
    'git commit -c HEAD',
    'git push -u origin main',
    'git clean -fdx',
    'git cherry-pick -x abc',
    'git config user.name',
    'git rebase --continue',
    'git diff --stat',
    'find . -name x',
    'sort -k2 -n f',
    'sort -t o f',
    'tar xf a.tar',
    'tar -czf a.tgz x',
    'make test',
    'make -j4 CC=gcc all',
    'npm test',
    'go test ./...',
    'python3 build.py -c x',
    'python3 -m pytest -k e',
    'deno run x.ts',
    'node --version',
    'sh build.sh',
    'sed -n 1,5p example.txt',
    "sed 's/one/else e/g;y/abc/def/' f",
    "sed '/x/,/y/{s|a|b|;p}' f",
    "sed -i.bak 's/a/b/' f",
    "sed '1a e id' f",
    "awk '{print $1}' f",
  ])('sees nothing else in: %s', (line) => {
    expect(problemOf(line)).toBeUndefined();
  });

  it('knows a program also by the file that it is a link to', () => {
    const command = { path: '/w/tool', real: '/usr/bin/python3.11', args: ['-c', '1'] };
    expect(hiddenCommandProblem(command)).toContain('runs code');
  });
});
