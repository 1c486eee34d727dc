/**
 * Builds a stage in a mount namespace of its own, and becomes the program that comes after its arguments: $1 mount,
 * $2 mkdir, $3 the folder of the stage, $4 its size, $5 folders and $6 files to make in it, $7 how many mounts, and
 * for each of them what and where. Paths are arguments only, never text of the script.
 */
export const STAGE_SCRIPT = [
  'set -e',
  'mount=$1 mkdir=$2 stage=$3 size=$4 folders=$5 files=$6 count=$7; shift 7',
  '"$mount" -n -t tmpfs -o "noexec,nosuid,nodev,mode=0755,size=$size" tmpfs "$stage"',
  // Their names are made of digits and letters, so that they can be taken apart.
  '"$mkdir" $folders',
  'for file in $files; do : >"$file"; done',
  // With everything that is mounted below: a user namespace does not take a part of it.
  'while [ "$count" -gt 0 ]; do "$mount" -n --rbind "$1" "$2"; shift 2; count=$((count-1)); done',
  // Each mount has flags of its own, and those it has already must stay: an ordinary user may not take any away.
  'while read -r id parent device root point options rest; do',
  '  case $point in "$stage"/*) ;; *) continue ;; esac',
  '  case ,$options, in *,noexec,*) continue ;; esac',
  // A blank is written as \040 there, which printf takes as \0040. The dot keeps a line break at the end.
  '  path=',
  `  while case $point in *\\\\*) ;; *) false ;; esac; do path=$path\${point%%\\\\*}\\\\0 point=\${point#*\\\\}; done`,
  '  point=$(printf "%b." "$path$point")',
  `  "$mount" -n -o "remount,bind,$options,noexec" "\${point%.}"`,
  'done </proc/self/mountinfo',
  'exec "$@"',
].join('\n');
