import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandFixture } from '../infrastructure/sandbox/command-fixture.js';

const DENIED = 'EXECUTION.SANDBOX.DENIED';

describe('listed commands', () => {
  let fixture: CommandFixture;
  beforeEach(() => {
    fixture = new CommandFixture();
  });
  afterEach(() => fixture.remove());

  describe('shell syntax', () => {
    it.each([
      ['echo', 'echo hi ; touch {OUT}/pwned'],
      ['echo', 'echo hi && touch {OUT}/pwned'],
      ['echo', 'echo hi || touch {OUT}/pwned'],
      ['echo', 'echo hi | touch {OUT}/pwned'],
      ['echo', 'echo hi & touch {OUT}/pwned'],
      ['echo', 'echo hi\ntouch {OUT}/pwned'],
      ['echo', 'echo hi |& touch {OUT}/pwned'],
      ['echo', 'echo $(touch {OUT}/pwned)'],
      ['echo', 'echo `touch {OUT}/pwned`'],
      ['echo', 'echo "$(touch {OUT}/pwned)"'],
      ['echo', 'echo "`touch {OUT}/pwned`"'],
      ['echo', 'echo $(( $(touch {OUT}/pwned; echo 1) ))'],
      ['echo', `echo $\{x:-$(touch {OUT}/pwned)}`],
      ['cat', 'cat <(touch {OUT}/pwned)'],
      ['echo', 'echo hi > >(touch {OUT}/pwned)'],
      ['cat', "cat <<'EOF'\nx\nEOF\ntouch {OUT}/pwned"],
      ['cat', 'cat <<EOF\n$(touch {OUT}/pwned)\nEOF'],
      ['cat', 'cat <<< $(touch {OUT}/pwned)'],
      ['echo', 'echo hi > {OUT}/pwned'],
      ['echo', 'echo hi >> {OUT}/pwned'],
      ['echo', 'echo hi >| {OUT}/pwned'],
      ['echo', 'echo hi 2>&1 1>{OUT}/pwned'],
      ['cat', 'cat < {OUT}/secret.txt'],
      ['echo', '> {OUT}/pwned echo hi'],
      ['echo', 'X=1 touch {OUT}/pwned'],
      ['ls', 'PATH={ROOT}/bin:$PATH ls'],
      ['ls', 'PATH={ROOT}/bin ls'],
      ['ls', '{ROOT}/bin/ls'],
      ['ls', './bin/ls'],
      ['ls', 'bin/ls'],
      ['ls', 'function ls { touch {OUT}/pwned; }; ls'],
      ['ls', 'ls() { touch {OUT}/pwned; }; ls'],
      ['ls', "alias ls='touch {OUT}/pwned'\nls"],
      ['echo', 'echo ok\rtouch {OUT}/pwned'],
      ['echo', 'echo ok\u2028touch {OUT}/pwned'],
      ['echo', 'echo ok\u0000touch {OUT}/pwned'],
      ['echo', "'to''uch' {OUT}/pwned"],
      ['echo', '"touch" {OUT}/pwned'],
      ['echo', "$'\\x74ouch' {OUT}/pwned"],
      ['echo', 't\\ouch {OUT}/pwned'],
      ['echo', '/usr/bin/touc? {OUT}/pwned'],
      ['echo', '{touch,{OUT}/pwned}'],
      ['echo', "echo hi # '\ntouch {OUT}/pwned\n# '"],
      ['true', `${'true; '.repeat(60)}touch {OUT}/pwned`],
      ['true', `${'true; '.repeat(300)}true`],
      ['echo', 'for i in 1; do touch {OUT}/pwned; done'],
      ['echo', 'case x in x) touch {OUT}/pwned;; esac'],
      ['echo', 'if true; then touch {OUT}/pwned; fi'],
      ['echo', 'while touch {OUT}/pwned; do break; done'],
      ['echo', '( touch {OUT}/pwned )'],
      ['echo', '{ touch {OUT}/pwned; }'],
      ['echo', '! touch {OUT}/pwned'],
      ['echo', 'time touch {OUT}/pwned'],
      ['echo', 'coproc touch {OUT}/pwned; wait'],
      ['echo', 'eval touch {OUT}/pwned'],
      ['echo', '. {ROOT}/p.sh'],
      ['echo', "trap 'touch {OUT}/pwned' EXIT"],
      ['echo', 'export BASH_ENV={ROOT}/p.sh; bash -c :'],
      ['printf', `printf -v x[$(touch$\{IFS}{OUT}/pwned)] y`],
      ['command', 'command touch {OUT}/pwned'],
      ['exec', 'exec touch {OUT}/pwned'],
      ['echo', 'cd {OUT} && echo hi'],
      ['echo', 'echo \ud800'],
      ['echo', 'echo "unclosed'],
      ['echo', "echo 'unclosed"],
      ['echo', 'echo ok &&'],
      ['echo', '; echo ok'],
      ['echo', ' \n '],
    ])('%s: refuses %j', async (commands, line) => {
      expect(await fixture.attempt(commands, line)).toMatchObject({ code: DENIED });
      expect(fixture.harm()).toEqual([]);
    });

    it.each([
      ['grep', "grep -n 'a;b && c > d' f.txt", ''],
      ['echo', 'echo \'a;b\' "c | d" e', 'a;b c | d e\n'],
      ['echo', 'echo a && echo b; echo c\n\necho d', 'a\nb\nc\nd\n'],
      ['cat sort head', 'cat f.txt | sort | head -n 1', 'a\n'],
      ['true echo', 'false || echo x', undefined],
      ['echo', 'echo \'\'""', '\n'],
      ['echo', 'echo "a\\.b" HEAD~1 x@y %d a:b', 'a\\.b HEAD~1 x@y %d a:b\n'],
      ['echo', "echo 'it'\"'\"'s'", "it's\n"],
      ['echo', 'echo "$x"'.replace('$', 'S'), 'Sx\n'],
      ['/usr/bin/echo', 'echo héllo', 'héllo\n'],
      ['echo', '/usr/bin/echo hi', 'hi\n'],
    ])('%s: understands %j', async (commands, line, output) => {
      const result = await fixture.attempt(commands, line);
      if (output === undefined) expect(result.code).toBe(DENIED);
      else expect(result).toMatchObject({ output });
    });
  });

  describe('programs that start others', () => {
    it.each([
      ['env', "env -S 'touch {OUT}/pwned'"],
      ['env', 'env touch {OUT}/pwned'],
      ['env', 'env LD_PRELOAD={ROOT}/x.so env'],
      ['nohup', 'nohup touch {OUT}/pwned'],
      ['nice', 'nice -n 5 touch {OUT}/pwned'],
      ['timeout', 'timeout 5 touch {OUT}/pwned'],
      ['timeout', 'timeout --foreground 5 touch {OUT}/pwned'],
      ['timeout echo', 'timeout 5 timeout 5 touch {OUT}/pwned'],
      ['xargs echo', 'xargs -a /dev/null touch {OUT}/pwned'],
      ['setsid', 'setsid -w touch {OUT}/pwned'],
      ['stdbuf', 'stdbuf -o0 touch {OUT}/pwned'],
      ['busybox', 'busybox touch {OUT}/pwned'],
      ['ionice', 'ionice touch {OUT}/pwned'],
      ['node', 'node -e \'require("fs").writeFileSync("{OUT}/pwned","")\''],
      ['python3', 'python3 -c \'open("{OUT}/pwned","w")\''],
      ['bash', "bash -c 'touch {OUT}/pwned'"],
      ['bash', 'bash p.sh'],
      ['perl', "perl -e 'system(q(touch {OUT}/pwned))'"],
      ['npm', 'npm test'],
      ['go', "go test -exec 'touch {OUT}/pwned' ./..."],
      ['find', 'find . -maxdepth 0 -exec touch {OUT}/pwned ";"'],
      ['find', 'find . -maxdepth 0 -execdir touch {OUT}/pwned ";"'],
      ['find', 'find . -maxdepth 0 -ok touch {OUT}/pwned ";"'],
      ['find', 'find . -name f.txt -delete'],
      ['find', 'find . -maxdepth 0 -fprintf {OUT}/pwned x'],
      ['fd', 'fd -x touch {OUT}/pwned'],
      ['fd', 'fd -Hx touch {OUT}/pwned'],
      ['fd', 'fd --exec-batch touch {OUT}/pwned'],
      ['sort', "sort --compress-program='touch {OUT}/pwned' f.txt"],
      ['sort', 'sort -o {OUT}/pwned f.txt'],
      ['sort', 'sort -ro f.txt f.txt'],
      ['sort', 'sort --outp={OUT}/pwned f.txt'],
      ['rg', 'rg --pre {ROOT}/p.sh a f.txt'],
      ['rg', 'rg --pre=p.sh a f.txt'],
      ['rg', 'rg --hostname-bin=p.sh --hyperlink-format=default a f.txt'],
      ['rg', 'rg -z a f.txt'],
      ['rg', 'rg -iz a f.txt'],
      ['awk', 'awk \'BEGIN{system("touch {OUT}/pwned")}\''],
      ['awk', 'awk \'BEGIN{print "x" > "{OUT}/pwned"}\''],
      ['awk', 'awk \'BEGIN{"touch {OUT}/pwned" | getline}\''],
      ['awk', 'awk -f p.sh'],
      ['git', "git -c core.pager='touch {OUT}/pwned' -p log"],
      ['git', "git -c alias.x='!touch {OUT}/pwned' x"],
      ['git', "git -c core.fsmonitor='touch {OUT}/pwned;false' status"],
      ['git', 'git --exec-path={ROOT}/bin status'],
      ['git', 'git --git-dir={ROOT}/bin status'],
      ['git', 'git --config-env=core.pager=HOME log'],
      ['git', 'git diff --no-index --output={OUT}/pwned /dev/null f.txt'],
      ['git', 'git diff --outp=x f.txt'],
      ['git', "git grep --no-index --open-files-in-pager='touch {OUT}/pwned;:' a"],
      ['git', "git grep --no-index -O'touch {OUT}/pwned;:' a"],
      ['git', 'git clone "ext::touch {OUT}/pwned" x'],
      ['git', "git archive --remote=. --exec='touch {OUT}/pwned;' HEAD"],
      ['git', "git ls-remote --upload-pack='touch {OUT}/pwned' ."],
      ['git', "git config core.pager 'touch {OUT}/pwned'"],
      ['git', "git rebase -x 'touch {OUT}/pwned' HEAD"],
      ['git', 'git bisect run touch {OUT}/pwned'],
      ['git', 'git difftool'],
      ['git', 'git help log'],
      ['tar', "tar cf /dev/null f.txt --checkpoint=1 --checkpoint-action=exec='touch {OUT}/pwned'"],
      ['tar', "tar cf /dev/null f.txt -I 'touch {OUT}/pwned'"],
      ['tar', 'tar xf evil.tar -P'],
      ['tar', 'tar xPf evil.tar'],
      ['tar', 'tar xf evil.tar --to-command=p.sh'],
      ['split', "split --filter='touch {OUT}/pwned' f.txt"],
      ['install', 'install -s --strip-program=./p.sh f.txt g.txt'],
      ['man', "man -P 'touch {OUT}/pwned' ls"],
      ['vim', "vim -c ':!touch {OUT}/pwned'"],
      ['rsync', "rsync -e 'touch {OUT}/pwned;' x: ."],
      ['ssh', "ssh -o ProxyCommand='touch {OUT}/pwned' x"],
      ['wget', 'wget --use-askpass={ROOT}/p.sh http://127.0.0.1/'],
      ['curl', 'curl -K {ROOT}/curlrc'],
      ['curl', 'curl http://169.254.169.254/'],
      ['curl', 'curl --unix-socket /var/run/docker.sock http://x/containers/json'],
    ])('%s: refuses %j', async (commands, line) => {
      const more = { read: [`${fixture.root}/**`], write: [`${fixture.root}/**`] };
      expect(await fixture.attempt(commands, line, more)).toMatchObject({ code: DENIED });
      expect(fixture.harm()).toEqual([]);
    });

    it.each([
      ['sed', "sed -n '1e touch {OUT}/pwned' f.txt"],
      ['sed', "sed 's/b/touch {OUT}\\/pwned/e' f.txt"],
      ['sed', "sed 's/b/x/w {OUT}/pwned' f.txt"],
      ['sed', "sed -n 'w {OUT}/pwned' f.txt"],
      ['sed', "sed '1r {OUT}/secret.txt' f.txt"],
    ])('%s: runs %j without its powers', async (commands, line) => {
      expect(await fixture.attempt(commands, line)).not.toMatchObject({ exitCode: 0 });
      expect(fixture.harm()).toEqual([]);
    });

    it.each([
      ['sed', "sed -n 's/b/x/p' f.txt", 'x\n'],
      ['awk', "awk -F'|' 'NR >= 1 || 0 {print $1}' f.txt", 'b\na\n'],
      ['find', "find . -name 'f*'", './f.txt\n'],
      ['sort', 'sort -r -k 1 f.txt', 'b\na\n'],
      ['tar cat', 'cat f.txt | tar tf -', undefined],
      ['timeout cat', 'timeout 5 cat f.txt', 'b\na\n'],
      ['nice nohup cat', 'nice -n 1 nohup cat f.txt', 'b\na\n'],
      ['git', 'git diff --no-index --stat /dev/null f.txt', undefined],
      ['node', 'node --version', `${process.version}\n`],
      ['grep', 'grep -c /api/users f.txt', '0\n'],
    ])('%s: runs %j', async (commands, line, output) => {
      const result = await fixture.attempt(commands, line);
      expect(result.code).toBeUndefined();
      if (output !== undefined) expect(result.output).toBe(output);
    });
  });
});
