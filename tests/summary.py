#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up what CTest and GoogleTest wrote, and says what was skipped and why.

usage: summary.py NAME=RESULTS…
RESULTS holds ctest.xml (ctest --output-junit) and gtest/*.xml (GTEST_OUTPUT). A CTest entry that
wrote a GoogleTest file counts as its cases, any other as one. An entry that failed although none of
its cases did (it crashed, it ran out of time) counts as one failure more.
The last line is "N passed, N failed, N skipped"; exit status 1 where anything failed or nothing ran.
"""
import collections
import os
import sys
import xml.etree.ElementTree as ElementTree

Tally = collections.namedtuple('Tally', 'passed failed skipped')


def read_cases(path):
    """The (name, state, reason) of every case in one GoogleTest file; none where it is torn."""
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError:
        return []
    cases = []
    for case in root.iter('testcase'):
        name = '%s.%s' % (case.get('classname'), case.get('name'))
        skipped = case.find('skipped')
        if case.find('failure') is not None:
            cases.append((name, 'failed', ''))
        elif skipped is not None or case.get('result') == 'skipped':
            message = '' if skipped is None else (skipped.get('message') or skipped.text or '')
            cases.append((name, 'skipped', reason_line(message)))
        elif case.get('status') != 'notrun':
            cases.append((name, 'passed', ''))
    return cases


def reason_line(message):
    """The reason alone: GoogleTest puts file and line before it."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    lines = [line for line in lines if not line.split(':')[0].endswith(('.cc', '.cu', '.h'))]
    return ' '.join(lines) or 'no reason given'


def read_entry(entry, folder):
    """The (name, state, reason) of what one CTest entry ran."""
    name, status = entry.get('name'), entry.get('status')
    cases = []
    path = os.path.join(folder, 'gtest', name + '.xml')
    if os.path.exists(path):
        cases = read_cases(path)
    if status == 'run':
        return cases or [(name, 'passed', '')]
    output = entry.findtext('system-out') or ''
    skipped = entry.find('skipped')
    # A program that could not be started is "skipped" to CTest, with another message.
    if status == 'notrun' and skipped is not None and skipped.get('message', '').startswith('SKIP_'):
        said = [line for line in output.splitlines() if line.startswith('skipped: ')]
        return [(name, 'skipped', said[-1][len('skipped: '):] if said else 'no reason given')]
    if not any(state == 'failed' for _, state, _ in cases):
        cases.append((name + ' (did not end well)', 'failed', ''))
    return cases


def read_preset(folder):
    root = ElementTree.parse(os.path.join(folder, 'ctest.xml')).getroot()
    return [case for entry in root.iter('testcase') for case in read_entry(entry, folder)]


def count(cases):
    states = collections.Counter(state for _, state, _ in cases)
    return Tally(states['passed'], states['failed'], states['skipped'])


def line(tally):
    return '%d passed, %d failed, %d skipped' % tally


def main(arguments):
    if not arguments or not all('=' in argument for argument in arguments):
        sys.exit(__doc__)
    total = Tally(0, 0, 0)
    for argument in arguments:
        preset, folder = argument.split('=', 1)
        cases = read_preset(folder)
        tally = count(cases)
        total = Tally(*(a + b for a, b in zip(total, tally)))
        print('\n%s: %s' % (preset, line(tally)))
        for name, state, _ in cases:
            if state == 'failed':
                print('  FAILED   %s' % name)
        skipped = collections.defaultdict(list)
        for name, state, reason in cases:
            if state == 'skipped':
                skipped[reason].append(name)
        for reason, names in skipped.items():
            print('  skipped  %s\n           because %s' % (', '.join(names), reason))
    print('\n' + line(total))
    return 1 if total.failed or not total.passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
