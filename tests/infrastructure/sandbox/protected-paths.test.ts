import { describe, expect, it } from '@jest/globals';
import { protectedBy } from '../../../src/infrastructure/sandbox/protected-paths.js';

const WORKSPACE = '/home/me/.claude/worktrees/ws';

describe('protectedBy', () => {
  it.each([
    ['.git/hooks/pre-commit', '.git'],
    ['.git/config', '.git'],
    ['.git', '.git'],
    ['vendor/lib/.git/hooks/post-checkout', '.git'],
    ['.GIT/Config', '.git'],
    ['.git./config', '.git'],
    ['.g\u200cit/config', '.git'],
    ['.gitmodules', '.gitmodules'],
    ['.husky/pre-push', '.husky'],
    ['.toolgate/approvals.json', '.toolgate'],
    ['sub/.toolgate', '.toolgate'],
    ['.mcp.json', '.mcp.json'],
    ['.claude/settings.json', '.claude'],
    ['.codex/config.toml', '.codex'],
    ['.vscode/settings.json', '.vscode'],
    ['.idea/workspace.xml', '.idea'],
    ['.github/workflows/ci.yml', '.github/workflows'],
    ['.gitlab-ci.yml', '.gitlab-ci.yml'],
    ['Jenkinsfile', 'jenkinsfile'],
    ['.envrc', '.envrc'],
    ['.bashrc', '.bashrc'],
    ['.config/fish/config.fish', '.config/fish'],
    ['.npmrc', '.npmrc'],
  ])('protects %s', (path, entry) => {
    expect(protectedBy(`${WORKSPACE}/${path}`, WORKSPACE)).toBe(entry);
  });

  it.each([
    ['src/index.ts'],
    ['package.json'],
    ['.github/CODEOWNERS'],
    ['.gitignore'],
    ['.env'],
    ['git/config'],
    ['docs/claude/settings.json'],
    ['src/.github-workflows/a.yml'],
  ])('leaves %s alone', (path) => {
    expect(protectedBy(`${WORKSPACE}/${path}`, WORKSPACE)).toBeUndefined();
  });

  it('looks at the whole path outside of the workspace', () => {
    expect(protectedBy('/home/me/.ssh/authorized_keys', WORKSPACE)).toBe('.ssh');
    expect(protectedBy('/home/me/notes.txt', WORKSPACE)).toBeUndefined();
  });
});
