# How the project builds itself; consumers of asperity::laws see none of this.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  if(ASPERITY_PRECOMPILED)  # which it does not look into otherwise
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  endif()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/join.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)
set(CMAKE_PCH_PROLOGUE "")  # or our headers would be those of the system, whose warnings are not seen

# Some eighty programs are linked for the tests: lld takes a quarter of the time.
find_program(LLD ld.lld)
if(LLD AND ASPERITY_BUILD_TESTS)
  add_link_options(-fuse-ld=lld)
endif()

add_library(asperity_options INTERFACE)
# No contraction: the same numbers from every compiler and instruction set.
target_compile_options(asperity_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off
                       $<$<BOOL:${ASPERITY_STRICT}>:-Werror>)
# g++ 12 sees uninitialized numbers in joined files that are not there; they are looked for file by file. Joined tests may hide each other's
# names. So may joined sources for clang; g++ is told to mind, so that what it lets pass compiles file by file as well.
if(ASPERITY_JOINED)
  target_compile_options(asperity_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                         $<$<OR:$<CXX_COMPILER_ID:Clang>,$<BOOL:$<TARGET_PROPERTY:ASPERITY_MAY_SHADOW>>>:-Wno-shadow>)
endif()
