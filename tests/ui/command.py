# SPDX-License-Identifier: MIT
"""What the command line's tests share: the program in a folder of its own."""
import json
import os
import subprocess

from explorer import check

CPU_RUNGS = ['cpu-scalar', 'cpu-simd', 'cpu-threads', 'cpu']
QUICK_BENCH = ['bench', '--quick', '--size', '32x18', '--backends', 'cpu-scalar', '--views', 'home',
               '--types', 'float', '--kernels', 'naive', '--keep-throttled']


class Command:
    """The program in a folder of its own."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def __call__(self, *arguments, environment=None):
        env = dict(os.environ, XDG_CONFIG_HOME=self.folder + '/config')
        env.pop('WARPSCOPE_BACKEND', None)
        env.update(environment or {})
        return subprocess.run([self.binary, *(str(a) for a in arguments)], cwd=self.folder, env=env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250)

    def good(self, *arguments, **more):
        done = self(*arguments, **more)
        check(done.returncode == 0, arguments, 'exit', done.returncode, done.stderr)
        return done.stdout

    def json(self, *arguments, **more):
        return json.loads(self.good(*arguments, '--json', **more))

    def bad(self, code, *arguments, says=(), **more):
        """Fails as the issue demands: this code, one line on stderr, no file left behind."""
        before = sorted(os.listdir(self.folder))
        done = self(*arguments, **more)
        check(done.returncode == code, arguments, 'exit', done.returncode, 'not', code, done.stderr)
        check(done.stdout == '', arguments, 'printed', done.stdout[:200])
        lines = done.stderr.splitlines()
        check(len(lines) == 1 and len(lines[0]) > 15, arguments, 'said', done.stderr)
        for word in says:
            check(word in lines[0], arguments, 'does not name', repr(word), 'in', lines[0])
        check(sorted(os.listdir(self.folder)) == before, arguments, 'left', os.listdir(self.folder))

    def path(self, name):
        return os.path.join(self.folder, name)


def with_command(test):
    return lambda binary, folder: test(Command(binary, folder))
