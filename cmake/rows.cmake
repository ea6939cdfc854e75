# The list of laws, row by row: what is instantiated for laws is one object per row and kind, so that a new row compiles nothing else.
set(ASPERITY_LIST ${PROJECT_SOURCE_DIR}/include/asperity/catalogue.hpp)

# asperity_read_rows(PREFIX LIST): PREFIX_ROWS, the names of the rows, and for each row PREFIX_LAWS_name and PREFIX_HEADERS_name. With
# ASPERITY_JOINED four neighbours are one row.
function(asperity_read_rows prefix list)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^    [A-Z].*// [a-z_]+/")
  set(rows)
  set(joined 0)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^ *(.*[^ ,]),? *// (.*)$" _ "${line}")
    set(next_laws "${CMAKE_MATCH_1}")
    string(REPLACE " " ";" next_headers "${CMAKE_MATCH_2}")
    if(ASPERITY_JOINED AND joined GREATER 0 AND joined LESS 4)
      string(APPEND laws ", ${next_laws}")
      list(APPEND headers ${next_headers})
      math(EXPR joined "${joined} + 1")
    else()
      set(laws "${next_laws}")
      set(headers ${next_headers})
      set(joined 1)
      string(REGEX MATCH "^[A-Za-z0-9]+" row "${laws}")
      list(APPEND rows ${row})
    endif()
    set(${prefix}_LAWS_${row} "${laws}" PARENT_SCOPE)
    set(${prefix}_HEADERS_${row} "${headers}" PARENT_SCOPE)
  endforeach()
  set(${prefix}_ROWS ${rows} PARENT_SCOPE)
endfunction()

# asperity_row_sources(OUT LIST KIND [ARCH]): the sources of a kind, one for each row. KIND/row.hpp under src/ instantiates a row.
function(asperity_row_sources out list kind)
  set(arch "${ARGN}")
  asperity_read_rows(row ${list})
  set(sources)
  foreach(row IN LISTS row_ROWS)
    set(includes)
    foreach(header IN LISTS row_HEADERS_${row})
      string(REGEX REPLACE "^(friction|contact)/" "asperity/\\1/" header ${header})
      string(APPEND includes "#include \"${header}.hpp\"\n")
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/rows/${kind}${arch}/${row}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "// Made by cmake/rows.cmake from the list of laws.
${includes}#include \"asperity/law_list.hpp\"
#include \"asperity/contact/defaults.hpp\"

namespace asperity {
template <class S, int D, int N>
using RowLaws = LawList<${row_LAWS_${row}}>;
}

#define ASPERITY_ROW_NAME ${row}
#include \"${kind}/row.hpp\"
" @ONLY)
    list(APPEND sources ${file})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# asperity_row_table(OUT KIND LISTS... [ARCH a]): the source of the table of all rows of a kind, in the order of the lists.
function(asperity_row_table out kind)
  cmake_parse_arguments(ARG "" "ARCH" "" ${ARGN})
  set(declared)
  set(rows)
  foreach(list IN LISTS ARG_UNPARSED_ARGUMENTS)
    asperity_read_rows(row ${list})
    foreach(row IN LISTS row_ROWS)
      string(APPEND declared "extern const Row row_${ARG_ARCH}${row};\n")
      string(APPEND rows "&row_${ARG_ARCH}${row}, ")
    endforeach()
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/rows/${kind}${ARG_ARCH}_table.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "// Made by cmake/rows.cmake from the list of laws.
#include \"${kind}/rows.hpp\"

namespace asperity::rows::${kind} {
${declared}namespace {
const Row* const all[] = {${rows}};
}
const Table table${ARG_ARCH}{all, sizeof(all) / sizeof(all[0])};
}
" @ONLY)
  set(${out} ${file} PARENT_SCOPE)
endfunction()
