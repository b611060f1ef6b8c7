# SPDX-License-Identifier: MIT
# cmake -DFILES=a;b -DROOT=dir -DOUT=packed.cc -P pack_sources.cmake: writes the files as a C++ table.
set(text "#include \"kernels/lab/sources.h\"\n\nnamespace warpscope::lab::packed {\nnamespace {\n")
set(rows "")
set(index 0)
foreach(file IN LISTS FILES)
    file(READ ${ROOT}/${file} bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND text "const char file_${index}[] = {${bytes}'\\0'};\n")
    string(APPEND rows "    {\"${file}\", {file_${index}, sizeof file_${index} - 1}},\n")
    math(EXPR index "${index} + 1")
endforeach()
string(APPEND text "}  // namespace\nconst Source sources[] = {\n${rows}};\n"
    "const unsigned long source_count = ${index};\n}  // namespace warpscope::lab::packed\n")
file(WRITE ${OUT} "${text}")
