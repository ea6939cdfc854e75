"""The same table from threads, shards and MPI; a killed MPI job goes on. Slurm's recipe against a stand-in for sbatch."""
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
BLOCK = """
[run]
duration = {duration}
step = 1e-3
[[body]]
name = "block"
kind = "mass"
mass = 1
[[element]]
name = "floor"
between = ["block", "ground"]
law = "single_state"
F = 0.5
K = 1e6
beta = 2e-3
[[input]]
on = "block"
force = "0.5*min(1, 5*t)"
"""
MAP = """
scene = "block.toml"
samples = 6
seed = 3
[vary]
"floor.F" = { from = 0.3, to = 0.7, count = 10 }
"block.mass" = { normal = 1, sd = 0.1, low = 0.5 }
[measure]
end = "last(block.position)"
slips = "count(floor.slips)"
"""
FILES = ("table.csv", "report.html", "study.toml", "scene.toml")


@pytest.fixture
def place(tmp_path):
    (tmp_path / "block.toml").write_text(BLOCK.replace("{duration}", "0.3"))
    (tmp_path / "map.toml").write_text(MAP)
    return tmp_path


def study(program, place, *words, before=(), code=0, **options):
    done = subprocess.run([*before, program, "study", *words], cwd=place, capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture
def mpirun(program):
    """On this machine alone; it may be run by root, in a container."""
    if shutil.which("mpirun") is None or not (Path(program).parent / "asperity_mpi.so").exists():
        pytest.skip("MPI is missing: tools/install-deps cluster, and build again")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl="self,vader", OMPI_MCA_plm="isolated",
                      OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
    return ["mpirun", "-n", "3"]


def test_threads_and_shards(program, place):
    study(program, place, "map.toml", "-o", "one", "--threads", "1", "--quiet")
    study(program, place, "map.toml", "-o", "two", "--threads", "2", "--quiet")
    assert contents(place / "one") == contents(place / "two")
    for n in (1, 5):
        for i in range(n):
            study(program, place, "map.toml", "-o", f"shards{n}", "--shard", f"{i + 1}/{n}", "--quiet")
        if n > 1:
            study(program, place, "--merge", f"shards{n}", "--quiet")
        assert contents(place / f"shards{n}") == contents(place / "one")


def test_ranks_of_mpi(program, place, mpirun):
    study(program, place, "map.toml", "-o", "one", "--quiet")
    told = study(program, place, "map.toml", "-o", "mpi", "--mpi", before=mpirun)
    assert contents(place / "mpi") == contents(place / "one") and not (place / "mpi/chunks").exists()
    assert told.stdout.count("60 points in") == 1 and "60 fine" in told.stdout and "on 3 threads of MPI ranks" in told.stderr
    # finished: nothing to do; and everything that is wrong is said once
    assert study(program, place, "map.toml", "-o", "mpi", "--mpi", before=mpirun).stderr.count("nothing to continue") == 1
    wrong = subprocess.run([*mpirun, program, "study", "map.toml", "-o", "x", "--mpi", "--set", "flor.F=1"], cwd=place, capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2 and wrong.stderr.count("there is no flor") == 1 and not (place / "x").exists()


def test_a_killed_mpi_job_goes_on(program, place, mpirun):
    (place / "block.toml").write_text(BLOCK.replace("{duration}", "4"))
    study(program, place, "map.toml", "-o", "whole", "--quiet")
    job = subprocess.Popen([*mpirun, program, "study", "map.toml", "-o", "part", "--mpi", "--quiet"], cwd=place, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, start_new_session=True)
    chunks, until = place / "part/chunks", time.monotonic() + 60
    while (not chunks.exists() or len(list(chunks.iterdir())) < 5) and time.monotonic() < until and job.poll() is None:
        time.sleep(0.005)
    ranks = [int(pid) for pid in subprocess.run(["ps", "-o", "pid=", "--ppid", str(job.pid)], capture_output=True, text=True).stdout.split()]
    assert ranks and job.poll() is None
    os.kill(ranks[-1], signal.SIGKILL)  # one rank: the job ends
    assert job.wait(60) != 0
    assert chunks.exists() and not (place / "part/table.csv").exists()
    study(program, place, "--resume", "part", "--mpi", "--quiet", before=mpirun)
    assert contents(place / "part") == contents(place / "whole")


def test_the_recipe_for_slurm(program, place):
    """tools/study-slurm with a stand-in for sbatch that runs the tasks at once, one after the other."""
    (place / "bin").mkdir()
    (place / "bin/sbatch").write_text("""#!/bin/sh
echo "$*" >>sbatch.log
range=1
for word in "$@"; do
  case $word in --array=*) range=$(echo "$word" | sed 's/.*-//') ;; esac
  last=$word
done
for i in $(seq "$range"); do SLURM_ARRAY_TASK_ID=$i sh -c "$last" >>sbatch.out 2>&1 || exit 1; done
echo 17
""")
    (place / "bin/sbatch").chmod(0o755)
    environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "ASPERITY": program}
    done = subprocess.run([TOP / "tools/study-slurm", "map.toml", "slurm", "3"], cwd=place, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "array 17, then merge 17\n", done.stdout + done.stderr
    study(program, place, "map.toml", "-o", "one", "--quiet")
    assert contents(place / "slurm") == contents(place / "one")
    assert "--dependency=afterok:17" in (place / "sbatch.log").read_text()
