#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Overlays in the window, also those that compare. usage: overlays_test.py WARPSCOPE TEST"""
import sys
import time

from explorer import (BAR, HOME, PANEL, WINDOW, check, check_near, check_no_errors,
                      check_view, in_window, run_named)

LINE = (PANEL + WINDOW[0]) // 2  # where the split screen's line stands at first
MARK = (255, 0, 255)  # about the colour of pixels that differ
PIXELS = WINDOW[0] * WINDOW[1]


def marks(picture):
    """How many of the pixels right of the panel and above the legend are marked."""
    colours = picture.colours(PANEL, BAR, WINDOW[0], WINDOW[1] // 2, step=1)
    return sum(count for colour, count in colours.items()
               if all(abs(a - b) < 25 for a, b in zip(colour, MARK)))


def has_line(picture, x):
    """Whether the white line stands in column x, above the middle where its grip is."""
    column = [picture.at(x, y) for y in range(BAR + 60, WINDOW[1] // 2 - 40, 4)]
    return all(min(colour) > 235 for colour in column)


def o_lays_the_next_view_over_the_picture(explorer):
    before = explorer.look()
    explorer.press('o')
    counts = explorer.look()
    check(counts.differing(before, PANEL, BAR, *WINDOW) > 0.5, 'no heat map')
    explorer.press('o', 'o')
    explorer.wait_for(
        lambda: explorer.look().differing(counts, PANEL, BAR, *WINDOW) > 0.5, 'recorded tiles')
    report = explorer.quit()
    check(report['overlay'] == 'who', report['overlay'])
    check_no_errors(report)


def the_x_ray_marks_and_counts_what_differs(explorer):
    explorer.wait_for(lambda: marks(explorer.look()) > 20, 'marked pixels')
    report = explorer.quit()
    pair = report['pair']
    check((pair['first'], pair['second']) == ('float', 'double'), pair)
    check(pair['pixels'] == PIXELS and 20 < pair['differing'] < PIXELS // 4, pair)
    check_view(report, **HOME)
    check_no_errors(report)


def the_x_ray_follows_the_view(explorer):
    explorer.wait_for(lambda: marks(explorer.look()) > 20, 'marked pixels')
    explorer.move_to(520, 220)
    explorer.wheel(3)
    explorer.wait_for(lambda: marks(explorer.look()) > 20, 'marks of the new view')
    explorer.press('p', 'Right')  # paused: nothing is computed for where it goes now
    check(marks(explorer.look()) == 0, 'marks of a view that is not compared')
    report = explorer.quit()
    check('differing' not in report['pair'], report['pair'])
    check_no_errors(report)


def the_x_ray_goes_when_it_is_switched_off(explorer):
    explorer.wait_for(lambda: marks(explorer.look()) > 20, 'marked pixels')
    explorer.press('o', 'o')  # past the split screen
    explorer.settle()
    check(marks(explorer.look()) < 20, 'the marks stay')
    report = explorer.quit()
    check(report['overlay'] == 'none' and report['pair'] is None, report['overlay'])
    check_no_errors(report)


def both_sides_of_the_split_run_and_agree(explorer):
    explorer.wait_for(lambda: has_line(explorer.look(), LINE), 'the line in the middle')
    explorer.settle(3)
    report = explorer.quit()
    pair = report['pair']
    check(pair['first'] != pair['second'], pair)
    check(pair['pixels'] == PIXELS and pair['differing'] == 0, pair)
    check_no_errors(report)


def the_line_is_dragged_and_the_view_stays(explorer):
    explorer.wait_for(lambda: has_line(explorer.look(), LINE), 'the line in the middle')
    explorer.drag((LINE, 200), (520, 300))
    check(has_line(explorer.look(), 520), 'the line is not under the mouse')
    explorer.drag((520, 200), (100, 200))
    report = explorer.quit()
    split = report['pair']['split'] * WINDOW[0]
    check(PANEL < split < PANEL + 60, 'it went under the panel:', split)
    check(report['pair'].get('differing') == 0, report['pair'])
    check_view(report, **HOME)
    check_no_errors(report)


def beside_the_line_the_mouse_pans(explorer):
    explorer.wait_for(lambda: has_line(explorer.look(), LINE), 'the line in the middle')
    explorer.drag((LINE + 60, 200), (LINE - 40, 200))
    report = explorer.quit()
    check_near(report['pair']['split'], LINE / WINDOW[0], 1e-3, 'the line')
    check(float(report['view']['re']) > HOME['re'] + 0.1, 'nothing moved')


def the_window_may_be_resized_while_the_line_is_held(explorer):
    explorer.wait_for(lambda: has_line(explorer.look(), LINE), 'the line in the middle')
    explorer.move_to(LINE, 200)
    explorer.do('mousedown', 1)
    time.sleep(0.4)
    explorer.do('mousemove', 560, 220)
    time.sleep(0.4)
    for size in ((1300, 800), (700, 500), (1200, 700)):
        explorer.do('windowsize', explorer.window, *size)
        explorer.settle(1)
    explorer.do('mousemove', 840, 240)
    explorer.settle(1)
    explorer.do('mouseup', 1)
    explorer.settle(2)
    report = explorer.quit()
    check_near(report['pair']['split'] * 1200, 840, 2, 'the line')
    check(report['pair'].get('differing') == 0, report['pair'])
    check(report['pair'].get('pixels') == 1200 * 700, report['pair'])
    check_view(report, **HOME)
    check_no_errors(report)


def the_split_goes_when_it_is_switched_off(explorer):
    explorer.wait_for(lambda: has_line(explorer.look(), LINE), 'the line in the middle')
    explorer.press('o')
    check(not has_line(explorer.look(), LINE), 'the line stays')
    explorer.drag((LINE, 200), (LINE - 100, 200))
    report = explorer.quit()
    check(report['overlay'] == 'none' and report['pair'] is None, report['overlay'])
    check(float(report['view']['re']) > HOME['re'] + 0.1, 'something still takes the mouse')
    check_no_errors(report)


XRAY_TESTS = [
    the_x_ray_marks_and_counts_what_differs, the_x_ray_follows_the_view,
    the_x_ray_goes_when_it_is_switched_off,
]
SPLIT_TESTS = [
    both_sides_of_the_split_run_and_agree, the_line_is_dragged_and_the_view_stays,
    beside_the_line_the_mouse_pans, the_window_may_be_resized_while_the_line_is_held,
    the_split_goes_when_it_is_switched_off,
]
TESTS = {o_lays_the_next_view_over_the_picture.__name__:
         in_window(o_lays_the_next_view_over_the_picture)}
TESTS.update({test.__name__: in_window(test, '--overlay', 'xray') for test in XRAY_TESTS})
TESTS.update({test.__name__: in_window(test, '--overlay', 'split') for test in SPLIT_TESTS})

if __name__ == '__main__':
    sys.exit(run_named(TESTS, sys.argv[1:]))
