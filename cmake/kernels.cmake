# SIMD kernels: one source, compiled once for each instruction set; the library chooses at run time.
find_path(XSIMD_INCLUDE xsimd/xsimd.hpp REQUIRED)

include(${PROJECT_SOURCE_DIR}/cmake/rows.cmake)

# asperity_kernel_objects(LIBRARY OBJECTS ARCH XSIMD_ARCH FLAGS...): the objects of kernels.cpp for one instruction set, or of the
# rows of the list of laws if OBJECTS is the name of their kind.
function(asperity_kernel_objects library objects arch xsimd_arch)
  set(sources kernels.cpp)
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${objects}/row.hpp)
    set(rows ${ASPERITY_LIST})
    set(tables ${ASPERITY_LIST})
    if(ASPERITY_SECOND_LIST)  # of a program that has more laws
      set(rows ${ASPERITY_SECOND_LIST})
      list(APPEND tables ${ASPERITY_SECOND_LIST})
    endif()
    asperity_row_sources(sources ${rows} ${objects} ${arch})
    asperity_row_table(table ${objects} ${tables} ARCH ${arch})
    target_sources(${library} PRIVATE ${table})
    target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  endif()
  set(without_speed -O1)
  if(objects STREQUAL "batch")  # which the sanitized tests do not run
    set(without_speed -O0)
  endif()
  set(objects ${library}_${objects})
  add_library(${objects}_${arch} OBJECT ${sources})
  set_target_properties(${objects}_${arch} PROPERTIES POSITION_INDEPENDENT_CODE ON)  # as the library that they become part of
  target_link_libraries(${objects}_${arch} PRIVATE asperity_options asperity_laws)
  target_include_directories(${objects}_${arch} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${objects}_${arch} SYSTEM PRIVATE ${XSIMD_INCLUDE})
  target_compile_definitions(${objects}_${arch} PRIVATE ASPERITY_ARCH=${arch} "ASPERITY_XSIMD_ARCH=${xsimd_arch}")
  # Lanes are worth nothing unless everything is inlined, whatever the build is for.
  target_compile_options(${objects}_${arch} PRIVATE $<IF:$<BOOL:${ASPERITY_SPEED}>,-O3,${without_speed}> ${ARGN})
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${objects}_${arch}>)
endfunction()

# asperity_kernels(LIBRARY OBJECTS X86_DEFINITION): kernels for every machine, and for the wider x86 ones where speed is wanted.
function(asperity_kernels library objects x86_definition)
  asperity_kernel_objects(${library} ${objects} Baseline xsimd::default_arch)
  if(ASPERITY_SPEED AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    asperity_kernel_objects(${library} ${objects} Avx2 "xsimd::fma3<xsimd::avx2>" -mavx2 -mfma)
    # g++ 12 sees uninitialized numbers in its own AVX-512 intrinsics.
    asperity_kernel_objects(${library} ${objects} Avx512 xsimd::avx512bw -mavx2 -mfma -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl
                            "$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized>")
    target_compile_definitions(${library} PRIVATE ${x86_definition})
  endif()
endfunction()
