# SPDX-License-Identifier: MIT
"""What the window's tests share: a display of their own, the explorer on it, hands and eyes.

Hands are xdotool, eyes are ImageMagick's import. What the program knew at the end is its --report.
"""
import collections
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

SKIP = 77  # as CMake's SKIP_RETURN_CODE says
SCREEN = (1600, 1000)
WINDOW = (960, 600)
BAR, STATUS, PANEL = 40, 26, 360  # pixels at scale 1, as in app/panels/widgets.h


class Skip(Exception):
    """Something that the test needs is not on this machine."""


def check(truth, *what):
    if not truth:
        raise AssertionError(' '.join(str(part) for part in what))


def check_near(got, want, tolerance, what):
    check(abs(got - want) <= tolerance, what, 'is', repr(got), 'instead of', repr(want))


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skip('%s is not installed' % program)


class Picture:
    """RGB pixels; `at(x, y)` counts from the upper left corner."""

    def __init__(self, ppm):
        fields = ppm.split(None, 4)[:4]
        check(fields[0] == b'P6' and fields[3] == b'255', 'not an 8-bit PPM:', ppm[:20])
        self.width, self.height = int(fields[1]), int(fields[2])
        self.data = ppm[-3 * self.width * self.height:]

    def at(self, x, y):
        start = 3 * (y * self.width + x)
        return tuple(self.data[start:start + 3])

    def colours(self, left=0, top=0, right=None, bottom=None, step=4):
        """How often each colour appears in a rectangle, every `step` pixels."""
        return collections.Counter(
            self.at(x, y) for y in range(top, bottom or self.height, step)
            for x in range(left, right or self.width, step))

    def differing(self, other, left=0, top=0, right=None, bottom=None, step=4):
        """The share of pixels in a rectangle that are not the same, 0 to 1."""
        points = [(x, y) for y in range(top, bottom or self.height, step)
                  for x in range(left, right or self.width, step)]
        return sum(self.at(*point) != other.at(*point) for point in points) / len(points)


def read_picture(path):
    """A picture file as Picture."""
    done = subprocess.run(['convert', path, '-depth', '8', '-alpha', 'off', 'ppm:-'],
                          capture_output=True, check=True)
    return Picture(done.stdout)


def is_fractal(picture, left=PANEL, top=BAR, right=None, bottom=None):
    """Whether a rectangle shows more than a fill: many colours, none nearly everywhere."""
    colours = picture.colours(left, top, right, bottom or picture.height - STATUS)
    return len(colours) > 60 and max(colours.values()) < 0.9 * sum(colours.values())


@contextlib.contextmanager
def display():
    """The name of a fresh X display."""
    need('Xvfb', 'xdotool', 'import', 'convert')
    read, write = os.pipe()
    server = subprocess.Popen(
        ['Xvfb', '-displayfd', str(write), '-screen', '0', '%dx%dx24' % SCREEN, '+extension', 'GLX',
         '-nolisten', 'tcp', '-noreset'], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        check(number, 'Xvfb did not start')
        yield ':' + number
    finally:
        server.terminate()
        server.wait()


class Explorer:
    """A running explorer window. Use as a context manager; `quit()` returns its report."""

    def __init__(self, binary, screen, folder, arguments=(), environment=None):
        self.folder, self.screen = folder, screen
        self.report_path = os.path.join(folder, 'report.json')
        self.config = os.path.join(folder, 'config', 'warpscope')
        self.environment = dict(os.environ, DISPLAY=screen, XDG_CONFIG_HOME=folder + '/config',
                                XDG_CACHE_HOME=folder + '/cache')
        self.environment.pop('WAYLAND_DISPLAY', None)
        self.environment.update(environment or {})
        self.errors = open(os.path.join(folder, 'stderr.txt'), 'w+')
        self.process = subprocess.Popen(
            [binary, '--size', '%dx%d' % WINDOW, '--report', self.report_path, *arguments],
            cwd=folder, env=self.environment, stderr=self.errors)

    def __enter__(self):
        self.window = self.wait_for(self.find_window, 'the window')
        # No window manager runs here: place and focus are given by hand.
        self.do('windowmove', self.window, '0', '0', 'windowfocus', self.window)
        self.wait_for(lambda: is_fractal(self.look(), right=self.size()[0],
                                         bottom=self.size()[1] - STATUS), 'a fractal')
        self.move_to(*self.middle())
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None and self.process.poll() is None:
            self.keep_screenshot()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.errors.close()

    def keep_screenshot(self):
        """The last sight of a failing test stays beside the build."""
        with open('failed-%s.ppm' % os.path.basename(self.folder), 'wb') as file:
            file.write(self.shoot())

    def cpu_seconds(self):
        """What the program has used of the processors so far, all threads together."""
        with open('/proc/%d/stat' % self.process.pid) as file:
            fields = file.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def wait_for(self, ready, what, seconds=40):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            check(self.process.poll() is None, 'the program ended early:', self.said())
            found = ready()
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError('waited %d s in vain for %s' % (seconds, what))

    def find_window(self):
        done = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '^Warpscope'],
                              env=self.environment, capture_output=True, text=True)
        return done.stdout.split()[0] if done.stdout.split() else None

    def do(self, *words):
        done = subprocess.run(['xdotool', *(str(word) for word in words)], env=self.environment,
                              capture_output=True, text=True)
        check(done.returncode == 0, 'xdotool', words, done.stderr)
        return done.stdout

    def size(self):
        words = self.do('getwindowgeometry', '--shell', self.window).split()
        values = dict(word.split('=', 1) for word in words)
        return int(values['WIDTH']), int(values['HEIGHT'])

    def middle(self):
        """The middle of what no panel covers."""
        width, height = self.size()
        return (PANEL + width) // 2, height // 2

    def settle(self, seconds=1.2):
        """Long enough for a glide to end and for a gesture to become one entry of the history."""
        time.sleep(seconds)

    def move_to(self, x, y):
        self.do('mousemove', x, y)
        time.sleep(0.25)

    def press(self, *keys):
        for key in keys:
            self.do('key', '--delay', '60', key)
        self.settle()

    def hold(self, key):
        """A key for Dear ImGui, whose older versions miss what is shorter than a slow frame."""
        self.do('keydown', key)
        time.sleep(0.3)
        self.do('keyup', key)
        self.settle(0.5)

    def click(self, x, y, button=1):
        self.move_to(x, y)
        self.do('mousedown', button)
        time.sleep(0.15)
        self.do('mouseup', button)
        time.sleep(0.3)

    def double_click(self, x, y):
        """Twice, slowly enough for a software renderer's frames; again where it was too slow to
        count as one gesture (0.3 s) and the picture stayed as it was."""
        for _ in range(4):
            before = self.look()
            self.move_to(x, y)
            self.do('click', '--repeat', 2, '--delay', 180, 1)
            self.settle(1.6)
            if self.look().differing(before, PANEL, BAR, *WINDOW) > 0.2:
                return

    def wheel(self, notches):
        for _ in range(abs(notches)):
            self.do('click', 4 if notches > 0 else 5)
            time.sleep(0.05)
        self.settle()

    def drag(self, start, end, button=1):
        self.move_to(*start)
        self.do('mousedown', button)
        time.sleep(0.25)
        for step in range(1, 9):
            self.do('mousemove', *(round(a + (b - a) * step / 8) for a, b in zip(start, end)))
            time.sleep(0.04)
        time.sleep(0.25)
        self.do('mouseup', button)
        self.settle()

    def shoot(self):
        return subprocess.run(['import', '-window', 'root', '-depth', '8', 'ppm:-'],
                              env=self.environment, capture_output=True, check=True).stdout

    def look(self):
        return Picture(self.shoot())

    def quit(self):
        """Closes the window as a user does and returns the report. The picture must have been a
        fractal to the end."""
        width, height = self.size()
        check(is_fractal(self.look(), right=width, bottom=height - STATUS), 'the window is blank')
        self.do('key', 'ctrl+q')
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            raise AssertionError('the program did not end on Ctrl Q') from None
        check(status == 0, 'exit status', status, self.said())
        with open(self.report_path) as file:
            return json.load(file)


def point_under(report, x, y):
    """The point of the plane under a cursor position, from the report's view."""
    view = report['view']
    spacing = 4 / (float(view['zoom']) * view['height'])
    return (float(view['re']) + (x - view['width'] / 2) * spacing,
            float(view['im']) + (view['height'] / 2 - y) * spacing)


HOME = {'re': -0.75, 'im': 0, 'zoom': 1.5}  # the first view


def check_view(report, tolerance=1e-9, **wanted):
    for key, value in wanted.items():
        check_near(float(report['view'][key]), value, tolerance, key)


def in_window(test, *arguments):
    """Makes a test of (explorer) one of (binary, folder)."""
    def run(binary, folder):
        with display() as screen, Explorer(binary, screen, folder, arguments) as explorer:
            test(explorer)
    return run


def check_no_errors(report):
    check(report['errors'] == [], 'errors were shown:', report['errors'])


def run_named(tests, arguments):
    """main() of a test script: SCRIPT BINARY TEST, or SCRIPT --list. Exit status 0, 1, or 77 when
    the test was skipped."""
    if arguments == ['--list']:
        print('\n'.join(tests))
        return 0
    if len(arguments) != 2 or arguments[1] not in tests:
        sys.exit('usage: SCRIPT WARPSCOPE TEST; tests: ' + ' '.join(sorted(tests)))
    binary, name = os.path.abspath(arguments[0]), arguments[1]
    with tempfile.TemporaryDirectory(prefix=name + '-') as folder:
        try:
            tests[name](binary, folder)
        except Skip as reason:
            print('skipped: %s' % reason)
            return SKIP
        except AssertionError as failure:
            print('%s: %s' % (name, failure), file=sys.stderr)
            return 1
    return 0
