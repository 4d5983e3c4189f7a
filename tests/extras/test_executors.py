#!/usr/bin/env python3
"""Studies on Slurm and under Snakemake give the tables of a local study, byte for byte; a run that Slurm stops goes on.

usage: tests/extras/test_executors.py PROGRAM SOURCE [slurm] [snakemake]      (default: both)
needs: munge, slurmctld, slurmd, slurm-client, snakemake

Starts a cluster of one node with files and ports of its own, and ends it. Exits with 77, and the reason, if a tool
is missing or does not start here and the rest is well; with 1 at the first statement that is not true.
"""
import contextlib
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
PATIENCE = 120  # s, for whatever takes a few where it works
DAEMONS = ("munged", "slurmctld", "slurmd")
TABLES = ("study.csv", "study.json", "study.md")
NODE = "node1"

# A mesh case of four members, and one whose last member fails in its first step.
SIZES = """case = "{source}/cases/incline.toml"
set = ["time.end=0.5"]

[[axis]]
key = "mesh.size"
values = [20, 15, 10, 8]

[[quantity]]
name = "kinetic energy"
ledger = "kinetic"
at = 0.5

[[quantity]]
name = "velocity error"
error = "L2"
field = "velocity"
at = 0.5
"""
TOLERANCES = """case = "{source}/cases/incline.toml"
set = ["time.end=0.5", "mesh.size=20", "solver.max_iterations=1000"]

[[axis]]
key = "solver.tolerance"
values = [1e-6, 1e-8, 1e-30]

[[quantity]]
name = "kinetic energy"
ledger = "kinetic"
at = 0.5
"""
FAILING = "tolerance_1e-30"
# As docs/reliability.md has it, with limits to wait for. Slurm may send its signal a minute early.
LIMITED = """#!/bin/sh
#SBATCH --time=1
#SBATCH --signal=B:TERM@50
#SBATCH --output=/dev/null
exec "{program}" run "{source}/cases/sliding_block.toml" --out "{out}" --quiet --resume {settings}
"""
SETTINGS = ("mesh.size=8", "output.frames_every=0", "output.interface_every=0", "output.ledger_every=100000")


class CannotStart(Exception):
    """A tool is missing, or the machine does not let it run."""


def expect(statement, is_true, *seen):
    if not is_true:
        raise AssertionError("\n".join([f"not so: {statement}", *map(str, seen)]))
    print(f"ok: {statement}", flush=True)


def run(*command, **options):
    """A command's exit code and its words."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=PATIENCE, **options)
    return done.returncode, done.stdout


def need(*tools):
    os.environ["PATH"] += ":/usr/sbin:/sbin"  # where the daemons are
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        raise CannotStart(f"{', '.join(missing)} not installed (tools/setup)")


class StudyRun:
    """A study with a folder of results, which every executor writes in turn: messages name it."""

    def __init__(self, program, folder, name, text):
        self.program, self.file, self.out = program, folder / f"{name}.toml", folder / "results"
        self.file.write_text(text)

    def __call__(self, *options, threads=1):
        return run(self.program, "study", self.file, "--out", self.out, "--jobs", 2, "--threads", threads, *options)

    def tables(self):
        return {name: (self.out / name).read_bytes() for name in TABLES}

    def take_tables(self):
        """Reads the tables and removes them, so that the next are really the next."""
        tables = self.tables()
        for name in TABLES:
            (self.out / name).unlink()
        return tables

    def finished(self):
        members = json.loads((self.out / "study.json").read_text())["members"]
        return {member["name"]: member["finished"] for member in members}

    def summary(self, member):
        return self.out / "members" / member / "summary.json"

    def forget(self):
        shutil.rmtree(self.out)


def local_tables(study, expected_code):
    code, words = study("--executor", "local")
    expect(f"{study.file.stem}: the local study ends with code {expected_code}", code == expected_code, words)
    return study.tables()


# --- Slurm


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def slurm_conf(folder):
    user, host = pwd.getpwuid(os.getuid()).pw_name, socket.gethostname()
    controller_port, node_port = free_ports(2)
    return f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SlurmdParameters=config_overrides
NodeName={NODE} NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={NODE} Default=YES MaxTime=INFINITE State=UP
"""


def start(folder, name, *options):
    """Starts a daemon that ends with this script, however that ends."""
    command = ["setpriv", "--pdeathsig", "TERM", name, *options]
    with open(folder / f"{name}.log", "w") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def end(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until(what, is_so, folder, daemons):
    """Waits; where it is in vain, the daemons' last words are the reason."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        ended = [name for name, process in daemons.items() if process.poll() is not None]
        if ended or time.monotonic() > end:
            logs = {name: (folder / f"{name}.log").read_text().splitlines()[-5:] for name in daemons}
            words = "\n".join(f"  {name}: {line}" for name, lines in logs.items() for line in lines)
            raise CannotStart(f"{what}: {', '.join(ended) + ' ended' if ended else 'not in time'}\n{words}")
        time.sleep(0.2)


def start_cluster(folder, daemons):
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    (folder / "slurm.conf").write_text(slurm_conf(folder))
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    key, munge_socket = folder / "munge.key", folder / "munge.socket"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    daemons["munged"] = start(folder, "munged", "--foreground", "--force", f"--key-file={key}",
                              f"--socket={munge_socket}", f"--pid-file={folder}/munge.pid",
                              f"--seed-file={folder}/munge.seed", f"--log-file={folder}/munge.log")
    wait_until("munged", munge_socket.exists, folder, daemons)
    daemons["slurmctld"] = start(folder, "slurmctld", "-D", "-i")
    daemons["slurmd"] = start(folder, "slurmd", "-D", "-N", NODE)
    wait_until("no idle node", lambda: run("sinfo", "-h", "-o", "%T") == (0, "idle\n"), folder, daemons)


@contextlib.contextmanager
def cluster(folder):
    need(*DAEMONS, "sinfo", "squeue", "sbatch", "scancel", "scontrol", "setpriv")
    daemons = {}
    try:
        start_cluster(folder, daemons)
        try:
            yield
        finally:
            run("scancel", "--me")
            wait_for_empty_queue()
    finally:
        for process in reversed(daemons.values()):
            end(process)


def wait_for_queue(what, is_so):
    """Waits until the states of the jobs in the queue are so."""
    end = time.monotonic() + PATIENCE
    while not is_so(run("squeue", "--noheader", "--format=%T")[1].split()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not in time:\n" + run("squeue")[1])
        time.sleep(0.2)


def wait_for_empty_queue():
    wait_for_queue("jobs end", lambda states: not states)


def known_jobs():
    """Every task of every array that Slurm has seen: {"7_1", "7_2"}."""
    return set(run("squeue", "--noheader", "--array", "--states=all", "--format=%i")[1].split())


class Submitted:
    """What a block of code submitted, as tasks (job, index)."""

    def __enter__(self):
        self.before, self.tasks = known_jobs(), []
        return self.tasks

    def __exit__(self, *_):
        self.tasks += sorted(task.split("_") for task in known_jobs() - self.before)


def check_slurm_array(study, reference):
    with Submitted() as tasks:
        code, words = study("--executor", "slurm", "--wait")
    expect("slurm: a study that waits ends with code 0", code == 0, words)
    expect("slurm: its tables are those of the local study", study.tables() == reference)
    expect("slurm: it was one job array of four tasks",
           len({job for job, _ in tasks}) == 1 and [index for _, index in tasks] == ["1", "2", "3", "4"], tasks)
    expect("slurm: two tasks at once", "#SBATCH --array=1-4%2\n" in (study.out / "submit.sbatch").read_text())


def check_slurm_resume(study, reference):
    study.take_tables()
    with Submitted() as tasks:
        code, words = study("--executor", "slurm", "--wait", "--resume")
    expect("slurm: a finished study submits nothing", code == 0 and not tasks, words, tasks)
    expect("slurm: and writes the same tables", study.take_tables() == reference)
    others = [study.summary(f"size_{size}") for size in (20, 15, 8)]
    times = [summary.stat().st_mtime_ns for summary in others]
    study.summary("size_10").unlink()
    with Submitted() as tasks:
        code, words = study("--executor", "slurm", "--wait", "--resume")
    expect("slurm: without the summary of a member, that one is submitted", code == 0 and len(tasks) == 1, words, tasks)
    expect("slurm: and no other runs", times == [summary.stat().st_mtime_ns for summary in others])
    expect("slurm: and the tables are the same again", study.tables() == reference)


def check_slurm_without_waiting(study, reference):
    study.forget()
    run("scontrol", "update", f"NodeName={NODE}", "State=DRAIN", "Reason=test")
    with Submitted() as tasks:
        code, words = study("--executor", "slurm")
    expect("slurm: a study that does not wait submits and ends with code 0", code == 0 and len(tasks) > 0, words)
    with Submitted() as tasks:
        code, words = study("--executor", "slurm", "--resume")
    expect("slurm: while its jobs are in the queue a study is not submitted again",
           code == 2 and "has not ended" in words and not tasks, code, words, tasks)
    run("scontrol", "update", f"NodeName={NODE}", "State=RESUME")
    wait_for_empty_queue()
    code, words = study("--collect")
    expect("slurm: collecting after the jobs' end gives the same tables", code == 0 and study.tables() == reference,
           words)


def check_slurm_failure(study, reference):
    with Submitted() as tasks:
        code, words = study("--executor", "slurm", "--wait")
    expect("slurm: a study with a failed member ends with code 3", code == 3, code, words)
    expect("slurm: all members ran, one failed",
           len(tasks) == 3 and [name for name, is_so in study.finished().items() if not is_so] == [FAILING], words)
    expect("slurm: the tables say so as the local ones do", study.tables() == reference, study.tables(), reference)


def check_slurm_limit(program, source, folder):
    """A job that Slurm stops before its time limit or that is cancelled leaves a checkpoint and can go on."""
    script, out = folder / "limited.sh", folder / "limited"
    settings = [word for setting in (*SETTINGS, "time.end=1e5") for word in ("--set", setting)]
    script.write_text(LIMITED.format(program=program, source=source, out=out, settings=" ".join(settings)))
    steps = []
    for stop in ("its time limit", "scancel"):
        code, words = run("sbatch", script)
        expect(f"slurm: a run is submitted that will end by {stop}", code == 0, words)
        if stop == "scancel":
            wait_for_queue("the job runs", lambda states: states == ["RUNNING"])
            time.sleep(3)
            run("scancel", "--me")
        wait_for_empty_queue()
        summary = json.loads((out / "summary.json").read_text())
        steps.append(summary["steps"])
        expect(f"slurm: {stop} ends it with a checkpoint", summary["exit_reason"] == "terminated", summary)
    expect("slurm: the second job went on where the first had ended", summary["resumed_at"] == steps[0] < steps[1], steps)
    for name in ("limited", "undisturbed"):
        code, words = run(program, "run", source / "cases/sliding_block.toml", "--out", folder / name, "--resume",
                          *settings, "--steps", steps[1] + 1)
        expect(f"slurm: {name} ends with code 0", code == 0, words)
    expect("slurm: the ledger is that of an undisturbed run",
           (out / "energy.csv").read_bytes() == (folder / "undisturbed/energy.csv").read_bytes())


def check_slurm(program, source, folder, sizes, tolerances):
    with cluster(folder):
        reference = local_tables(sizes, 0)
        sizes.forget()
        check_slurm_array(sizes, reference)
        check_slurm_resume(sizes, reference)
        check_slurm_without_waiting(sizes, reference)
        reference = local_tables(tolerances, 3)
        tolerances.forget()
        check_slurm_failure(tolerances, reference)
        check_slurm_limit(program, source, folder)


# --- Snakemake


def snakemake(study, *options):
    """Its exit code, the rules that it ran, and its words."""
    code, words = run("snakemake", "--cores", 2, *options, cwd=study.out)
    return code, sorted(re.findall(r"^rule (\w+):$", words, re.MULTILINE)), words


def check_snakemake_rules(study, reference):
    code, words = study("--executor", "snakemake")
    expect("snakemake: the study writes a Snakefile", code == 0 and (study.out / "Snakefile").exists(), words)
    code, rules, words = snakemake(study)
    expect("snakemake: each member runs, then the collection",
           code == 0 and rules == ["member_1", "member_2", "member_3", "member_4", "study"], words)
    expect("snakemake: the tables are those of the local study", study.tables() == reference)
    code, rules, words = snakemake(study)
    expect("snakemake: a second run does nothing", code == 0 and not rules and "Nothing to be done" in words, words)


def check_snakemake_resume(study, reference):
    study.summary("size_10").unlink()
    code, rules, words = snakemake(study)
    expect("snakemake: without the summary of a member, that one runs and the collection",
           code == 0 and rules == ["member_3", "study"], words)
    expect("snakemake: and the tables are the same again", study.tables() == reference)
    study.summary("size_15").unlink()
    code, words = study("--executor", "snakemake", "--resume", threads=2)
    expect("snakemake: the Snakefile can be written anew", code == 0, words)
    code, rules, words = snakemake(study)
    expect("snakemake: other commands do not repeat finished members", code == 0 and rules == ["member_2", "study"],
           words)
    expect("snakemake: and the tables are the same once more", study.tables() == reference)


def check_snakemake_unmet(study):
    """Of a finished study: what is asked of a quantity now is not so."""
    study.file.write_text(study.file.read_text() + "order = 9\n")
    code, words = study("--collect")
    expect("snakemake: a study that is not as asked ends with code 3", code == 3, code, words)
    reference = study.take_tables()
    study("--executor", "snakemake", "--resume")
    code, rules, words = snakemake(study)
    expect("snakemake: its tables are collected and kept",
           code == 0 and rules == ["study"] and study.tables() == reference, code, words)


def check_snakemake_failure(study, reference):
    study("--executor", "snakemake")
    code, rules, words = snakemake(study, "--keep-going")
    expect("snakemake: with a member that fails it fails", code == 1, code, words)
    expect("snakemake: all members ran, one failed",
           rules == ["member_1", "member_2", "member_3"]
           and [name for name, is_so in study.finished().items() if not is_so] == [FAILING], words)
    expect("snakemake: the tables say so as the local ones do", study.tables() == reference, study.tables(), reference)


def check_snakemake_after_failure(study, reference):
    """The summary of a run that failed is there, and is no reason to take it for finished."""
    expect("snakemake: a failed run leaves a summary", study.summary(FAILING).exists())
    study("--executor", "snakemake", "--resume")
    code, rules, words = snakemake(study, "--keep-going")
    expect("snakemake: what failed elsewhere runs again, and nothing else", code == 1 and rules == ["member_3"], words)
    expect("snakemake: and the tables are still the local ones", study.tables() == reference)


def check_snakemake(sizes, tolerances):
    need("snakemake")
    code, words = run("snakemake", "--version")
    if code != 0:
        raise CannotStart(f"snakemake --version: {words}")
    reference = local_tables(sizes, 0)
    sizes.forget()
    check_snakemake_rules(sizes, reference)
    check_snakemake_resume(sizes, reference)
    check_snakemake_unmet(sizes)
    reference = local_tables(tolerances, 3)
    check_snakemake_after_failure(tolerances, reference)
    tolerances.forget()
    check_snakemake_failure(tolerances, reference)


# --- both


def make_studies(program, source, folder):
    """In folders whose names a shell, Slurm and Snakemake each have something to say about."""
    studies = []
    for name, text in (("sizes of {one} block", SIZES), ("a solver's tolerances", TOLERANCES)):
        place = folder / name
        place.mkdir(parents=True)
        studies.append(StudyRun(program, place, name, text.format(source=source)))
    return studies


def main(program, source, *executors):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    program, source, reasons = Path(program).resolve(), Path(source).resolve(), []
    with tempfile.TemporaryDirectory(prefix="slipwave_") as root:
        os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = root
        for executor in executors or ("slurm", "snakemake"):
            folder = Path(root, executor)
            studies = make_studies(program, source, folder)
            try:
                if executor == "slurm":
                    check_slurm(program, source, folder / "cluster", *studies)
                else:
                    check_snakemake(*studies)
            except CannotStart as reason:
                reasons.append(f"skipped: {executor}: {reason}")
    for reason in reasons:
        print(reason)
    return SKIPPED if reasons else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except AssertionError as failure:
        sys.exit(str(failure))
