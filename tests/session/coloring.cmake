# SPDX-License-Identifier: MIT
warpscope_test(coloring_test
    SOURCES coloring_test.cc LIBRARIES warpscope_session warpscope_flags LABELS session)
