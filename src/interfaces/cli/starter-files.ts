/** A first workflow, explained line by line, and the replies that play its agent. */
export const STARTER_WORKFLOW = `# A workflow: the tools that an agent may use, what each may do, and the steps that use them.
# "toolgate schema" prints the JSON Schema of this file, for completion in your editor.
name: first-steps
version: "1.0"

# Values a run is started with: toolgate run FILE -i topic=gates
inputs:
  - name: topic
    type: string
    default: gates
    description: what the note is about

# Where the kernel cannot confine processes, tools that start one are denied. To run them anyway, with the checks
# of toolgate's own process only:
# sandbox: { on_unavailable: warn }

# What is not listed is not allowed.
tools:
  - name: read_file
    builtin: true
    approval: auto # runs without asking
    restrictions:
      paths: ["notes/**"] # relative to the workspace: --workspace, or the current directory

  - name: write_file
    builtin: true
    approval: prompt # asks a person first; this is the default
    restrictions:
      paths: ["notes/**"]

  # A tool of your own. An argument is always one literal word of the command, never shell text.
  # - name: count_words
  #   description: Counts the words of a note.
  #   command: "wc -w -- {{args.path}}"
  #   parameters:
  #     - { name: path, type: string, required: true }
  #   approval: auto

steps:
  - name: write_note
    type: agent
    provider: scripted # replies come from a file: no model, no network
    prompt: |
      Write a note about {{inputs.topic}} to notes/first.md, then read it back and tell me what it says.
    tools: [read_file, write_file]
    tool_options:
      max_calls: 10
      timeout_per_call: 30s
`;

export const STARTER_SCRIPT = `# What the scripted agent says, turn by turn. It is the same every time, so it is good for trying things out and for
# tests. A reply may say what it must have been told before: expect: { contains: ["some text"] }
replies:
  - text: I will write the note.
    tool_calls:
      - name: write_file
        arguments: { path: notes/first.md, content: "A gate lets through what it was told to.\\n" }
  - text: Now I read it back.
    tool_calls:
      - name: read_file
        arguments: { path: notes/first.md }
  - text: "Done: the note is in notes/first.md."
`;
