# SPDX-License-Identifier: MIT
# cmake -DROOT=DIR -P layers.cmake: reads every #include of the rooms and fails on an arrow that the
# table below does not list. Rooms know what stands below them and nothing above.
cmake_minimum_required(VERSION 3.25)

set(rooms shaders assets kernels/math kernels/deep kernels/engine kernels/lab render app/session app)

# What each room may include by a path from the root, as regular expressions.
set(data [[assets/assets\.h]] [[shaders/coloring_params\.h]])
set(may_kernels/math [[kernels/math/]])
set(may_kernels/deep [[kernels/(math|deep)/]])
set(may_kernels/engine [[kernels/(math|deep|engine)/]])
# The lab knows devices, clocks and peaks, not fractals.
set(may_kernels/lab
    [[kernels/(math/portable|engine/(backend|device_info|fma_meter|timing|cuda/check))\.h]]
    [[kernels/lab/]])
# The renderer knows the engine's nouns, not how they are computed, and no formula.
set(may_render [[render/]] [[kernels/engine/[a-z_]+\.h]] [[kernels/deep/view\.h]]
    [[kernels/math/sample\.h]] ${data})
set(may_app/session [[app/session/]] [[kernels/(math|deep)/]] [[kernels/engine/[a-z_]+\.h]]
    [[shaders/coloring\.glsl]] ${data})
set(may_app [[(app|render)/]] [[kernels/(math|deep|engine|lab)/]] ${data})
set(may_shaders [[shaders/]])
set(may_assets [[assets/]])

# Libraries that belong to some rooms only: their headers, then who may include them.
set(libraries mpfr imgui glfw gl cuda highway files standard)
set(headers_mpfr [[^(mpfr|mpf2mpfr|gmp)\.h$]])
set(users_mpfr kernels/deep)
set(headers_imgui [[^(imgui|backends/imgui|imgui_)]])
set(users_imgui app)
set(headers_glfw [[^GLFW/]])
set(users_glfw app)
set(headers_gl [[^((glad|GL|GLES[0-9]|EGL|KHR)/|cuda_gl_interop)]])
set(users_gl render app)
set(headers_cuda [[^(cuda|cublas|device_|cooperative_groups|nv/)]])
set(users_cuda kernels/engine kernels/lab render)
set(headers_highway [[^hwy/]])
set(users_highway kernels/engine kernels/lab)
set(headers_files [[^(toml\+\+|png\.h|nlohmann|CLI/|fontconfig)]])
set(users_files app/session app)
# kernels/math runs on the device too: no threads, no heap, no input or output.
set(headers_standard
    [[^(thread|mutex|atomic|future|condition_variable|iostream|fstream|cstdio|filesystem|memory|vector|string|map|functional)$]])
set(users_standard kernels/deep kernels/engine kernels/lab render app/session app assets)

set(problems "")

# Adds "FILE: WHAT" to the problems.
function(report file what)
    set(problems ${problems} "${file}: ${what}" PARENT_SCOPE)
endfunction()

function(check_own_include room file path)
    foreach(pattern IN LISTS may_${room})
        if(path MATCHES "^${pattern}")
            return()
        endif()
    endforeach()
    report(${file} "${room} must not include \"${path}\"")
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

function(check_library_include room file path)
    foreach(library IN LISTS libraries)
        if(path MATCHES "${headers_${library}}" AND NOT room IN_LIST users_${library})
            report(${file} "${room} must not include <${path}>")
        endif()
    endforeach()
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

function(check_file room file)
    file(STRINGS ${ROOT}/${file} includes REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS includes)
        if(line MATCHES "include[ \t]+\"([^\"]+)\"")
            check_own_include(${room} ${file} ${CMAKE_MATCH_1})
        elseif(line MATCHES "include[ \t]+<([^>]+)>")
            check_library_include(${room} ${file} ${CMAKE_MATCH_1})
        endif()
    endforeach()
    file(STRINGS ${ROOT}/${file} macros REGEX "__CUDACC__|__CUDA_ARCH__")
    if(macros AND NOT file STREQUAL "kernels/math/portable.h")
        report(${file} "only kernels/math/portable.h may name __CUDACC__ or __CUDA_ARCH__")
    endif()
    set(problems "${problems}" PARENT_SCOPE)
endfunction()

set(count 0)
foreach(top shaders assets kernels render app)
    file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${top}/*.h ${ROOT}/${top}/*.cc
        ${ROOT}/${top}/*.cu ${ROOT}/${top}/*.cuh ${ROOT}/${top}/*.inc ${ROOT}/${top}/*.glsl)
    foreach(file IN LISTS files)
        set(room "")
        foreach(candidate IN LISTS rooms)  # app/session stands before app
            if(NOT room AND file MATCHES "^${candidate}/")
                set(room ${candidate})
            endif()
        endforeach()
        if(room)
            check_file(${room} ${file})
        else()
            report(${file} "stands in no room")
        endif()
        math(EXPR count "${count} + 1")
    endforeach()
endforeach()

if(count EQUAL 0)
    message(FATAL_ERROR "no sources under ${ROOT}")
endif()
if(problems)
    list(JOIN problems "\n  " text)
    message(FATAL_ERROR "Arrows that the room table does not have (tests/layers.cmake):\n  ${text}")
endif()
message(STATUS "${count} files keep to the room table")
