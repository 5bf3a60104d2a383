"""A Slurm of one node that a test starts for itself, with all its files in one temporary folder.

It needs root, as slurmd does, and Debian's slurm-wlm and munge. No file of the system is read or written, and no other
Slurm on this machine is touched: ports, the key and the socket of munge are its own.
"""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scancel", "squeue", "scontrol", "sinfo"]


def why_not():
    """A sentence if Slurm can't be started here, else nothing."""
    missing = [name for name in PROGRAMS if program(name) is None]
    if missing:
        return f"{', '.join(missing)} not found (Debian: slurm-wlm, munge)"
    return "" if os.geteuid() == 0 else "slurmd needs root"


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class PrivateSlurm:
    """Use it by `with PrivateSlurm() as slurm`. Commands of Slurm find it by `slurm.env`."""

    def __init__(self, cores=2):
        self.whole_folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.whole_folder.name)
        self.host = socket.gethostname().split(".")[0]
        self.cores = cores
        self.daemons = []
        # Settings for another Slurm on this machine must not reach this one.
        kept = {key: value for key, value in os.environ.items()
                if not key.startswith(("SLURM", "SBATCH", "SQUEUE", "SINFO", "SCONTROL"))}
        self.env = dict(kept, SLURM_CONF=str(self.folder / "slurm.conf"))

    def __enter__(self):
        try:
            self._start_munge()
            self._write_configuration()
            for name in ("slurmctld", "slurmd"):
                self._start([program(name), "-D"], name)
            self._wait_for(self._node_is_idle, "a node that takes jobs")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # A job outlives the daemon that began it.
        self.ask("scancel", "--user=root")
        end = time.monotonic() + 10
        while self.ask("squeue", "--noheader").strip() and time.monotonic() < end:
            time.sleep(0.2)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons = []
        self.whole_folder.cleanup()

    def fail_node(self):
        """The node goes down, which ends its jobs. Then it comes back. Slurm begins them anew two minutes later."""
        for state in ("State=DOWN", "State=RESUME"):
            subprocess.run([program("scontrol"), "update", f"NodeName={self.host}", state, "Reason=test"],
                           env=self.env, check=True, capture_output=True, timeout=30)

    def ask(self, name, *words):
        """What a command of Slurm prints; empty where it fails."""
        done = subprocess.run([program(name), *words], env=self.env, capture_output=True, text=True, timeout=30)
        return done.stdout if done.returncode == 0 else ""

    def _start(self, command, name):
        with open(self.folder / f"{name}.out", "w") as out:
            self.daemons.append(subprocess.Popen([str(word) for word in command], env=self.env, stdout=out, stderr=out))

    def _start_munge(self):
        # munged refuses a socket that not all users can reach.
        self.folder.chmod(0o711)
        own = self.folder / "munge"
        own.mkdir(mode=0o755)
        key = own / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self._start([program("munged"), "--foreground", f"--key-file={key}", f"--socket={own}/socket",
                     f"--pid-file={own}/pid", f"--log-file={own}/log", f"--seed-file={own}/seed"], "munged")
        self._wait_for((own / "socket").exists, "munge's socket")

    def _write_configuration(self):
        controller, node = free_ports(2)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        settings = {
            "ClusterName": "carom", "SlurmctldHost": f"{self.host}(127.0.0.1)", "SlurmUser": "root", "SlurmdUser": "root",
            "SlurmctldPort": controller, "SlurmdPort": node, "AuthType": "auth/munge",
            "AuthInfo": f"socket={self.folder}/munge/socket", "CryptoType": "crypto/munge",
            "StateSaveLocation": self.folder / "state", "SlurmdSpoolDir": self.folder / "spool",
            "SlurmctldPidFile": self.folder / "slurmctld.pid", "SlurmdPidFile": self.folder / "slurmd.pid",
            "ProctrackType": "proctrack/linuxproc", "TaskPlugin": "task/none", "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_Core", "ReturnToService": 2, "JobRequeue": 1, "MpiDefault": "none",
            # Jobs begin at once.
            "SchedulerParameters": "sched_min_interval=100000,batch_sched_delay=0", "KillWait": 2, "MinJobAge": 300,
        }
        lines = [f"{name}={value}" for name, value in settings.items()]
        lines.append(f"NodeName={self.host} NodeAddr=127.0.0.1 CPUs={self.cores} RealMemory=1000 State=UNKNOWN")
        lines.append(f"PartitionName=main Nodes={self.host} Default=YES State=UP OverSubscribe=NO")
        (self.folder / "slurm.conf").write_text("\n".join(lines) + "\n")

    def _node_is_idle(self):
        return self.ask("sinfo", "--noheader", "--format=%t").strip() == "idle"

    def _wait_for(self, ready, what, seconds=60):
        end = time.monotonic() + seconds
        while not ready():
            dead = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                logs = "\n".join(path.read_text() for path in sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"waited for {what}; {dead or 'it did not come'}\n{logs[-3000:]}")
            time.sleep(0.1)
