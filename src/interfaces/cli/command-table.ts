import type { Command } from 'commander';
import type { CommandHost } from './cli-io.js';

/** Gives a command its options and its action. */
type DefineCommand = (command: Command, host: CommandHost) => void;

/** A command as `--help` lists it; its code is loaded when it is the one that was asked for. */
export interface CommandEntry {
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<DefineCommand>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    usage: 'run <file>',
    summary: 'run a workflow and print its states',
    load: async () => (await import('./commands/run.js')).defineRun,
  },
  {
    usage: 'call <file> <tool>',
    summary: 'run one tool of a workflow, with no model',
    load: async () => (await import('./commands/call.js')).defineCall,
  },
  {
    usage: 'check <file>',
    summary: 'validate a workflow and print what its agents could do at most',
    load: async () => (await import('./commands/check.js')).defineCheck,
  },
  {
    usage: 'tools <file>',
    summary: "print a workflow's tools as a model sees them",
    load: async () => (await import('./commands/tools.js')).defineTools,
  },
  {
    usage: 'serve [file]',
    summary: "offer a workflow's tools to MCP clients, every call through the gate",
    load: async () => (await import('./commands/serve.js')).defineServe,
  },
  {
    usage: 'mcp <file>',
    summary: "print the tools of a workflow's MCP servers, and approve what has changed",
    load: async () => (await import('./commands/mcp.js')).defineMcp,
  },
  {
    usage: 'doctor',
    summary: 'try real escapes on this machine, and print what holds',
    load: async () => (await import('./commands/doctor.js')).defineDoctor,
  },
  {
    usage: 'parse [file]',
    summary: "read tool calls out of a model's reply",
    load: async () => (await import('./commands/parse.js')).defineParse,
  },
  {
    usage: 'runs',
    summary: 'list the runs of this workspace, newest first',
    load: async () => (await import('./commands/runs.js')).defineRuns,
  },
  {
    usage: 'resume <run>',
    summary: 'continue a run that was interrupted or whose process died',
    load: async () => (await import('./commands/resume.js')).defineResume,
  },
  {
    usage: 'approve <run> [call]',
    summary: 'answer what a run asks, from another terminal or days later',
    load: async () => (await import('./commands/approve.js')).defineApprove,
  },
  {
    usage: 'approvals <list|revoke> [id...]',
    summary: 'list or take back what was approved for good in this workspace',
    load: async () => (await import('./commands/approvals.js')).defineApprovals,
  },
  {
    usage: 'audit <run>',
    summary: "print a run's audit trail, or check that nobody changed it",
    load: async () => (await import('./commands/audit.js')).defineAudit,
  },
  {
    usage: 'report <run>',
    summary: 'print what a run did, for people, as Markdown or a page',
    load: async () => (await import('./commands/report.js')).defineReport,
  },
  {
    usage: 'schema',
    summary: 'print the JSON Schema of workflow files, for your editor',
    load: async () => (await import('./commands/schema.js')).defineSchema,
  },
  {
    usage: 'init [file]',
    summary: 'write a first workflow to start from',
    load: async () => (await import('./commands/init.js')).defineInit,
  },
];
