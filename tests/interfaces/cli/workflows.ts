/** Two file tools within `data/`; reading is free, writing is asked about. */
export const FILES_WORKFLOW = `
name: files
version: "1.0"
inputs: [{ name: token, secret: true, default: sesame-open }]
tools:
  - { name: read_file, builtin: true, approval: auto, restrictions: { paths: ["data/**"] } }
  - { name: write_file, builtin: true, restrictions: { paths: ["data/**"] } }
steps:
  - { name: one, provider: scripted, prompt: "Use {{inputs.token}}", tools: [read_file, write_file] }
`;

/** Writes, reads back, and says what the secret is. */
export const FILES_SCRIPT = `
replies:
  - tool_calls: [{ name: write_file, arguments: { path: data/a.txt, content: "sesame-open inside" } }]
  - text: reading
    tool_calls: [{ name: read_file, arguments: { path: data/a.txt } }]
  - text: "the word is sesame-open"
`;
