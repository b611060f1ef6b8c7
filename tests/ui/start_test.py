#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a window starts with and leaves behind, under Xvfb. usage: start_test.py WARPSCOPE TEST"""
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


TESTS = {test.__name__: test for test in [
    a_saved_picture_opens_its_place, drawing_in_software_says_so, starts_without_a_gpu,
    settings_last, the_command_line_holds_for_one_run, settings_survive_a_signal,
    damaged_settings_are_set_aside, a_window_runs_the_frames_asked_for]}

if __name__ == '__main__':
    sys.exit(run_named(TESTS, sys.argv[1:]))
