# SPDX-License-Identifier: MIT
# cmake -DLAYERS=layers.cmake -DSCRATCH=DIR -P layers_test.cmake: the check must pass a clean tree
# and fail on each of these single lines, naming the file.
cmake_minimum_required(VERSION 3.25)

# FILE, then one line of it.
set(good
    [[kernels/math/a.h|#include <cmath>]]
    [[kernels/math/portable.h|#ifdef __CUDACC__]]
    [[kernels/deep/a.h|#include <mpfr.h>]]
    [[kernels/engine/a.cc|#include "kernels/deep/view.h"]]
    [[kernels/lab/a.cc|#include "kernels/engine/timing.h"]]
    [[render/a.cc|#include "kernels/engine/backend.h"]]
    [[app/session/a.cc|#include "assets/assets.h"]]
    [[app/a.cc|#include <imgui.h>]]
    [[app/panels/a.cc|#include "render/presenter.h"]])
set(bad
    [[kernels/math/a.h|#include "kernels/engine/backend.h"]]
    [[kernels/math/a.h|  #  include "kernels/deep/view.h"]]
    [[kernels/math/a.h|#include <vector>]]
    [[kernels/math/a.h|#include <cuda_runtime.h>]]
    [[kernels/deep/a.cc|#include "kernels/engine/plan.h"]]
    [[kernels/engine/a.cc|#include "render/gl.h"]]
    [[kernels/engine/a.cc|#include "kernels/lab/lab.h"]]
    [[kernels/engine/a.cc|#include <mpfr.h>]]
    [[kernels/engine/a.cu|#include <cuda_gl_interop.h>]]
    [[kernels/engine/a.cu|#if defined(__CUDA_ARCH__)]]
    [[kernels/lab/a.cu|#include "kernels/math/formula.h"]]
    [[kernels/lab/a.cu|#include "kernels/engine/plan.h"]]
    [[kernels/stray.h|#include <cmath>]]
    [[render/a.cc|#include "app/session/state.h"]]
    [[render/a.cc|#include "kernels/math/formula.h"]]
    [[render/a.cc|#include "kernels/engine/cpu/thread_pool.h"]]
    [[render/a.cc|#include <imgui.h>]]
    [[render/a.cc|#include <GLFW/glfw3.h>]]
    [[app/session/a.h|#include "app/panels.h"]]
    [[app/session/a.h|#include "render/gl.h"]]
    [[app/session/a.h|#include <glad/gl.h>]]
    [[app/session/a.h|#include <imgui.h>]]
    [[app/a.cc|#include "format.h"]]
    [[app/a.cc|#ifdef __CUDACC__]])

# Writes the cases into a fresh tree and sets `result` and `said` to what the check answers.
macro(check)
    file(REMOVE_RECURSE ${SCRATCH})
    foreach(case IN ITEMS ${ARGN})
        string(REGEX MATCH "^([^|]*)\\|(.*)$" _ "${case}")
        file(WRITE ${SCRATCH}/${CMAKE_MATCH_1} "${CMAKE_MATCH_2}\n")
    endforeach()
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${LAYERS}
        RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
endmacro()

check(${good})
if(NOT result EQUAL 0)
    message(FATAL_ERROR "a clean tree was refused:\n${said}")
endif()
foreach(line IN LISTS bad)
    check("${line}")
    string(REGEX REPLACE "\\|.*" "" file "${line}")
    if(result EQUAL 0 OR NOT said MATCHES "${file}: ")
        message(FATAL_ERROR "this passed: ${line}\n${said}")
    endif()
endforeach()
check()
if(result EQUAL 0)
    message(FATAL_ERROR "an empty tree passed")
endif()
file(REMOVE_RECURSE ${SCRATCH})
