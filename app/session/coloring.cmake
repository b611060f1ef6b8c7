# SPDX-License-Identifier: MIT
# Colouring and palettes of warpscope_session; included by CMakeLists.txt beside this file.
find_package(glm REQUIRED)
target_sources(warpscope_session PRIVATE
    ${CMAKE_CURRENT_LIST_DIR}/color_space.cc ${CMAKE_CURRENT_LIST_DIR}/coloring.cc
    ${CMAKE_CURRENT_LIST_DIR}/palette.cc)
