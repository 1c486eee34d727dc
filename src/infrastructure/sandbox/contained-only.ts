const RUNS_CODE = 'runs any code that it is given';

/** Why a program is no safer for being on a list: only the kernel layer limits what it does. */
const GROUPS: readonly { readonly reason: string; readonly names: string }[] = [
  {
    reason: RUNS_CODE,
    names: `sh bash dash zsh ksh mksh fish csh tcsh ash rbash busybox toybox python pypy perl ruby node nodejs deno bun
      php lua luajit tclsh wish expect R Rscript julia java jshell scala groovy kotlin kotlinc ghci runghc runhaskell
      erl elixir iex escript guile racket sbcl clisp clojure ocaml swift dart m4 dc gnuplot octave gs tex latex
      pdflatex xelatex lualatex tsx ts-node osascript pwsh powershell jjs rlwrap nu elvish xonsh osh ysh yash pdksh es
      scsh bb janet fennel hy ghc nim zig crystal rdmd gforth rexx sage maxima jupyter spark-shell pyspark vite-node esno
      electron`,
  },
  {
    reason: 'builds, tests or installs, and so runs code of the project and of its packages',
    names: `make gmake cmake ctest ninja meson bazel npm npx pnpm pnpx yarn yarnpkg corepack pip pipx poetry uv uvx conda
      mamba cargo rustc rustup rustdoc go dotnet msbuild mvn mvnw gradle gradlew ant sbt lein composer bundle bundler gem
      rake tox nox pytest py.test unittest jest vitest mocha ava tap eslint prettier tsc webpack vite rollup esbuild gcc
      cc c++ g++ cpp clang clang++ ld as apt apt-get aptitude dpkg rpm yum dnf zypper apk pacman brew snap flatpak nix
      nix-shell nix-build pre-commit mix rebar3 stack cabal just task nyc c8 playwright cypress karma ng vue next nuxt
      gatsby astro expo nx turbo lerna rush bazelisk buck buck2 pants nimble dub rails rackup puma flask django-admin
      gunicorn uvicorn celery swc babel`,
  },
  {
    reason: 'starts other programs',
    names: `xargs parallel env setsid stdbuf ionice chrt taskset unbuffer watch entr watchexec flock run-parts
      start-stop-daemon ld.so ld-linux ld-linux-x86-64.so ld-linux-aarch64.so ldd sudo su doas pkexec runuser chroot nsenter
      unshare setpriv capsh setarch linux32 linux64 i386 x86_64 uname26 prlimit systemd-run systemctl service at batch
      crontab screen tmux dtach abduco script scriptreplay gdb lldb strace ltrace perf valgrind rr fakeroot proot bwrap
      firejail xvfb-run dbus-run-session dbus-launch cpulimit softlimit daemon daemonize catchsegv docker podman nerdctl
      buildah skopeo runc crun ctr kubectl helm terraform tofu ansible ansible-playbook vagrant packer logrotate anacron
      cron zip sdiff gpg gpg2 convert magick mogrify identify ffmpeg journalctl loginctl busctl gdbus dbus-send xdg-open open gio gtk-launch direnv mise asdf volta nvm pass
      sg newgrp hyperfine ccache sccache distcc icecc faketime tini dumb-init gosu su-exec chpst setlock setuidgid envdir
      runsv svlogd chronic ifne proxychains proxychains4 torsocks torify tsocks numactl nocache eatmydata cgexec cset
      schedtool xterm x-terminal-emulator gnome-terminal konsole urxvt alacritty kitty tmate byobu zellij apptainer
      ip singularity lxc lxc-attach incus machinectl systemd-nspawn systemd-inhibit caffeinate rbenv pyenv nodenv jenv rtx
      fnm limactl multipass minikube skaffold tilt concurrently nodemon forever pm2 supervisord supervisorctl foreman
      honcho overmind reflex modd fswatch ssh-agent keychain sem retry tsp run-one uftrace bpftrace stap heaptrack
      trickle fakechroot nsjail minijail0 checkinstall scl`,
  },
  {
    reason: 'lets whoever uses it start a shell',
    names: `vi vim view ex rvim rview vimdiff gvim vim.basic vim.tiny nvim nano rnano pico emacs emacsclient ed red joe jed
      micro hx helix kak mcedit mc less more most pg man info pinfo pager lv w3m lynx links elinks mutt mail mailx sendmail
      sqlite sqlite3 psql mysql mariadb mongo mongosh redis-cli irssi nmap tcpdump ack ag pry irb bpython ipython hg svn
      cvs bzr darcs fossil jj`,
  },
  {
    reason: 'opens connections that nothing checks without the kernel layer; use http_request',
    names: `curl wget wget2 aria2c http https xh httpie nc ncat netcat socat telnet ftp lftp tftp ssh scp sftp sshfs rsync
      rclone dig host nslookup drill ping traceroute mtr whois openvpn git-upload-pack git-receive-pack git-shell
      git-upload-archive aws gcloud az s3cmd svnadmin finger rsh rlogin rexec mount.nfs smbclient ldapsearch
      openssl gh glab`,
  },
  {
    reason: 'reads or writes whatever files its input names',
    names: `unzip cpio pax ar patch mknod mount umount losetup mkfs fdisk parted rename prename mmv zgrep zmore zless zdiff
      gzexe xmllint xsltproc unrar unar lha arj bsdtar 7z 7za 7zr install-info update-alternatives ldconfig
      exiftool hashdeep md5deep rhash`,
  },
  {
    reason: 'shows or changes what the system keeps on its users and their secrets',
    names: `getent lslogins chage passwd gpasswd chpasswd chgpasswd vipw vigr pwck grpck pwconv pwunconv useradd usermod
      userdel groupadd groupmod groupdel lastb debconf-show debconf-get-selections keyctl secret-tool security dscl
      nmcli systemd-creds unix_chkpwd`,
  },
  {
    reason: 'writes files that its arguments do not name',
    names: 'split csplit ptx',
  },
];

const REASONS: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap(({ reason, names }) => names.split(/\s+/).map((name) => [name, reason] as const)),
);

/** Whether it is an interpreter, or many programs in one: whatever it can read may be code to it. */
export function runsCode(name: string): boolean {
  return REASONS.get(name) === RUNS_CODE;
}

/** Why a program may only run where the kernel contains it; undefined for one that can be checked by its arguments. */
export function containedOnlyReason(name: string, args: readonly string[]): string | undefined {
  const reason = REASONS.get(name);
  // Asking an interpreter for its version runs nothing; a package manager may obey the project even then.
  return reason === RUNS_CODE && args.length === 1 && args[0] === '--version' ? undefined : reason;
}
