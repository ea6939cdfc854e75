# Writes the page's script, its style and uPlot into a C++ source. Modules become one script: imports go, exports stay as they are
# without the word.
#   cmake -DWEB=web -DUPLOT=web/node_modules/uplot -DMODULES="a.js b.js" -DOUT=embedded.cpp -P embed.cmake
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)

# uPlot is what the repository says it is, or nothing is built: WEB/uplot.sha256 has the hashes.
file(STRINGS ${WEB}/uplot.sha256 pinned)
foreach(line IN LISTS pinned)
  string(REGEX MATCH "^([0-9a-f]+)  node_modules/uplot/(.*)$" matched "${line}")
  set(expected "${CMAKE_MATCH_1}")
  set(file "${UPLOT}/${CMAKE_MATCH_2}")
  if(EXISTS "${file}")
    file(SHA256 "${file}" found)
    if(NOT found STREQUAL expected)
      message(FATAL_ERROR "${file} has the SHA-256 ${found}; web/uplot.sha256 expects ${expected}. "
        "Remove web/node_modules and run `tools/install-deps build`. If you mean to embed another version of uPlot: set it in "
        "web/package.json, run `npm install` in web/, read what changed, and pin the new hashes with "
        "`sha256sum node_modules/uplot/dist/uPlot.iife.min.js node_modules/uplot/dist/uPlot.min.css node_modules/uplot/LICENSE > uplot.sha256`.")
    endif()
  endif()
endforeach()

set(script "")
separate_arguments(names UNIX_COMMAND "${MODULES}")
foreach(name IN LISTS names)
  file(READ ${WEB}/${name} module)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" module "${module}")
  string(REGEX REPLACE "(^|\n)export " "\\1" module "${module}")
  string(APPEND script "${module}")
endforeach()
file(WRITE ${OUT}.js "${script}")

set(code "#include \"embedded.hpp\"\n\nnamespace asperity::report {\nnamespace {\n")
set(views "")
function(embed variable file)
  bytes_of(bytes ${file})
  set(code "${code}constexpr char ${variable}_bytes[] = {${bytes}};\n" PARENT_SCOPE)
  set(views "${views}const std::string_view ${variable}(${variable}_bytes, ${bytes_size});\n" PARENT_SCOPE)
endfunction()
embed(page_script ${OUT}.js)
embed(page_style ${WEB}/page.css)
embed(uplot_script ${UPLOT}/dist/uPlot.iife.min.js)
embed(uplot_style ${UPLOT}/dist/uPlot.min.css)
embed(uplot_license ${UPLOT}/LICENSE)
file(WRITE ${OUT} "${code}}  // namespace\n\n${views}\n}  // namespace asperity::report\n")
