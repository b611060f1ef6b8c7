#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The window itself, under Xvfb, moved by xdotool. usage: window_test.py WARPSCOPE TEST"""
import glob
import sys

from explorer import (BAR, HOME, PANEL, SCREEN, STATUS, WINDOW, check, check_near, check_no_errors,
                      check_view, in_window, is_fractal, point_under, read_picture, run_named)


# A report comes at the end only: what the view was before a gesture is the known home view.
HOME_REPORT = {'view': dict(HOME, width=WINDOW[0], height=WINDOW[1])}


def opens_the_home_view(explorer):
    report = explorer.quit()
    check_view(report, **HOME)
    check(report['view']['formula'] == 'mandelbrot', report['view'])
    check((report['view']['width'], report['view']['height']) == WINDOW, report['view'])
    check(report['frames'] > 2 and report['frame_ms']['median'] > 0, report['frame_ms'])
    check(report['interop']['reason'], 'the verdict has no reason')
    check_no_errors(report)


def wheel_zooms_at_the_cursor(explorer):
    cursor = (700, 190)
    explorer.move_to(*cursor)
    before = explorer.look()
    explorer.wheel(4)
    check(explorer.look().differing(before, PANEL, BAR, *WINDOW) > 0.2, 'nothing moved')
    report = explorer.quit()
    check_view(report, zoom=1.5 * 1.25 ** 4, tolerance=1e-6)
    for got, want in zip(point_under(report, *cursor), point_under(HOME_REPORT, *cursor)):
        check_near(got, want, 1e-9, 'the point under the cursor')


def wheel_back_zooms_out_at_the_cursor(explorer):
    cursor = (500, 430)
    explorer.move_to(*cursor)
    explorer.wheel(-2)
    report = explorer.quit()
    check_view(report, zoom=1.5 / 1.25 ** 2, tolerance=1e-6)
    for got, want in zip(point_under(report, *cursor), point_under(HOME_REPORT, *cursor)):
        check_near(got, want, 1e-9, 'the point under the cursor')


def wheel_over_the_panel_leaves_the_view(explorer):
    explorer.move_to(PANEL // 2, 300)
    explorer.wheel(3)
    check_view(explorer.quit(), **HOME)


def drag_pans_by_the_pixels(explorer):
    start, end = (600, 250), (757, 181)
    explorer.drag(start, end)
    report = explorer.quit()
    for got, want in zip(point_under(report, *end), point_under(HOME_REPORT, *start)):
        check_near(got, want, 1e-9, 'the point that was dragged')
    check_view(report, zoom=1.5)


def double_click_centres_and_zooms(explorer):
    cursor = (720, 260)
    explorer.double_click(*cursor)
    report = explorer.quit()
    re, im = point_under(HOME_REPORT, *cursor)
    check_view(report, zoom=3, re=re, im=im, tolerance=1e-6)


def arrows_move_by_a_tenth_of_the_height(explorer):
    explorer.press('Right', 'Right', 'Up')
    step = 0.1 * 4 / 1.5
    check_view(explorer.quit(), re=-0.75 + 2 * step, im=step, zoom=1.5)


def plus_and_minus_zoom_at_the_middle(explorer):
    explorer.press('plus', 'equal', 'minus')
    check_view(explorer.quit(), re=-0.75, im=0, zoom=1.5 * 1.25 ** 2, tolerance=1e-6)


def home_shows_the_whole_set(explorer):
    explorer.move_to(800, 200)
    explorer.wheel(5)
    explorer.press('Left', 'Home')
    check_view(explorer.quit(), **HOME)


def undo_and_redo_views(explorer):
    explorer.press('plus')
    explorer.press('plus')
    explorer.press('ctrl+z', 'ctrl+z', 'ctrl+y')
    check_view(explorer.quit(), zoom=1.5 * 1.25 ** 2, tolerance=1e-6)


def mouse_back_undoes(explorer):
    explorer.press('plus')
    explorer.do('click', 8)
    explorer.settle()
    check_view(explorer.quit(), **HOME)


def space_switches_the_backend(explorer):
    explorer.press('space')
    explorer.settle()
    report = explorer.quit()
    if report['backend'] == 'cuda':
        raise AssertionError('Space left the GPU at work: it was chosen at the start')
    # From cuda to the CPU; or, where there is no GPU, the CPU goes on.
    check(report['backend'].startswith('cpu'), report['backend'])


def p_pauses(explorer):
    explorer.press('p')
    check(explorer.quit()['paused'] is True, 'not paused')


def p_twice_goes_on(explorer):
    explorer.press('p', 'p')
    check(explorer.quit()['paused'] is False, 'still paused')


def l_switches_to_economy(explorer):
    explorer.press('l')
    check(explorer.quit()['pace'] == 'economy', 'the pace is still live')


def rests_smoothly(explorer):
    explorer.settle(2)
    check(explorer.quit()['samples'] > 1, 'no sample was added while the view rested')


def a_switches_antialiasing_off(explorer):
    explorer.press('a')
    report = explorer.quit()
    check((report['antialias'], report['samples']) == (False, 1), report['samples'])


def economy_at_rest_costs_nothing(explorer):
    explorer.press('a', 'l')
    explorer.settle(11)  # until the first hint has faded
    before = explorer.cpu_seconds()
    explorer.settle(4)
    share = (explorer.cpu_seconds() - before) / 4
    check(share < 0.02, '%.1f %% of a core' % (100 * share))


def h_hides_the_panels(explorer):
    before = explorer.look()
    explorer.press('h')
    after = explorer.look()
    check(after.differing(before, 0, 0, PANEL, WINDOW[1]) > 0.3, 'the panel is still there')
    check(is_fractal(after, left=0, top=0, right=WINDOW[0], bottom=WINDOW[1]), 'no fractal below')
    check(explorer.quit()['panels_hidden'] is True, 'not hidden')


def escape_brings_the_panels_back(explorer):
    explorer.press('h', 'Escape')
    check(explorer.quit()['panels_hidden'] is False, 'still hidden')


def question_mark_lists_the_keys(explorer):
    before = explorer.look()
    explorer.press('question')
    open_list = explorer.look()
    box = (WINDOW[0] // 2 - 60, WINDOW[1] // 2 - 60, WINDOW[0] // 2 + 60, WINDOW[1] // 2 + 60)
    check(open_list.differing(before, *box, step=2) > 0.5, 'no list in the middle of the window')
    explorer.press('Escape')
    check(explorer.look().differing(open_list, *box, step=2) > 0.5, 'the list stays')
    explorer.quit()


def numbers_choose_the_tab(explorer):
    explorer.press('4')
    check(explorer.quit()['tab'] == 3, 'not the fourth tab')


def s_saves_the_picture(explorer):
    explorer.press('plus')
    explorer.press('s')
    explorer.wait_for(lambda: glob.glob(explorer.folder + '/warpscope-*.png'), 'the PNG', 15)
    explorer.settle(0.5)
    files = glob.glob(explorer.folder + '/warpscope-*')
    check(len(files) == 1, 'not one file:', files)
    picture = read_picture(files[0])
    check((picture.width, picture.height) == WINDOW, picture.width, picture.height)
    check(is_fractal(picture, left=0, top=0, bottom=picture.height), 'the PNG is blank')
    explorer.quit()


def the_theme_changes_while_running(explorer):
    explorer.press('5')
    explorer.move_to(8, 300)
    explorer.wheel(-40)  # the last controls of the Device tab: Dark, Light, and the scale
    dark = explorer.look().at(8, 200)
    explorer.click(250, WINDOW[1] - STATUS - 57)
    explorer.settle()
    light = explorer.look().at(8, 200)
    check(max(dark) < 100 and min(light) > 180, 'the panel went from', dark, 'to', light)
    check_no_errors(explorer.quit())
    with open(explorer.config + '/settings.toml') as file:
        check('light' in file.read(), 'the theme was not kept')


def resize_shows_more(explorer):
    explorer.do('windowsize', explorer.window, 1300, 800)
    explorer.settle(2)
    picture = explorer.look()
    check(is_fractal(picture, left=WINDOW[0] - 200, right=1300, bottom=800 - STATUS),
          'the new part of the window is blank')
    report = explorer.quit()
    check((report['view']['width'], report['view']['height']) == (1300, 800), report['view'])
    check_view(report, **HOME)
    check_no_errors(report)


def a_tiny_window_is_survived(explorer):
    explorer.do('windowsize', explorer.window, 40, 30)
    explorer.settle()
    explorer.do('windowsize', explorer.window, *WINDOW)
    explorer.settle(2)
    check_no_errors(explorer.quit())


def f11_fills_the_screen(explorer):
    explorer.press('F11')
    explorer.settle(1.5)
    report = explorer.quit()
    check((report['view']['width'], report['view']['height']) == SCREEN, report['view'])


def sliders_of(explorer):
    """Where the sliders' handles stand in the panel, from the top: (x, y) each, found by their
    colour. In the Parallelism tab the first two are threads per block, x and y, on a GPU, and
    worker threads and tile edge on a CPU."""
    picture = explorer.look()
    rows = {}
    for y in range(BAR + 60, 400):
        blue = [x for x in range(16, PANEL - 20)
                if picture.at(x, y)[2] > 190 and picture.at(x, y)[0] < 120]
        if len(blue) >= 4:
            rows[y] = blue
    bands = [y for y in rows if y - 1 not in rows]
    handles = []
    for top in bands:
        bottom = next(y for y in range(top, 401) if y not in rows)
        middle = rows[(top + bottom) // 2]
        if bottom - top >= 12:
            handles.append(((middle[0] + middle[-1]) // 2, (top + bottom) // 2))
    check(len(handles) >= 2, 'no two sliders in the panel:', handles)
    return handles


def second_slider(report):
    """What the Parallelism tab's second slider sets, and its default."""
    if report['backend'] == 'cuda':
        return report['block'][1], 16
    return report['cpu_tile'], 64


def sliders_act_at_once(explorer):
    explorer.press('2')
    before = explorer.look()
    x, y = sliders_of(explorer)[1]
    explorer.drag((x, y), (x + 90, y))
    check(explorer.look().differing(before, 16, y - 8, PANEL - 20, y + 8) > 0.05, 'no handle moved')
    report = explorer.quit()
    value, default = second_slider(report)
    check(value > default, 'the slider set', value)
    check(report['block'][0] * report['block'][1] <= 1024, report['block'])
    check_view(report, **HOME)
    check_no_errors(report)


def sliders_return_with_a_right_click(explorer):
    explorer.press('2')
    x, y = sliders_of(explorer)[1]
    explorer.drag((x, y), (x + 90, y))
    explorer.click(x + 40, y, button=3)
    explorer.settle()
    value, default = second_slider(explorer.quit())
    check(value == default, 'the slider is at', value)


def sliders_take_the_arrow_keys_and_the_view_stays(explorer):
    explorer.press('2')
    x, y = sliders_of(explorer)[1]
    explorer.move_to(x, y)
    explorer.settle()
    for key in ('Right', 'Right', 'Up', 'Left'):
        explorer.press(key)
    report = explorer.quit()
    value, default = second_slider(report)
    check(value == default + 2, 'the slider is at', value)
    check_view(report, **HOME)


def chosen_rung(explorer):
    """Where the mark of the chosen rung of the escape loop stands: the first blue disc."""
    picture = explorer.look()
    rows = {}
    for y in range(BAR + 40, picture.height - STATUS):
        blue = [x for x in range(18, 42)
                if picture.at(x, y)[2] > 190 and picture.at(x, y)[0] < 120]
        if 4 <= len(blue) <= 18:
            rows[y] = blue
    for top in (y for y in rows if y - 1 not in rows):
        bottom = next(y for y in range(top, picture.height) if y not in rows)
        if 12 <= bottom - top <= 20:
            middle = (top + bottom) // 2
            return (rows[middle][0] + rows[middle][-1]) // 2, middle
    raise AssertionError('no rung is chosen')


def resting_rung(explorer):
    """The same where the panel does not scroll any more."""
    before = chosen_rung(explorer)
    explorer.settle(0.5)
    return before if chosen_rung(explorer) == before else None


def kernels_are_chosen_in_the_ladder(explorer):
    explorer.press('2')
    explorer.move_to(PANEL // 2, 270)  # on a text, where the wheel scrolls the panel
    explorer.wheel(-3)
    x, y = explorer.wait_for(lambda: resting_rung(explorer), 'the panel to come to rest')
    row = 33  # pixels
    explorer.click(x, y - 5 * row)
    explorer.settle()
    check_near(chosen_rung(explorer)[1], y - 5 * row, 3, 'the mark')
    explorer.click(x, y - 3 * row)
    explorer.settle()
    report = explorer.quit()
    check(report['kernel'] == 'in-flight', report['kernel'])
    check_view(report, **HOME)
    check_no_errors(report)


def type_into_slider(explorer, text):
    explorer.press('2')
    x, y = sliders_of(explorer)[1]
    explorer.do('keydown', 'ctrl')
    explorer.click(x, y)
    explorer.do('keyup', 'ctrl')
    explorer.settle(0.5)
    # What was there is selected.
    explorer.do('type', '--delay', 80, '--', text)
    explorer.settle(0.5)
    explorer.hold('Return')


def sliders_take_typed_numbers(explorer):
    type_into_slider(explorer, '100')
    value, _ = second_slider(explorer.quit())
    check(value == 100, 'the slider is at', value)


def sliders_clamp_what_is_typed(explorer):
    type_into_slider(explorer, '-99999')
    report = explorer.quit()
    value, _ = second_slider(report)
    check(value in (1, 8), 'the slider is at', value)
    check_no_errors(report)


def the_microscope_shows_a_pixel_s_warp(explorer):
    explorer.press('m')
    before = explorer.look()
    # -0.74 + 0.07 i: the boundary between the cardioid and its bulb.
    explorer.click(482, 284)
    explorer.settle(6)
    after = explorer.look()
    changed = sum(after.at(x, y) != before.at(x, y)
                  for x in range(PANEL, after.width, 2) for y in range(BAR, after.height - STATUS, 2))
    check(changed > 100, 'neither block nor orbit are drawn over the fractal:', changed)
    panel = sum(after.at(x, y) != before.at(x, y)
                for x in range(0, PANEL, 2) for y in range(BAR, after.height - STATUS, 2))
    check(panel > 3000, 'the panel shows no lanes:', panel)
    explorer.press('m')
    report = explorer.quit()
    check_no_errors(report)


STRIP = 264  # height of the timeline
STRIP_TOP = WINDOW[1] - STATUS - STRIP
ROWS = STRIP_TOP + 90  # within its first row


def open_timeline(explorer):
    """T, until bars are drawn: their colours are vivid, all else in the strip is nearly grey."""
    before = explorer.look()
    explorer.press('t')

    def drawn():
        colours = explorer.look().colours(PANEL + 70, ROWS, WINDOW[0], WINDOW[1] - STATUS)
        return sum(n for rgb, n in colours.items() if max(rgb) - min(rgb) > 90) > 50
    explorer.wait_for(drawn, 'bars')
    check(explorer.look().differing(before, PANEL, STRIP_TOP, WINDOW[0], WINDOW[1] - STATUS) > 0.5,
          'no strip')


def t_opens_the_timeline(explorer):
    open_timeline(explorer)
    explorer.press('t')
    explorer.settle()
    picture = explorer.look()
    check(is_fractal(picture), 'the strip stays')
    open_timeline(explorer)
    report = explorer.quit()
    timeline = report['timeline']
    check(timeline['spans'] > 0 and timeline['bars'] > 0 and timeline['device'], timeline)
    check(timeline['opened'] is None, timeline)
    check_view(report, **HOME)
    check_no_errors(report)
    with open(explorer.config + '/settings.toml') as file:
        check('timeline = true' in file.read(), 'it is not kept')


def the_timeline_records_at_rest_in_economy(explorer):
    explorer.press('a', 'l')
    explorer.settle(2)
    open_timeline(explorer)
    report = explorer.quit()
    check(report['pace'] == 'economy' and report['timeline']['spans'] > 0, report['timeline'])


def the_timeline_takes_wheel_and_drag(explorer):
    open_timeline(explorer)
    explorer.move_to(700, ROWS)
    explorer.wheel(3)
    explorer.drag((700, ROWS), (600, ROWS))
    check_view(explorer.quit(), **HOME)


def bars_and_blocks_choose_each_other(explorer):
    open_timeline(explorer)
    explorer.do('keydown', 'ctrl')
    explorer.click(PANEL + 40, BAR + 20)
    explorer.do('keyup', 'ctrl')
    report = explorer.quit()
    tile = 64
    check(report['timeline']['block'] == [(PANEL + 40) // tile, (BAR + 20) // tile],
          report['timeline'])
    check_view(report, **HOME)


def roofs_are_measured_by_a_button(explorer):
    explorer.press('2')
    explorer.move_to(8, 300)
    explorer.wheel(-80)  # below the roofline are only the comparison and its button
    before = explorer.look()
    explorer.click(PANEL // 2, WINDOW[1] - 515)
    explorer.settle(8)
    check(explorer.look().differing(before, 16, BAR, PANEL - 30, WINDOW[1] - STATUS) > 0.02,
          'the chart stayed empty')
    report = explorer.quit()
    check([roofs['cpu_threads'] > 0 for roofs in report['roofs']] == [True], report['roofs'])
    check(report['roofs'][0]['float_flops_per_second'] > 0, report['roofs'])
    check_no_errors(report)


def tabs_open_with_a_click(explorer):
    explorer.click(120, BAR // 2)
    explorer.settle()
    check(explorer.quit()['tab'] == 1, 'not the second tab')


def a_place_opens_with_a_click(explorer):
    """The first picture in the list; its thumbnail appears by itself."""
    before = explorer.look()
    box = (20, 290, 160, 360)
    explorer.wait_for(lambda: is_fractal(explorer.look(), *box), 'the thumbnail')
    explorer.click(90, 325)
    explorer.settle(2)
    check(explorer.look().differing(before, PANEL, BAR, *WINDOW) > 0.5, 'the picture stayed')
    report = explorer.quit()
    check_view(report, re=-0.7453, im=0.1127, zoom=700)
    check(report['view']['max_iter'] == 5000, report['view'])


WINDOW_TESTS = [
    opens_the_home_view, wheel_zooms_at_the_cursor, wheel_back_zooms_out_at_the_cursor,
    wheel_over_the_panel_leaves_the_view, drag_pans_by_the_pixels, double_click_centres_and_zooms,
    arrows_move_by_a_tenth_of_the_height, plus_and_minus_zoom_at_the_middle,
    home_shows_the_whole_set, undo_and_redo_views, mouse_back_undoes, space_switches_the_backend,
    p_pauses, p_twice_goes_on, l_switches_to_economy, rests_smoothly,
    a_switches_antialiasing_off, economy_at_rest_costs_nothing,
    h_hides_the_panels,
    escape_brings_the_panels_back, question_mark_lists_the_keys, numbers_choose_the_tab,
    s_saves_the_picture, sliders_act_at_once,
    sliders_return_with_a_right_click, sliders_take_the_arrow_keys_and_the_view_stays,
    kernels_are_chosen_in_the_ladder,
    sliders_take_typed_numbers, sliders_clamp_what_is_typed,
    the_microscope_shows_a_pixel_s_warp, t_opens_the_timeline,
    the_timeline_records_at_rest_in_economy, the_timeline_takes_wheel_and_drag, bars_and_blocks_choose_each_other,
    roofs_are_measured_by_a_button, tabs_open_with_a_click, a_place_opens_with_a_click, the_theme_changes_while_running,
    resize_shows_more, a_tiny_window_is_survived, f11_fills_the_screen,
]
TESTS = {test.__name__: in_window(test) for test in WINDOW_TESTS}

if __name__ == '__main__':
    sys.exit(run_named(TESTS, sys.argv[1:]))
