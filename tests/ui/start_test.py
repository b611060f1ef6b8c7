#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a window starts with and leaves behind, under Xvfb. usage: start_test.py WARPSCOPE TEST"""
import contextlib
import glob
import os
import sys

from explorer import (HOME, WINDOW, Explorer, check, check_view, display, is_fractal,
                      read_picture, run_named)


def drawing_in_software_says_so(binary, folder):
    with display() as screen, Explorer(binary, screen, folder,
                                       environment={'LIBGL_ALWAYS_SOFTWARE': '1'}) as explorer:
        report = explorer.quit()
    check('llvmpipe' in report['gl']['renderer'] or 'softpipe' in report['gl']['renderer'],
          report['gl'])
    check(report['interop']['active'] is False, report['interop'])
    check('llvmpipe' in report['interop']['reason'] or 'CUDA' in report['interop']['reason'],
          report['interop'])


def starts_without_a_gpu(binary, folder):
    with display() as screen, Explorer(binary, screen, folder,
                                       environment={'CUDA_VISIBLE_DEVICES': ''}) as explorer:
        explorer.press('space')
        report = explorer.quit()
    check(report['backend'].startswith('cpu'), report['backend'])
    check(report['interop']['reason'], 'no reason')


def settings_last(binary, folder):
    with display() as screen:
        with Explorer(binary, screen, folder) as explorer:
            explorer.press('l')
            explorer.quit()
        with Explorer(binary, screen, folder) as explorer:
            check(explorer.quit()['pace'] == 'economy', 'the pace was forgotten')


def the_command_line_holds_for_one_run(binary, folder):
    with display() as screen:
        with Explorer(binary, screen, folder, ['--kernel', 'naive', '--block', '7x3', '--backend',
                                               'cpu-simd']) as explorer:
            explorer.press('l')
            report = explorer.quit()
            check((report['kernel'], report['block']) == ('naive', [7, 3]), report['kernel'])
        with open(explorer.config + '/settings.toml') as file:
            kept = file.read()
    for word in ('economy', 'refill', 'auto'):
        check(word in kept, 'no', word, 'in', kept)
    check('block_x = 7' not in kept, kept)


def settings_survive_a_signal(binary, folder):
    with display() as screen:
        with Explorer(binary, screen, folder) as explorer:
            explorer.press('l')
            explorer.process.terminate()
            check(explorer.process.wait(30) == 0, 'exit status', explorer.process.returncode)
        with Explorer(binary, screen, folder) as explorer:
            check(explorer.quit()['pace'] == 'economy', 'the pace was forgotten')


def damaged_settings_are_set_aside(binary, folder):
    config = os.path.join(folder, 'config', 'warpscope')
    os.makedirs(config)
    damage = '[settings\nwheel_factor = = 3\n'
    with open(config + '/settings.toml', 'w') as file:
        file.write(damage)
    with display() as screen, Explorer(binary, screen, folder) as explorer:
        report = explorer.quit()
    check_view(report, **HOME)
    aside = glob.glob(config + '/settings.toml.damaged-*')
    check(len(aside) == 1, 'not set aside:', os.listdir(config))
    with open(aside[0]) as file:
        check(file.read() == damage, 'what was set aside has changed')


def a_window_runs_the_frames_asked_for(binary, folder):
    with display() as screen:
        with Explorer(binary, screen, folder,
                      ['--frames', '60', '--screenshot', 'last.png']) as explorer:
            check(explorer.process.wait(120) == 0, explorer.said())
    picture = read_picture(folder + '/last.png')
    check((picture.width, picture.height) == WINDOW, picture.width, picture.height)
    check(is_fractal(picture), 'the screenshot is blank')


def a_saved_picture_opens_its_place(binary, folder):
    with display() as screen:
        with Explorer(binary, screen, folder) as explorer:
            explorer.press('plus', 'Left')
            explorer.press('s')
            explorer.wait_for(lambda: glob.glob(folder + '/warpscope-*.png'), 'the PNG', 15)
            explorer.settle(0.5)
            first = explorer.quit()
        with Explorer(binary, screen, folder, glob.glob(folder + '/warpscope-*.png')) as explorer:
            second = explorer.quit()
    check(first['view'] == second['view'], first['view'], second['view'])


def pictures_in(folder):
    return glob.glob(folder + '/warpscope-*.png')


@contextlib.contextmanager
def slow_picture(binary, folder):
    """An explorer at work for hours; of it a sketch is seen soon."""
    with open(folder + '/slow.toml', 'w') as file:
        file.write('re = "-0.75"\nim = "0"\nzoom = "1.5"\nmax_iter = 100000000\n')
    with display() as screen, Explorer(binary, screen, folder, ['--kernel', 'naive', '--backend', 'cpu',
                                                                'slow.toml']) as explorer:
        explorer.press('s')
        explorer.settle(0.5)
        check(pictures_in(folder) == [], 'it is complete already')
        yield explorer


def check_saved(folder):
    picture = read_picture(pictures_in(folder)[0])
    check((picture.width, picture.height) == WINDOW, picture.width, picture.height)
    check(is_fractal(picture, left=0, top=0, bottom=picture.height), 'the PNG is blank')


def a_second_s_saves_what_is_seen(binary, folder):
    with slow_picture(binary, folder) as explorer:
        explorer.press('s')
        explorer.wait_for(lambda: pictures_in(folder), 'the PNG', 15)
        explorer.settle(0.5)
        explorer.quit()
    check(len(pictures_in(folder)) == 1, pictures_in(folder))
    check_saved(folder)


def quitting_saves_the_picture_that_waits(binary, folder):
    with slow_picture(binary, folder) as explorer:
        explorer.quit()
        check('saved' in explorer.said() and 'not complete' in explorer.said(), explorer.said())
    check_saved(folder)


def settings_that_have_no_place_are_said_at_the_start(binary, folder):
    """A toast lies over the lower right corner, and no hint over the middle."""
    with display() as screen, Explorer(binary, screen, folder) as explorer:
        hint = explorer.look()
        explorer.quit()
    with open(folder + '/no-folder', 'w'), display() as screen, \
            Explorer(binary, screen, folder,
                     environment={'XDG_CONFIG_HOME': folder + '/no-folder'}) as explorer:
        toast = explorer.look()
        explorer.press('l')
        explorer.quit()
        check('no folder' in explorer.said(), explorer.said())
    corner = (WINDOW[0] - 300, WINDOW[1] - 90, WINDOW[0] - 30, WINDOW[1] - 50)
    check(toast.differing(hint, *corner, step=1) > 0.5, 'there is no toast')


TESTS = {test.__name__: test for test in [
    a_second_s_saves_what_is_seen, quitting_saves_the_picture_that_waits,
    settings_that_have_no_place_are_said_at_the_start,
    a_saved_picture_opens_its_place, drawing_in_software_says_so, starts_without_a_gpu,
    settings_last, the_command_line_holds_for_one_run, settings_survive_a_signal,
    damaged_settings_are_set_aside, a_window_runs_the_frames_asked_for]}

if __name__ == '__main__':
    sys.exit(run_named(TESTS, sys.argv[1:]))
