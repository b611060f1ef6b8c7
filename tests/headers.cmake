# SPDX-License-Identifier: MIT
# Compiles every header alone: one that leans on what its includer happened to include fails the
# build. Left out are textual headers (.inc, -inl.h), which are meant to be included somewhere
# special, and without CUDA those that include its headers.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/kernels/*.h ${PROJECT_SOURCE_DIR}/render/*.h
    ${PROJECT_SOURCE_DIR}/shaders/*.h ${PROJECT_SOURCE_DIR}/assets/*.h ${PROJECT_SOURCE_DIR}/app/*.h)
list(FILTER headers EXCLUDE REGEX "-inl\\.h$")

set(header_sources "")
foreach(header IN LISTS headers)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${header} cuda REGEX "#include <cuda")
    if(cuda AND NOT WARPSCOPE_HAVE_CUDA)
        continue()
    endif()
    string(MAKE_C_IDENTIFIER "${header}" name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND header_sources ${source})
endforeach()

add_library(warpscope_headers OBJECT ${header_sources})
target_link_libraries(warpscope_headers PRIVATE warpscope_app)
target_compile_options(warpscope_headers PRIVATE -O0 -g0)
