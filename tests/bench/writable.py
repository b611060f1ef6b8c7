#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says on standard error why a file cannot be written, before long work that ends in it.

usage: writable.py FILE
"""
import os
import stat
import sys


def problem_of(path):
    """A sentence, or None. What is there stays as it is."""
    try:
        there = os.path.exists(path)
        if there and stat.S_ISFIFO(os.stat(path).st_mode):
            return None  # to open it would wait for its reader
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(descriptor, b'')  # /dev/full refuses even that
        finally:
            os.close(descriptor)
            if not there:
                os.remove(path)
    except OSError as error:
        return "cannot write '%s': %s" % (path, error.strerror)
    return None


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(problem_of(sys.argv[1]))
