#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chart.py draws well-formed SVG of what was measured, and notices when it is of other figures."""
import copy
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chart


def row(view, kernel, backend, kind, executed, effective):
    return {'view': view, 'kernel': kernel, 'backend': backend, 'type': kind,
            'kernel_ms': {'median': 1, 'n': 10}, 'executed_per_second': executed,
            'effective_per_second': effective}


BENCH = {
    'commit': 'abc', 'backends': [{'name': 'cpu', 'device': 'A <B> & C', 'detail': 'two threads'}],
    'peaks': [{'backend': 'cpu', 'type': 'float', 'iterations_per_second': 5e10}],
    'views': [{'key': 'home', 'title': 'home', 'max_iter': 1000, 'width': 64, 'height': 36}],
    'rows': [row('home', 'naive', 'cpu', 'float', 1e9, 1e9),
             row('home', 'closed-form', 'cpu', 'float', 2e9, 3e10),
             row('home', 'refill', 'cpu', 'float', 0, 4e10),
             {'view': 'home', 'kernel': 'naive', 'backend': 'cuda', 'type': 'float', 'problem': 'x'}]}


def marks(svg):
    return sum(len(xml.dom.minidom.parseString(svg).getElementsByTagName(name))
               for name in ('circle', 'polygon'))


def main():
    drawn = chart.draw(BENCH, ['home'])
    # Legend 3; naive 1, closed form 2, refill only its worth; nothing for what has no figure.
    assert marks(drawn) == 7, drawn
    assert 'GPU' not in drawn and 'A &lt;B&gt; &amp; C' in drawn and 'abc' in drawn
    assert 'prefers-color-scheme: dark' in drawn
    other = copy.deepcopy(BENCH)
    other['rows'][1]['executed_per_second'] = 2.5e9
    assert chart.draw(other, ['home']) != drawn, 'the figures are not drawn'
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ('cpu.json', 'gpu.json')]
        gpu = copy.deepcopy(BENCH)
        gpu.update(commit='def', backends=[{'name': 'cuda', 'device': 'GPU', 'detail': '1 SM'}],
                   rows=[row('home', 'naive', 'cuda', 'float', 1e12, 1e12)])
        for path, content in zip(paths, (BENCH, gpu)):
            with open(path, 'w') as file:
                chart.json.dump(content, file)
        both = chart.draw(chart.merged(paths), ['home'])
        assert marks(both) == marks(drawn) + 2 and 'abc and def' in both, both
        for wrong in ([paths[0]] * 2, None):
            if wrong is None:
                gpu['views'][0]['max_iter'] = 2
                with open(paths[1], 'w') as file:
                    chart.json.dump(gpu, file)
            try:
                chart.merged(wrong or paths)
                raise AssertionError('runs that do not belong together were merged')
            except SystemExit as error:
                assert '.json' in str(error), error
        bench, svg = os.path.join(folder, 'bench.json'), os.path.join(folder, 'chart.svg')
        for content, status in ((BENCH, 0), (other, 1)):
            with open(bench, 'w') as file:
                chart.json.dump(content, file)
            command = [sys.executable, chart.__file__, bench, '--views', 'home']
            if status == 0:
                subprocess.run(command + ['-o', svg], check=True)
            done = subprocess.run(command + ['--check', svg], capture_output=True, text=True)
            assert done.returncode == status, done.stderr
            assert status == 0 or 'run chart.py again' in done.stderr, done.stderr


if __name__ == '__main__':
    main()
